"""Finds the title of a paper among the first rows of its text."""

from collections.abc import Sequence

from reproducegym.parsing.pages.columns import Row

__all__ = ["paper_title"]

_MAX_ROWS = 5
_STAMP = 0.5


def paper_title(rows: Sequence[Row], body: float) -> tuple[str, int]:
    """The title, and how many rows from the start it ends; it is what is set largest in the upper half of page 1."""
    first = [row for row in rows[:40] if row.page == rows[0].page] if rows else []
    named = [row for row in first if sum(c.isalpha() for c in row.text) > 3]
    if not named:
        return "", 0
    largest = max(row.line.size for row in named)
    if largest < 1.1 * body:
        bold = [row for row in named[:6] if row.line.bold]
        if not bold:
            return named[0].text, rows.index(named[0]) + 1
        largest = bold[0].line.size
    start = next(i for i, row in enumerate(rows) if abs(row.line.size - largest) < 0.3 and row in named)
    own = [start]
    for i in range(start + 1, min(len(rows), start + 2 * _MAX_ROWS)):
        row, last = rows[i], rows[own[-1]]
        if row.page == last.page and row.line.size < _STAMP * largest:
            continue
        gap = row.line.base - last.line.base
        if row.page != last.page or abs(row.line.size - largest) > 0.6 or gap > 1.9 * largest or len(own) == _MAX_ROWS:
            break
        own.append(i)
    text = ""
    for row in (rows[i] for i in own):
        hyphen = text.endswith("-") and row.text[:1].islower()
        text = text[:-1] + row.text if hyphen else f"{text} {row.text}".strip()
    return text, own[-1] + 1
