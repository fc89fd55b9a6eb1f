"""500 damaged PDFs and 500 random Markdown files: none crashes the reader, none holds it up for more than a minute."""

import resource
import time
from collections.abc import Callable

import pytest
from mutated_papers import mutated_pdf, random_markdown

from reproducegym.errors import UnreadablePaperError
from reproducegym.parsing import MarkdownParser, PymupdfParser
from reproducegym.ports import Parser
from reproducegym.schema.paper import Source

pytestmark = pytest.mark.soak

FILES = 500
SLOWEST_S = 60
LARGEST_MIB = 2048
CASES = {
    "pdf": (PymupdfParser(), mutated_pdf),
    "markdown": (MarkdownParser(), random_markdown),
}


@pytest.mark.parametrize("kind", sorted(CASES))
def test_no_damaged_file_crashes_or_holds_up_the_reader(kind: str, record_property):
    parser, made = CASES[kind]
    refused, slowest = 0, 0.0
    for number in range(FILES):
        seconds, was_refused = timed(parser, made, kind, number)
        assert seconds < SLOWEST_S, f"{kind} number {number} took {seconds:.0f} s"
        refused += was_refused
        slowest = max(slowest, seconds)
    largest = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    record_property("files", FILES)
    record_property("refused", refused)
    record_property("slowest_s", f"{slowest:.1f}")
    record_property("largest_child_mib", f"{largest:.0f}")
    assert largest < LARGEST_MIB


def timed(parser: Parser, made: Callable[[int], bytes], kind: str, number: int) -> tuple[float, bool]:
    source = Source.model_validate({"kind": kind, "origin": f"number {number}", "content": made(number)})
    began = time.perf_counter()
    try:
        parser.parse(source, "x")
    except UnreadablePaperError as error:
        assert "\n" not in str(error)
        return time.perf_counter() - began, True
    return time.perf_counter() - began, False
