"""Finds what tells the rows of a table apart where their first label does not: further columns, heads, ticks."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

__all__ = ["Part", "corners_name_parts", "headed_rows", "telling_columns", "tick_columns", "ticked_heads"]

Place = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Part:
    """The rows under one block of heads: the text above their labels, the heads of the other columns, the labels."""

    corner: str
    heads: Mapping[int, tuple[str, ...]]
    labels: frozenset[str]


_MOST = 3
_TICK = re.compile(r"[✓✔√☑]")
_CROSS = re.compile(r"[✗✘×xX–−-]")
_PLAIN_NUMBER = re.compile(r"[-–−]|[\d,]+|\d+(?:\.\d+)?[kKMB]")


def telling_columns(texts: Mapping[Place, str], rows: Sequence[Sequence[int]], first: int, last: int) -> int:
    """How many leading columns name the rows: those right behind the labels count where rows share their labels.

    `texts` holds body texts by row and column, `rows` the rows of each part of the table, `first` the number of label
    columns, `last` that of all columns. Such a column has words or plain numbers, and tells all such rows apart.
    """
    while first < min(_MOST, last - 1) and _tells_apart(texts, rows, first):
        first += 1
    return first


def _tells_apart(texts: Mapping[Place, str], rows: Sequence[Sequence[int]], column: int) -> bool:
    named: dict[tuple[object, ...], list[str]] = {}
    for part, members in enumerate(rows):
        above: list[str] = [""] * column
        for row in members:
            own = [texts.get((row, c), "") for c in range(column)]
            from_own = next((c for c, text in enumerate(own) if text), column)
            above = [text or (above[c] if c < from_own else "") for c, text in enumerate(own)]
            named.setdefault((part, *above), []).append(texts.get((row, column), ""))
    shared = [values for values in named.values() if len(values) > 1]
    if not shared or any(not all(values) or len(set(values)) < len(values) for values in shared):
        return False
    every = [value for values in named.values() for value in values]
    return all(_PLAIN_NUMBER.fullmatch(value) or value[:1].isalpha() for value in every if value)


def headed_rows(labels: Sequence[tuple[int, str]]) -> dict[int, str]:
    """For rows below a label of its own, followed by the same labels each time, that label: a base and its variants."""
    counts = Counter(text for _, text in labels)
    heads: dict[int, str] = {}
    tails: list[list[str]] = []
    head = ""
    for row, text in labels:
        if counts[text] == 1:
            head = text
            tails.append([])
        elif not tails:
            return {}
        else:
            tails[-1].append(text)
            heads[row] = head
    alike = len(tails) > 1 and tails[0] != [] and all(tail == tails[0] for tail in tails)
    return heads if alike and len(set(tails[0])) == len(tails[0]) else {}


def corners_name_parts(parts: Sequence[Part]) -> bool:
    """Whether the texts above the labels name the parts of a table: nothing else tells rows of the same name apart."""
    corners = {part.corner for part in parts}
    if len(parts) < 2 or len(corners) < len(parts) or not all(corners):
        return False
    counts = Counter(label for part in parts for label in part.labels)
    return all(part.heads == parts[0].heads for part in parts) and any(count > 1 for count in counts.values())


def tick_columns(texts: Mapping[Place, str], rows: Sequence[int], columns: int) -> int:
    """How many leading columns hold ticks, crosses and blanks only; 0 when they are fewer than two, or all."""
    count = 0
    while count < columns:
        marks = [text for row in rows if (text := texts.get((row, count), ""))]
        ticked = any(_TICK.fullmatch(mark) for mark in marks)
        if not ticked or not all(_TICK.fullmatch(mark) or _CROSS.fullmatch(mark) for mark in marks):
            break
        count += 1
    return count if 2 <= count < columns else 0


def ticked_heads(texts: Mapping[Place, str], row: int, heads: Sequence[str]) -> tuple[tuple[int, str], ...]:
    """The (column, head) of the ticks of a row; `heads` are those of the columns of ticks."""
    return tuple((c, head) for c, head in enumerate(heads) if _TICK.fullmatch(texts.get((row, c), "")) and head)
