"""Reads the column specification of a LaTeX table: how many columns, their marks, what is printed between them."""

import re
from dataclasses import dataclass, replace

from reproducegym.schema.paper import Mark

__all__ = ["Column", "columns_of"]

_MAX_COLUMNS = 200
_BOLD = re.compile(r"\\(?:bfseries|bf|boldmath|textbf)(?![A-Za-z])")
_ITALIC = re.compile(r"\\(?:itshape|it|em|textit)(?![A-Za-z])")
_INVISIBLE = re.compile(
    r"\\(?:extracolsep|hspace|hskip|vline|vrule|kern)\*?(?:\{(?:[^{}]|\{[^{}]*\})*\})?|\\[,;:! ]|\\[A-Za-z]+width"
    r"|\\(?:quad|qquad|fill|enspace|thinspace)(?![A-Za-z])|[{}$~\s]|-?[\d.]+(?:pt|em|ex|cm|mm|in)"
)


@dataclass(frozen=True, slots=True)
class Column:
    """A column. `joint` is the source of what is printed between it and the next one, such as `$\\pm$`."""

    marks: frozenset[Mark] = frozenset()
    joint: str = ""


def columns_of(specification: str) -> tuple[Column, ...]:
    """The columns of `l@{ $\\pm$ }r*{3}{c}`; at most 200."""
    columns: list[Column] = []
    marks: frozenset[Mark] = frozenset()
    position = 0
    while position < len(specification) and len(columns) < _MAX_COLUMNS:
        char = specification[position]
        position += 1
        if char == "*":
            count, position = _group(specification, position)
            repeated, position = _group(specification, position)
            times = int(count) if re.fullmatch(r"\s*\d{1,3}\s*", count) else 1
            inner = columns_of(repeated)
            for _ in range(min(times, _MAX_COLUMNS)):
                columns += inner[: _MAX_COLUMNS - len(columns)]
        elif char == ">":
            before, position = _group(specification, position)
            bold: frozenset[Mark] = frozenset({"bold"}) if _BOLD.search(before) else frozenset()
            italic: frozenset[Mark] = frozenset({"italic"}) if _ITALIC.search(before) else frozenset()
            marks = bold | italic
        elif char in "@!<":
            between, position = _group(specification, position)
            visible = _INVISIBLE.sub("", between)
            if visible and columns and char != "<":
                columns[-1] = replace(columns[-1], joint=between)
        elif char.isalpha():
            columns.append(Column(marks))
            marks = frozenset()
            while position < len(specification) and specification[position] in "{[":
                _, position = _group(specification, position)
    return tuple(columns)


def _group(text: str, position: int) -> tuple[str, int]:
    """The inside of the group that comes next, and where it ends; one character where there is none."""
    while position < len(text) and text[position].isspace():
        position += 1
    if position >= len(text):
        return "", position
    opening = text[position]
    if opening not in "{[":
        return opening, position + 1
    closing = "}" if opening == "{" else "]"
    depth = 0
    for end in range(position + 1, len(text)):
        if text[end] == closing and depth == 0:
            return text[position + 1 : end], end + 1
        depth += (text[end] == "{") - (text[end] == "}")
    return text[position + 1 :], len(text)
