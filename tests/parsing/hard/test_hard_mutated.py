"""A damaged file is read as far as it goes or refused in one line; the full count runs in `make soak`."""

import pytest
from mutated_papers import mutated_pdf, random_markdown

from reproducegym.errors import UnreadablePaperError
from reproducegym.parsing import MarkdownParser, PymupdfParser
from reproducegym.ports import Parser
from reproducegym.schema.paper import Source


def read_or_refused(parser: Parser, source: Source) -> None:
    try:
        parsed = parser.parse(source, "x")
    except UnreadablePaperError as error:
        assert str(error).startswith(source.origin)
        assert "\n" not in str(error)
    else:
        assert parsed.document.from_json(parsed.document.to_json()) == parsed.document


@pytest.mark.parametrize("number", (0, 4, 6, 10, 12, 16, 52))
def test_damaged_pdf(number: int) -> None:
    read_or_refused(PymupdfParser(), Source(kind="pdf", origin="paper.pdf", content=mutated_pdf(number)))


@pytest.mark.parametrize("start", range(0, 40, 10))
def test_any_markdown(start: int) -> None:
    for number in range(start, start + 10):
        source = Source(kind="markdown", origin="paper.md", content=random_markdown(number))
        read_or_refused(MarkdownParser(), source)
