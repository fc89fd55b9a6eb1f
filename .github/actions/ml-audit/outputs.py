"""`python outputs.py ROOM BELOW PATH`: from reports in a directory, a comment, the summary of the job, the outputs."""

import json
import os
import posixpath
import sys
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import quote

MARK = "<!-- ml-audit -->"
"""First line of the comment, by which a workflow finds the one that it wrote before."""

LONGEST_COMMENT = 60_000
"""Characters; GitHub takes 65,536."""


def comment(markdown: str) -> str:
    """The report as a comment: marked, and cut after a whole line where it is too long."""
    if len(markdown) > LONGEST_COMMENT:
        markdown = markdown[:LONGEST_COMMENT].rpartition("\n")[0] + "\n\n… cut here; the summary of the job has more.\n"
    return f"{MARK}\n{markdown}"


def below_the_workspace(node: object, path: str) -> object:
    """A SARIF log whose places are relative to the workspace, which code scanning takes for the repository."""
    if isinstance(node, list):
        return [below_the_workspace(each, path) for each in node]
    if not isinstance(node, dict):
        return node
    told = {name: below_the_workspace(value, path) for name, value in node.items()}
    if "uri" in told and told.get("uriBaseId") == "%SRCROOT%":
        told["uri"] = posixpath.normpath(f"{quote(path)}/{told['uri']}")
    return told


def write(room: Path, below: str, path: str, environ: Mapping[str, str]) -> None:
    """Write what the runner reads; each output is one line."""
    report = json.loads((room / "report.json").read_text(encoding="utf-8"))
    markdown = (room / "report.md").read_text(encoding="utf-8")
    (room / "comment.md").write_text(comment(markdown), encoding="utf-8")
    with Path(environ["GITHUB_STEP_SUMMARY"]).open("a", encoding="utf-8") as summary:
        summary.write(f"{markdown}\n")
    if path and not path.startswith("/"):
        sarif = json.loads((room / "report.sarif").read_text(encoding="utf-8"))
        (room / "report.sarif").write_text(json.dumps(below_the_workspace(sarif, path), indent=2), encoding="utf-8")
    told = {name: str(report[name]) for name in ("score", "risk", "badge")} | {
        "findings": str(len(report["findings"])),
        "below": " ".join(below.split()),
        **{kind: str(room / f"report.{kind}") for kind in ("json", "sarif", "html")},
        "comment": str(room / "comment.md"),
    }
    with Path(environ["GITHUB_OUTPUT"]).open("a", encoding="utf-8") as outputs:
        outputs.writelines(f"{name}={value}\n" for name, value in told.items())


if __name__ == "__main__":
    write(Path(sys.argv[1]), sys.argv[2], sys.argv[3], os.environ)
