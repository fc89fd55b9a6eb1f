"""The other outputs: what each says, that names and code of a repository stay data, and where they are written."""

import json
import re
import xml.etree.ElementTree as ET
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import jsonschema
import pytest
from markdown_it import MarkdownIt
from rich.console import Console

from ml_audit import Report, Repository, audit
from ml_audit.audit import BADGES
from ml_audit.cli import main
from ml_audit.comparison import compare
from ml_audit.outputs import badge, comparison_markdown, markdown, page, sarif
from ml_audit.outputs.number import tenths
from ml_audit.scoring import risk_of
from ml_audit.terminal import show_report

SCHEMA = Path(__file__).parent / "sarif" / "sarif-schema-2.1.0.json"
EVIL = 'tr<img src=x onerror=alert(1)>|`in`"\u202e.py'
TRAIN = """\
import torch, random
ids = {l: i for i, l in enumerate(set(labels))}  # </pre><script>alert(1)</script> \\| `x` @everyone https://x.example
model = torch.nn.Linear(2, 2)  # ml-audit: ignore[torch-seed-missing] shown elsewhere
torch.backends.cudnn.benchmark = True
if __name__ == "__main__":
    print(random.random())
"""


def report_of(text: str, name: str = "a <b>&@me") -> Report:
    files = {EVIL: text.encode(), "README.md": b"# a\n"}
    return audit(Repository(name, files))


@pytest.fixture(scope="module")
def report() -> Report:
    return report_of(TRAIN)


