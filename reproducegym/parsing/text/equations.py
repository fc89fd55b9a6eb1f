"""Finds displayed equations among the rows of a paper and spells them in the order in which they are read."""

import itertools
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from reproducegym.parsing.boxes import rounded, union
from reproducegym.parsing.pages.columns import Row
from reproducegym.parsing.pages.page_text import Line, Piece, split_line
from reproducegym.parsing.text.mathematics import is_mathematical
from reproducegym.schema.paper import Equation, Place

__all__ = ["EquationRows", "equation_at", "equation_of"]

_RELATION = re.compile(r"[=<>≤≥≈≡≠≜≔∈∉⊂⊆∝∼~→←↦⇒⇔≪≫⪯⪰≺≻∂∇∑∏∫√⟨⟩∥‖]|:=")
_FUNCTIONS = frozenset(
    [
        *(
            "max",
            "min",
            "exp",
            "log",
            "sin",
            "cos",
            "tan",
            "tanh",
            "clip",
            "softmax",
            "sigmoid",
            "arg",
            "argmax",
            "argmin",
        ),
        *(
            "var",
            "cov",
            "std",
            "mean",
            "sup",
            "inf",
            "lim",
            "det",
            "tr",
            "diag",
            "rank",
            "sgn",
            "sign",
            "mod",
            "otherwise",
        ),
        *("if", "for", "and", "where", "with", "subject", "s.t", "the", "relu", "concat", "attention", "head", "else"),
    ]
)
_LABEL = re.compile(r"\((?P<label>[A-Z]?\.?\d{1,3}(?:\.\d{1,3})*[a-z]?)\)")
_ENUMERATED = re.compile(r"(?:\d{1,3}[:.)]|[•◦▪‣●■–—*·➢]|\([a-z0-9]{1,3}\))\s")
_JOINED = 0.95
_APART = 2.3


@dataclass(frozen=True, slots=True)
class EquationRows:
    """How many rows a displayed equation takes, and its printed number."""

    count: int
    label: str | None


def equation_at(rows: Sequence[Row], start: int, body: float) -> EquationRows | None:
    """The displayed equation that begins at a row, or None where text goes on."""
    end = start
    while end < len(rows) and _is_part(rows, start, end, body):
        end += 1
    numbered = [i for i in range(start, end) if _label(rows[i]) is not None]
    if len(numbered) > 1:
        between = range(numbered[0] + 1, numbered[1] + 1)
        end = max(between, key=lambda i: (rows[i].line.base - rows[i - 1].line.base, -i))
    own = rows[start:end]
    if not any(_is_seed(row, body) for row in own):
        return None
    return EquationRows(end - start, _label(rows[numbered[0]]) if numbered else None)


def equation_of(name: str, rows: Sequence[Row], label: str | None) -> Equation:
    """The equation of some rows: fractions and limits are read where they stand, each line from left to right."""
    text = " ".join(_spelled(line) for line in _lines(rows))
    if label is not None:
        text = text.replace(f"({label})", "", 1) if text.startswith(f"({label})") else _without_last(text, f"({label})")
    box = rounded(union(row.line.box for row in rows))
    return Equation(id=name, label=label, text=" ".join(text.split()), place=Place(page=rows[0].page, bbox=box))


def _lines(rows: Sequence[Row]) -> list[list[Row]]:
    """The lines of an equation: rows that hold a relation, each with the fractions and limits nearest to it."""
    largest = max(row.line.size for row in rows)
    full = [row for row in rows if row.line.size > 0.85 * largest]
    main = [row for row in full if _RELATION.search(row.text)] or [max(full, key=lambda r: (len(r.text), -r.line.base))]
    bases: list[float] = []
    for base in sorted(row.line.base for row in main):
        if not bases or base - bases[-1] > _JOINED * largest:
            bases.append(base)
    lines: list[list[Row]] = [[] for _ in bases]
    for row in sorted(rows, key=lambda row: row.line.base):
        lines[min(range(len(bases)), key=lambda k: (abs(bases[k] - row.line.base), k))].append(row)
    return lines


def _without_last(text: str, part: str) -> str:
    head, found, tail = text.rpartition(part)
    return head + tail if found else text


def _spelled(rows: Sequence[Row]) -> str:
    """One line of an equation: its unbroken runs by where they begin, upper before lower."""
    runs = [run for row in rows for run in split_line(row.line.pieces, 0.6)]
    ordered = sorted(runs, key=lambda run: (round(run.box[0] / 3), run.base))
    return " ".join(shown for run in ordered if (shown := _shown(run)))


