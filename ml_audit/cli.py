"""The program `ml-audit`."""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from ml_audit.audit import audit
from ml_audit.fixing import apply_edits, edited, unified_diff
from ml_audit.local import LocalDirectory
from ml_audit.report import Report
from ml_audit.repository import Repository, SourceError
from ml_audit.rules.catalogue import BY_ID, RULES
from ml_audit.terminal import show_report, show_rule, show_rules

__all__ = ["main"]

EXIT_BELOW = 1
EXIT_MISUSED = 2
EXIT_UNREADABLE = 3

_EPILOG = """\
ml-audit rules             list all rules
ml-audit explain RULE      why a rule is there, a bad and a good example
ml-audit schema            the JSON Schema of --json

example: ml-audit . --fail-under 7.5
exit codes: 0 done, 1 a score is below --fail-under, 2 called wrongly, 3 a repository cannot be read
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program and return its exit code."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    console = Console(highlight=False)
    try:
        if given[:1] == ["rules"] and len(given) == 1 and not Path("rules").is_dir():
            show_rules(console, RULES)
            return 0
        if given[:1] == ["explain"]:
            return _explain(console, given[1:])
        if given == ["schema"] and not Path("schema").is_dir():
            sys.stdout.write(json.dumps(Report.model_json_schema(), indent=2) + "\n")
            return 0
        return _audit(console, given)
    except BrokenPipeError:
        sys.stderr.close()
        return 0


def _explain(console: Console, names: Sequence[str]) -> int:
    if len(names) != 1:
        sys.stderr.write("error: name one rule: ml-audit explain RULE; `ml-audit rules` lists them\n")
        return EXIT_MISUSED
    rule = BY_ID.get(names[0])
    if rule is None:
        near = [known for known in BY_ID if names[0].lower() in known]
        hint = f"did you mean {', '.join(near[:3])}?" if near else "`ml-audit rules` lists them"
        sys.stderr.write(f"error: there is no rule {names[0]!r}; {hint}\n")
        return EXIT_MISUSED
    show_rule(console, rule)
    return 0


def _audit(console: Console, given: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="ml-audit",
        description="Audit repositories of machine-learning code for reproducibility.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("path", nargs="+", type=Path, help="a checkout of a repository")
    parser.add_argument("--json", action="store_true", help="print the report as JSON; a list for several repositories")
    parser.add_argument("--fail-under", type=_score, metavar="SCORE", help="exit 1 if a score is below this (0 to 10)")
    parser.add_argument("--fix", action="store_true", help="make the safe changes, and print what changed as a diff")
    parser.add_argument("--diff", action="store_true", help="print the safe changes as a diff, and make none")
    told = parser.parse_args(given)
    try:
        repositories = [LocalDirectory(path).read() for path in told.path]
        reports = [audit(repository) for repository in repositories]
        if told.fix or told.diff:
            return _fix(told.path, repositories, reports, write=not told.diff)
    except SourceError as error:
        sys.stderr.write(f"error: {error}\n")
        return EXIT_UNREADABLE
    except OSError as error:
        sys.stderr.write(f"error: {error.filename}: {error.strerror}\n")
        return EXIT_UNREADABLE
    if told.json:
        printed = [r.model_dump(mode="json") for r in reports]
        sys.stdout.write(json.dumps(printed[0] if len(printed) == 1 else printed, indent=2, ensure_ascii=False) + "\n")
    else:
        for report in reports:
            show_report(console, report)
    below = [r for r in reports if told.fail_under is not None and r.score < told.fail_under]
    for report in below:
        sys.stderr.write(f"{report.repository}: {report.score:.2f} is below {told.fail_under:g}\n")
    return EXIT_BELOW if below else 0


def _fix(paths: Sequence[Path], repositories: Sequence[Repository], reports: Sequence[Report], *, write: bool) -> int:
    """Print the safe changes of all repositories, and make them."""
    for path, repository, report in zip(paths, repositories, reports, strict=True):
        changed = edited(repository.files, report.findings)
        sys.stdout.write(unified_diff(changed))
        if write:
            apply_edits(path, changed)
        sys.stderr.write(f"{report.repository}: {len(changed)} files {'changed' if write else 'would change'}\n")
    return 0


def _score(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 10:
        raise argparse.ArgumentTypeError(f"{text!r} is not a score from 0 to 10")
    return value