class Seen(HTMLParser):
    """Which elements and attributes a page has."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.text = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}

    def handle_data(self, data: str) -> None:
        self.text += data


def test_sarif_fits_the_official_schema(report: Report):
    log = sarif([report, report_of(TRAIN, "other")])
    jsonschema.Draft4Validator(json.loads(SCHEMA.read_text()), format_checker=jsonschema.FormatChecker()).validate(log)
    first, second = log["runs"]
    assert first["automationDetails"] != second["automationDetails"]
    rules = first["tool"]["driver"]["rules"]
    assert all(rule["help"]["text"] and "**Do:**" in rule["help"]["markdown"] for rule in rules)
    by_rule = {result["ruleId"]: result for result in first["results"]}
    found = by_rule["labels-from-set"]
    place = found["locations"][0]["physicalLocation"]
    assert rules[found["ruleIndex"]]["id"] == "labels-from-set"
    assert (found["level"], place["region"]["startLine"]) == ("error", 2)
    assert unquote(place["artifactLocation"]["uri"]) == EVIL
    assert place["region"]["snippet"]["text"] == TRAIN.splitlines()[1]
    assert found["fixes"][0]["artifactChanges"][0]["replacements"][0]["deletedRegion"]["startLine"] == 2
    assert by_rule["torch-seed-missing"]["suppressions"] == [{"kind": "inSource"}]
    assert by_rule["tests-missing"]["level"] in ("warning", "note")


def test_sarif_says_which_commit_was_audited():
    told = audit(Repository("ann/work", {"t.py": b"x = 1\n"}, commit="0" * 40, url="https://github.com/ann/work"))
    log = sarif([told])
    jsonschema.Draft4Validator(json.loads(SCHEMA.read_text()), format_checker=jsonschema.FormatChecker()).validate(log)
    (source,) = log["runs"][0]["versionControlProvenance"]
    assert source == {
        "repositoryUri": "https://github.com/ann/work",
        "revisionId": "0" * 40,
        "mappedTo": {"uriBaseId": "%SRCROOT%"},
    }


def test_fingerprints_stay_when_lines_move_and_differ_for_equal_lines():
    def prints(text: str) -> list[tuple[str, str]]:
        results = sarif([report_of(text)])["runs"][0]["results"]
        return sorted((r["ruleId"], r["partialFingerprints"]["mlAudit/v1"]) for r in results)

    before = prints(TRAIN)
    assert prints("# moved\n\n" + TRAIN) == before
    twice = prints(TRAIN + "    ids = {l: i for i, l in enumerate(set(labels))}\n" * 2)
    assert len(set(twice)) == len(twice)
    assert set(before) <= set(twice)


def test_the_page_needs_nothing_and_runs_nothing(report: Report):
    text = page([report, report_of(TRAIN, "second")], compare([report, report_of(TRAIN, "second")]))
    seen = Seen(text)
    assert not seen.tags & {"script", "img", "link", "iframe", "a", "object", "base", "form"}
    assert not seen.attributes & {"src", "href", "onerror", "style", "action"}
    assert "url(" not in text
    assert "@import" not in text
    assert "prefers-color-scheme: dark" in text
    assert "default-src 'none'" in text
    assert "\u202e" not in text
    assert EVIL.replace("\u202e", "\\u202e") in seen.text
    assert TRAIN.splitlines()[1] in seen.text


def test_the_page_says_what_the_report_does(report: Report):
    text = Seen(page([report])).text
    assert f"{report.score:.1f}" in text
    for finding in report.findings:
        assert finding.rule in text
        assert finding.fix in text
    for name in report.signals:
        assert name.replace("_", " ") in text


def test_markdown_keeps_its_tables_and_its_readers_in_peace(report: Report):
    text = markdown([report])
    rendered = MarkdownIt("commonmark").enable("table").render(text)
    seen = Seen(rendered)
    assert "img" not in seen.tags
    assert "a" not in seen.tags
    assert "script" not in seen.tags
    rows = re.findall(r"<tr>(.*?)</tr>", rendered.split("findings</h3>")[1], re.DOTALL)
    assert len(rows) == len(report.findings) + 1
    assert all(row.count("<td") + row.count("<th>") == 5 for row in rows)
    assert "set(labels))}  # </pre><script>alert(1)</script> \\| `x`" in seen.text
    assert not re.search(r"@(everyone|me)\b", re.sub(r"`[^`]*`", "", text))


def test_what_a_source_notes_is_told():
    told = audit(Repository("a", {"t.py": b"x = 1\n"}, notes=("the archive is <cut>",), commit="0123abc"))
    assert "the archive is \\<cut\\>" in markdown([told])
    assert "at `0123abc`" in markdown([told])
    seen = Seen(page([told]))
    assert "the archive is <cut>" in seen.text
    assert "0123abc" in seen.text


def test_long_reports_fit_a_comment():
    text = markdown([report_of("".join(f"ids{n} = list(set(labels))\n" for n in range(400)))])
    assert "more." in text
    assert len(text) < 65_536


def test_a_comparison_ranks_and_shows_only_differences(report: Report):
    seeded = "import random\nrandom.seed(0)\nprint(random.random())\n"
    better = report_of(seeded)
    told = compare([report, better])
    assert [r.repository for r in told.repositories] == ["a <b>&@me", "a <b>&@me (2)"]
    assert told.repositories[0].score == better.score > report.score
    assert told.differing["seed_python"] == ("yes", "no")
    assert "has_license" not in told.differing
    text = comparison_markdown(told)
    assert "| `seed_python` | yes | no |" in text
    assert "(2)" in page([report, better], told)


def test_the_badge_is_a_picture_with_the_score(report: Report):
    root = ET.fromstring(badge(report))
    assert f"{report.score:.1f}/10" in "".join(root.itertext())
    assert report.repository not in badge(report)


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    root = tmp_path / "work"
    root.mkdir()
    (root / "train.py").write_text(TRAIN)
    return root


def test_outputs_go_to_files_together_and_one_to_standard_output(checkout: Path, capsys: pytest.CaptureFixture[str]):
    out = checkout.parent
    files = {flag: out / f"r.{flag[2:]}" for flag in ("--json", "--sarif", "--html", "--badge")}
    files["--html"].write_text("old")
    files["--html"].chmod(0o640)
    arguments = [word for flag, file in files.items() for word in (flag, str(file))]
    assert main(["--markdown", str(checkout), *arguments, "--fail-under", "9.9"]) == 1
    assert capsys.readouterr().out.startswith("## Reproducibility of `work`")
    assert json.loads(files["--json"].read_text())["repository"] == "work"
    assert json.loads(files["--sarif"].read_text())["version"] == "2.1.0"
    assert files["--html"].read_text().startswith("<!doctype html>")
    assert files["--html"].stat().st_mode & 0o777 == 0o640
    assert {p.name for p in out.iterdir()} == {"work", *(f.name for f in files.values())}
    assert main([str(checkout), "--json", str(files["--json"])]) == 0
    assert "Score by dimension" in capsys.readouterr().out


def test_a_terminal_obeys_no_file_name(checkout: Path, capsys: pytest.CaptureFixture[str]):
    (checkout / "train\x1b[2J.py").write_text(TRAIN)
    assert main([str(checkout)]) == 0
    out = capsys.readouterr().out
    assert "\x1b" not in out
    assert "\\u001b" in out


def test_a_notebooks_code_is_cited_as_code():
    cell = {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": 1}
    source = ["import torch\n", 'm = torch.nn.Linear(len("x"), 1)\n']
    text = json.dumps(
        {"cells": [{**cell, "source": source}], "nbformat": 4, "nbformat_minor": 5, "metadata": {}}, indent=1
    )
    told = audit(Repository("nb", {"a.ipynb": text.encode()}))
    assert 'm = torch.nn.Linear(len("x"), 1)' in {f.code for f in told.findings}


def test_a_comparison_is_shown_and_written(checkout: Path, capsys: pytest.CaptureFixture[str]):
    assert main([str(checkout), str(checkout), "--compare"]) == 0
    assert "work (2)" in capsys.readouterr().out
    assert main([str(checkout), str(checkout), "--compare", "--json", "-"]) == 0
    assert len(json.loads(capsys.readouterr().out)["repositories"]) == 2


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--json", "--sarif"], "standard output"),
        (["--html", "r.x", "--markdown", "./r.x"], "both go to"),
        (["--html", "none/r.html"], "there is no directory"),
        (["--compare"], "two repositories"),
        (["--fix", "--json"], "repair first"),
        (["--html="], "not a file"),
    ],
)
def test_outputs_that_cannot_be_are_one_line_and_two(
    checkout: Path, arguments: list[str], told: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(checkout.parent)
    assert main([str(checkout), *arguments]) == 2
    out = capsys.readouterr()
    assert out.out == ""
    assert out.err.startswith("error: ")
    assert told in out.err
    assert out.err.count("\n") == 1
    assert [p.name for p in checkout.parent.iterdir()] == ["work"]


def test_a_repository_taken_for_a_file_is_told(capsys: pytest.CaptureFixture[str]):
    assert main(["--json", "somebody"]) == 2
    assert "--json took 'somebody' as the file" in capsys.readouterr().err


def test_an_output_that_cannot_be_written_is_four(checkout: Path, capsys: pytest.CaptureFixture[str]):
    assert main([str(checkout), "--html", "/proc/report.html"]) == 4
    assert "cannot be written" in capsys.readouterr().err


def test_a_number_and_its_band_agree_in_every_output(report: Report, capsys: pytest.CaptureFixture[str]):
    def band(score: float) -> tuple[str, str]:
        return risk_of(score), next((word for least, word in BADGES if score >= least), "none")

    assert all(band(float(tenths(n / 100))) == band(n / 100) for n in range(1001))
    assert [tenths(score) for score in (4.44, 4.46, 4.5, 7.99, 9.96, None)] == ["4.4", "4.4", "4.5", "7.9", "10.0", "–"]
    close = report.model_copy(update={"score": 4.49, "risk": "HIGH", "badge": "none"})
    show_report(Console(), close)
    texts = [capsys.readouterr().out, badge(close), markdown([close]), Seen(page([close])).text]
    texts += [comparison_markdown(compare([close, report])), page([close, report], compare([close, report]))]
    assert all("4.4" in text and "4.5" not in text for text in texts)