def _shown(run: Line) -> str:
    """The text of a run without glyphs that have no character, as parts of tall brackets have none."""
    return "".join(c for c in run.text if unicodedata.category(c) != "Co" and c != "\ufffd").strip()


def _is_part(rows: Sequence[Row], start: int, i: int, body: float) -> bool:
    """Whether a row is part of the equation that begins at `start`."""
    row = rows[i]
    if row.column == 3 or _ENUMERATED.match(row.text):
        return False
    if i > start:
        last = rows[i - 1]
        step = row.line.base - last.line.base
        if row.page != last.page or row.column != last.column or not -1.0 < step < _APART * body:
            return False
        if _label(last) is not None and step > _JOINED * body and not (_label(row) or _is_seed(row, body)):
            return False
    return _is_seed(row, body) or (_is_fragment(row) and _is_inset(row, body))


def _is_seed(row: Row, body: float) -> bool:
    """A row that can only be an equation: set in from the column's edge, or numbered, and mathematics."""
    if _ENUMERATED.match(row.text):
        return False
    pieces = _unnumbered(row)
    text = " ".join(piece.text for piece in pieces)
    if not _RELATION.search(text) or len(text) < 3:
        return False
    numbered = _label(row) is not None
    prose = _prose(pieces) / sum(len(piece.text) for piece in pieces)
    return (numbered or _is_inset(row, body)) and prose < (0.35 if numbered else 0.2) and _is_mathematics(pieces)


def _is_fragment(row: Row) -> bool:
    """A numerator, a limit, a bracket or a number of an equation: no words of prose."""
    return _prose(_unnumbered(row)) == 0 and len(row.text) < 60


def _is_inset(row: Row, body: float) -> bool:
    pieces = _unnumbered(row) or row.line.pieces
    left, right = pieces[0].box[0], pieces[-1].box[2]
    wide = row.right - row.left
    set_in = left - row.left > 1.2 * body and row.right - right > 0.6 * body
    return set_in or (left - row.left > 0.08 * wide) or (_label(row) is not None and left >= row.left - 2)


def _unnumbered(row: Row) -> tuple[Piece, ...]:
    """The pieces of a row without the equation's number at its side."""
    if _label(row) is None:
        return row.line.pieces
    pieces = row.line.pieces
    return pieces[:-1] if _LABEL.fullmatch(pieces[-1].text) else pieces[1:]


def _label(row: Row) -> str | None:
    """The number in brackets at a row's right (or left) end, apart from what stands before it."""
    pieces = row.line.pieces
    last = _LABEL.fullmatch(pieces[-1].text)
    size = row.line.size
    if last is not None and row.right - pieces[-1].box[2] < 2.5 * size:
        alone = len(pieces) == 1 or pieces[-1].box[0] - pieces[-2].box[2] > 0.8 * size
        return last["label"] if alone else None
    first = _LABEL.fullmatch(pieces[0].text)
    if first is not None and pieces[0].box[0] - row.left < 2 * size and len(pieces) > 1:
        return first["label"] if pieces[1].box[0] - pieces[0].box[2] > 1.5 * size else None
    return None


def _prose(pieces: Sequence[Piece]) -> int:
    """How many characters stand in words of prose."""
    count = 0
    for piece in pieces:
        if is_mathematical(piece) or piece.raised:
            continue
        for word in re.findall(r"[^\W\d_]{3,}", piece.text):
            if word.lower() not in _FUNCTIONS and not _is_name(piece, word):
                count += len(word)
    return count


def _is_name(piece: Piece, word: str) -> bool:
    """Whether a word is glued to brackets, indices or operators, as names of functions and quantities are."""
    return (
        piece.text != word and re.search(rf"{re.escape(word)}[(\[_=|]|[_=|(]{re.escape(word)}", piece.text) is not None
    )


def _is_mathematics(pieces: Sequence[Piece]) -> bool:
    """Whether letters are those of formulas: in a mathematical font, italic, Greek, raised or single."""
    lettered = [piece for piece in pieces if any(c.isalpha() for c in piece.text)]
    if not lettered:
        return any(_RELATION.search(piece.text) for piece in pieces)
    formal = sum(
        bool(is_mathematical(piece) or piece.raised or piece.italic or len(piece.text) == 1)
        or any("\u0370" <= c <= "\u03ff" for c in piece.text)
        for piece in lettered
    )
    gaps = [right.box[0] - left.box[2] for left, right in itertools.pairwise(pieces)]
    return formal >= 0.4 * len(lettered) or (bool(gaps) and formal > 0 and len(lettered) < 4)
