"""A page that kills, stalls or bloats its reader is left out; the program lives and says which page it was."""

import mmap
import os
import signal
import time
from collections.abc import Callable
from typing import Literal

import pytest

from reproducegym.errors import UnreadablePaperError
from reproducegym.parsing import parser_for
from reproducegym.parsing.bounded import BoundedParser
from reproducegym.parsing.guard import Limits, Progress, read_in_child
from reproducegym.parsing.latex.parser import LatexParser
from reproducegym.parsing.latex.reconcile import reconciled
from reproducegym.parsing.markdown.parser import MarkdownParser
from reproducegym.ports import Parser
from reproducegym.schema.paper import Source

QUICK = Limits(page_s=0.3, whole_s=0.3, total_s=20, memory=2 * 1024**3, lost_pages=2)


def stalls() -> None:
    while True:
        pass


def crashes() -> None:
    os.kill(os.getpid(), signal.SIGSEGV)


def pages_read(bad: dict[int, Callable[[], None]], progress: Progress) -> tuple[list[int], dict[int, str]]:
    done = []
    for number in range(1, 6):
        if number not in progress.lost:
            progress.at_page(number)
            if number in bad:
                bad[number]()
            done.append(number)
    progress.at_whole()
    if 0 in bad:
        bad[0]()
    return done, dict(progress.lost)


def test_a_page_that_crashes_and_a_page_that_stalls_are_left_out() -> None:
    done, lost = read_in_child(lambda progress: pages_read({2: crashes, 4: stalls}, progress), "p.pdf", QUICK)
    assert done == [1, 3, 5]
    assert "SIGSEGV" in lost[2]
    assert lost[4] == "took longer than 0.3 s"


@pytest.mark.parametrize(
    ("bad", "words"),
    [
        ({1: crashes, 2: crashes, 3: crashes}, "p.pdf cannot be read: page 3 crashed what reads it"),
        ({0: stalls}, "p.pdf cannot be read: it took longer than 0.3 s"),
        ({0: crashes}, "p.pdf cannot be read: it crashed what reads it"),
    ],
)
def test_too_many_bad_pages_or_a_bad_whole_are_refused_in_one_line(
    bad: dict[int, Callable[[], None]], words: str
) -> None:
    with pytest.raises(UnreadablePaperError) as caught:
        read_in_child(lambda progress: pages_read(bad, progress), "p.pdf", QUICK)
    assert str(caught.value).startswith(words)
    assert "\n" not in str(caught.value)


def test_a_reader_that_sleeps_is_stopped() -> None:
    began = time.monotonic()
    with pytest.raises(UnreadablePaperError, match="took longer than 1 s"):
        read_in_child(lambda _: time.sleep(60), "p.pdf", Limits(total_s=1))
    assert time.monotonic() - began < 10


def test_what_the_calling_program_holds_is_not_the_readers() -> None:
    with mmap.mmap(-1, 3 * 1024**3, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS):
        assert read_in_child(lambda _: len(bytearray(100 * 1024**2)), "p.pdf", QUICK) == 100 * 1024**2
        with pytest.raises(UnreadablePaperError, match=r"needs more than 0\.5 GiB of memory"):
            read_in_child(lambda _: bytearray(700 * 1024**2), "p.pdf", Limits(memory=512 * 1024**2))


def test_no_reader_gets_more_memory_than_the_limit() -> None:
    with pytest.raises(UnreadablePaperError, match=r"needs more than 0\.5 GiB of memory"):
        read_in_child(lambda _: bytearray(700 * 1024**2), "p.pdf", Limits(memory=512 * 1024**2))


def test_what_the_reader_raises_is_raised_with_its_place() -> None:
    with pytest.raises(KeyError, match="door") as caught:
        read_in_child(lambda _: {}["door"], "p.pdf", QUICK)
    assert "test_hard_guard.py" in str(caught.value.__cause__)


@pytest.mark.parametrize(
    ("kind", "parser", "content"),
    [("markdown", MarkdownParser(), b"# T\n\nText.\n"), ("latex", LatexParser(), b"\\section{T} Text.")],
)
def test_written_sources_are_held_to_the_limits_too(
    kind: Literal["markdown", "latex"], parser: Parser, content: bytes
) -> None:
    source = Source(kind=kind, origin="p.txt", content=content)
    assert isinstance(parser_for(source), BoundedParser)
    assert parser_for(source).parse(source, "p") == parser.parse(source, "p")
    with pytest.raises(UnreadablePaperError, match=r"p\.txt cannot be read: it took longer than 0 s; give the paper's"):
        BoundedParser(parser, Limits(total_s=0)).parse(source, "p")


def test_a_latex_source_that_breaks_the_limits_costs_the_pdf_nothing() -> None:
    text = Source(kind="markdown", origin="p.pdf", content=b"# T\n\nText.\n")
    read = MarkdownParser().parse(text, "p")
    tex = b"\\documentclass{article}\\begin{document}Text.\\end{document}"
    both = text.model_copy(update={"beside": {"latex/main.tex": tex}})
    got = reconciled(read, both, Limits(total_s=0))
    assert got.document.paragraphs == read.document.paragraphs
    (warning,) = got.document.warnings
    assert "LaTeX source cannot be read (p.pdf cannot be read: it took longer than 0 s" in warning
    assert warning.endswith("tables are read from the PDF alone")


class NotForPipesError(Exception):
    """An error that cannot be sent: it holds something of its process."""

    def __init__(self, said: str) -> None:
        super().__init__(said)
        self.held = lambda: said


def test_an_error_that_cannot_be_sent_is_told_in_its_words(capfd: pytest.CaptureFixture[str]) -> None:
    def fails(_: Progress) -> None:
        raise NotForPipesError("no room for the page")

    with pytest.raises(RuntimeError, match="NotForPipesError: no room for the page"):
        read_in_child(fails, "p.pdf", QUICK)
    assert capfd.readouterr().err == ""
