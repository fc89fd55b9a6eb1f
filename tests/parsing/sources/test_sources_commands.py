"""`parse` takes a paper from wherever it is, names what could not be had, and fails in one line."""

import gzip
import hashlib
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import pytest
from misbehaving_site import Site, running_site, send, status
from sample_paper import SAMPLE

from reproducegym.cli.commands import start
from reproducegym.cli.gather import Named, gather, paper_name
from reproducegym.cli.voice import guarded
from reproducegym.errors import MisuseError, SourceUnreachableError, UnreadablePaperError
from reproducegym.parsing.markdown.parser import MarkdownParser
from reproducegym.pipeline.parse import parse, source_digest
from reproducegym.pipeline.store import PaperStore
from reproducegym.schema.paper import Source

TEX = b"""\\documentclass{article}\\title{On Counting}\\begin{document}\\maketitle
\\section{Results} Table~\\ref{t} shows that Ours counts best. It was run 5 times.
\\begin{table}\\caption{Accuracy.}\\label{t}\\begin{tabular}{lc}
Method & A \\\\ \\hline Base & 1.5 \\\\ Ours & 2.5 \\\\ \\end{tabular}\\end{table}\\end{document}
"""
PAPER = (SAMPLE / "paper.pdf").read_bytes()


@pytest.fixture
def site(monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    with running_site() as running:
        monkeypatch.setenv("REPRODUCEGYM_ARXIV_BASE", running.base)
        yield running


@dataclass(frozen=True)
class Done:
    """How a command ended, and what it said."""

    code: int
    stdout: str
    stderr: str

    def error(self) -> str:
        """The one line of a failure, which is all that was said."""
        (line,) = self.stderr.splitlines()
        assert self.stdout == ""
        return line.removeprefix("error: ")


Call = Callable[..., Done]


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str]) -> Call:
    """Runs the program's command in this process, which is many times as quick as in one of its own."""

    def run(*argv: str | Path) -> Done:
        words = [str(word) for word in argv]
        code = guarded(lambda: start(None, words, "reproducegym"), as_json="--json" in words)
        return Done(code, *capsys.readouterr())

    return run


def test_an_arxiv_paper_comes_by_its_link_with_version_and_source(tmp_path: Path, site: Site, call: Call) -> None:
    site.on("/pdf/2503.20783v2", status(503, Retry_After="0"), send(PAPER))
    site.on("/e-print/2503.20783v2", send(gzip.compress(b"no TeX"), "application/gzip"))
    done = call("parse", "--url", f"{site.base}/abs/2503.20783v2", "--out", tmp_path, "--json")
    assert done.code == 0, done.stderr
    told = json.loads(done.stdout)
    assert (told["paper_id"], told["parser"], told["tables"]) == ("2503.20783v2", "pymupdf", 2)
    assert told["warnings"][0].startswith("the LaTeX source of arXiv:2503.20783v2 was not read: ")
    assert "answered 503" in done.stderr
    record = json.loads((tmp_path / "2503.20783v2" / "00-parse" / "parse.json").read_text())
    assert record["origin"] == "arXiv:2503.20783v2"
    assert record["warnings"] == told["warnings"]


def test_each_option_gathers_its_kind_of_source(tmp_path: Path, site: Site) -> None:
    site.on("/pdf/cs/0112017v1", send(PAPER))
    site.on("/e-print/cs/0112017v1", send(gzip.compress(TEX), "application/gzip"))
    site.on("/p.pdf", send(PAPER))
    (tmp_path / "a.tex").write_bytes(TEX)
    (tmp_path / "a.md").write_text("# T\n\n![a](a.png)\n", encoding="utf-8")
    for option, value, kind, beside, warnings in (
        ("--pdf", SAMPLE / "paper.pdf", "pdf", [], 0),
        ("--md", tmp_path / "a.md", "markdown", [], 1),
        ("--latex", tmp_path / "a.tex", "latex", ["a.tex"], 0),
        ("--url", f"{site.base}/p.pdf", "pdf", [], 0),
        ("--arxiv", "cs/0112017v1", "pdf", ["latex/main.tex"], 0),
    ):
        got = gather(Named(option, str(value)))
        assert (got.source.kind, list(got.source.beside), len(got.warnings)) == (kind, beside, warnings)


@pytest.mark.parametrize(
    ("option", "value", "name"),
    [
        ("--pdf", "here/some-paper/paper.pdf", "some-paper"),
        ("--pdf", "My Paper.PDF", "my-paper"),
        ("--latex", "2503.20783v2.tar.gz", "2503.20783v2"),
        ("--latex", "On Counting", "on-counting"),
        ("--url", "https://host/dir/Paper_1.pdf?x=1#page=2", "paper-1"),
        ("--arxiv", "arXiv:2503.20783v2", "2503.20783v2"),
        ("--arxiv", "https://arxiv.org/abs/2503.20783v2", "2503.20783v2"),
        ("--arxiv", "cs/0112017", "0112017"),
    ],
)
def test_a_paper_is_named_after_its_source(option: str, value: str, name: str) -> None:
    assert paper_name(Named(option, value)) == name


