"""What a README shows: tables of numbers, links, code."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

__all__ = ["Link", "Row", "links_of", "number_rows"]

_LINK = re.compile(
    r"""\[(?P<text>(?:[^\[\]]|\[[^\]]*\]|!\[[^\]]*\]\([^)]*\))*)\]\((?P<url>[^)\s]+)[^)]*\)|href=["'](?P<href>[^"']+)["'][^>]*>(?P<anchor>.{0,80})"""
)
_BARE = re.compile(r"(?<![\(\"'=\[<])https?://[^\s)>\]\"']+")
_NUMBER = re.compile(r"^[~<>≈]?[-+−]?\d{1,6}(?:[.,]\d+)?\s*(?:%|\\%|±.*|\+/-.*|\(.*\)|\+-.*|[BMKkx]|ms|s|h|GB)?$")
_TAGS = re.compile(r"<[^>]+>|\*+|`|\$|\\textbf\{|\\mathbf\{|\}")


@dataclass(frozen=True, slots=True)
class Link:
    """A link, its words and where it stands."""

    line: int
    text: str
    url: str
    around: str


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a table that holds results: numbers beside a name."""

    line: int
    numbers: int


def links_of(text: str) -> Iterator[Link]:
    """All links of a document: Markdown, HTML and bare ones."""
    lines = text.splitlines()
    for number, line in enumerate(lines, 1):
        around = " ".join(lines[max(0, number - 3) : number + 1])
        for found in _LINK.finditer(line):
            yield Link(number, found["text"] or found["anchor"] or "", found["url"] or found["href"] or "", around)
        for found in _BARE.finditer(line):
            yield Link(number, "", found.group(), around)


def number_rows(text: str) -> list[Row]:
    """Rows of Markdown and HTML tables with results: decimals or per cents in their cells."""
    return [*_markdown_rows(text), *_html_rows(text)]


def _cells(line: str) -> list[str]:
    return [_TAGS.sub("", c).strip() for c in line.strip().strip("|").split("|")]


def _results(cells: list[str]) -> int:
    numbers = [c for c in cells if _NUMBER.match(c) or re.search(r"(?<![\w.])\d+[.,]\d+\s*(?:%|±)", c)]
    return len(numbers) if any(re.search(r"\d[.,]\d|%|±", c) for c in numbers) else 0


def _markdown_rows(text: str) -> Iterator[Row]:
    lines = text.splitlines()
    inside = False
    for number, line in enumerate(lines, 1):
        if re.match(r"^\s*\|?\s*:?-{2,}:?\s*(\|\s*:?-{2,}:?\s*)*\|?\s*$", line) and "|" in (
            lines[number - 2] if number > 1 else ""
        ):
            inside = True
            continue
        if inside and "|" not in line:
            inside = False
        if inside and (count := _results(_cells(line))):
            yield Row(number, count)


def _html_rows(text: str) -> Iterator[Row]:
    for row in re.finditer(r"<tr\b.*?(?=<tr\b|</table>|\Z)", text, re.DOTALL | re.IGNORECASE):
        cells = [
            _TAGS.sub("", c).strip() for c in re.findall(r"<td\b[^>]*>(.*?)(?=</?t[dr]\b|\Z)", row.group(), re.DOTALL)
        ]
        if count := _results(cells):
            yield Row(text.count("\n", 0, row.start()) + 1, count)
            if count > 1:
                yield Row(text.count("\n", 0, row.start()) + 2, count)