def test_a_wrong_call_names_what_fits(tmp_path: Path, call: Call) -> None:
    with pytest.raises(MisuseError, match=r"give one of --pdf, --md, --url; given: none"):
        Named.of({"--pdf": None, "--md": None, "--url": None})
    with pytest.raises(MisuseError, match=r"given: --md, --url"):
        Named.of({"--pdf": None, "--md": Path("a"), "--url": "b"})
    (tmp_path / "p.md").write_text("# T\n", encoding="utf-8")
    done = call("parse", "--md", tmp_path / "p.md", "--parser", "pymupdf", "--out", tmp_path / "runs")
    assert done.code == 2
    assert "p.md is Markdown; use --parser auto or markdown" in done.error()
    assert not (tmp_path / "runs").exists()


def test_what_cannot_be_fetched_or_unpacked_has_its_exit_code(tmp_path: Path, site: Site, call: Call) -> None:
    done = call("parse", "--url", f"{site.base}/gone.pdf", "--out", tmp_path / "runs")
    assert done.code == SourceUnreachableError.exit_code == 10
    assert "answered 404" in done.error()
    (tmp_path / "cut.tar.gz").write_bytes(gzip.compress(TEX)[:-9])
    done = call("parse", "--latex", tmp_path / "cut.tar.gz", "--out", tmp_path / "runs")
    assert done.code == UnreadablePaperError.exit_code == 3
    assert "truncated" in done.error()
    assert not (tmp_path / "runs").exists()


def test_an_overlay_is_of_the_paper_as_it_was_read_last(tmp_path: Path, call: Call) -> None:
    parse_sample = ("parse", "--pdf", SAMPLE / "paper.pdf", "--out", tmp_path, "--paper-id", "p")
    assert call(*parse_sample, "--overlay").code == 0
    assert sorted(one.name for one in (tmp_path / "p" / "overlay").iterdir()) == ["page-002.png", "page-003.png"]
    assert call(*parse_sample).code == 0
    assert sorted(one.name for one in (tmp_path / "p").iterdir()) == ["00-parse", "timings.jsonl"]


def test_an_overlay_of_text_is_refused_before_anything_is_read(tmp_path: Path, call: Call) -> None:
    (tmp_path / "p.md").write_text("# T\n\nText.\n", encoding="utf-8")
    done = call("parse", "--md", tmp_path / "p.md", "--overlay", "--out", tmp_path / "runs")
    assert (done.code, (tmp_path / "runs").exists()) == (2, False)
    assert done.error() == "--overlay draws on the pages of a PDF, and p.md is none; leave it out"


def test_the_digest_is_over_all_files_of_a_paper() -> None:
    lone = Source(kind="markdown", origin="p.md", content=b"# T\n")
    one, other, renamed = (lone.model_copy(update={"beside": b}) for b in ({"a": b"1"}, {"a": b"2"}, {"b": b"1"}))
    assert source_digest(lone) == hashlib.sha256(lone.content).hexdigest()
    assert len({source_digest(source) for source in (lone, one, other, renamed)}) == 4


def test_another_paper_never_takes_the_place_of_one_but_a_version_of_arxiv_stays_itself(tmp_path: Path) -> None:
    store = PaperStore(tmp_path, "p")
    paper = Source(kind="markdown", origin="arXiv:2503.20783v2", content=b"# T\n\nText.\n")
    with_source = paper.model_copy(update={"beside": {"latex/main.tex": TEX}})
    parse(store, MarkdownParser(), paper, warnings=("the LaTeX source was not read",))
    assert store.parse_record().warnings[0] == "the LaTeX source was not read"
    parse(store, MarkdownParser(), with_source)
    assert store.parse_record().sha256 == source_digest(with_source)
    with pytest.raises(MisuseError, match="already holds another paper"):
        parse(store, MarkdownParser(), paper.model_copy(update={"origin": "arXiv:2503.20783v3", "content": b"# U\n"}))


def test_marker_is_told_by_doctor(call: Call) -> None:
    told = json.loads(call("doctor", "--json").stdout)
    (marker,) = [one for one in told["findings"] if one["name"] == "marker"]
    try:
        assert marker["found"] == f"marker-pdf {version('marker-pdf')}"
    except PackageNotFoundError:
        assert marker["found"] == "not installed; install it with: pip install 'reproducegym[marker]'"
