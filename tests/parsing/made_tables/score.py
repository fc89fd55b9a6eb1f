"""Compares the tables that a parser reads with those that a made paper holds.

A cell is found when one of the same text is in the table; `cell_ok` when it also has the leaf of its row and of its
column path; `path_ok` when all headers, groups and labels are right. `precision` counts the read numbers that are true.
`box_ok`: the words of the page inside of the cell's box are the cell's text, and the box lies where the cell stands.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from reproducegym.schema.paper import Cell, Parsed, Table

from .truth import MadePaper, TrueCell, TrueTable

_RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺ᵃᵇ", "0123456789-+ab")
_SIGNS = re.compile(r"[†‡*§]|\^[ab]$|(?<=[\d%])[ab]$")
MEASURES = ("found", "cell_ok", "path_ok", "precision", "unc_ok", "unit_ok", "marks_ok", "box_ok", "caption", "tables")


@dataclass(frozen=True, slots=True)
class Share:
    """So many of so many."""

    good: int = 0
    of: int = 0

    def __add__(self, other: "Share") -> "Share":
        return Share(self.good + other.good, self.of + other.of)

    @property
    def percent(self) -> float:
        return 100.0 * self.good / self.of if self.of else 100.0


@dataclass(frozen=True, slots=True)
class Score:
    """Shares by measure, and a line about each miss. `tables` is the number of read tables per true one."""

    shares: dict[str, Share]
    misses: tuple[str, ...] = ()


@dataclass(slots=True)
class _Count:
    shares: dict[str, Share] = field(default_factory=lambda: dict.fromkeys(MEASURES, Share()))
    misses: list[str] = field(default_factory=list)

    def add(self, measure: str, good: bool) -> None:
        self.shares[measure] += Share(int(good), 1)


def score(paper: MadePaper, parsed: Parsed) -> Score:
    """How well a parsed paper holds what is true of it."""
    count = _Count()
    read = parsed.document.tables
    matched: set[int] = set()
    for table in paper.tables:
        named = [one for one in read if one.label == table.label]
        _caption(count, table, named)
        pairs = _pairs(table, [cell for one in named for cell in one.cells if cell.kind == "body"])
        matched |= {id(cell) for _, cell in pairs if cell is not None}
        for true, cell in pairs:
            _cell(count, paper, parsed, true, cell)
    numbers = [cell for one in read for cell in one.cells if cell.kind == "body" and any(map(str.isdigit, cell.text))]
    for cell in numbers:
        count.add("precision", id(cell) in matched)
    most = sum(table.parts for table in paper.tables)
    surplus = (
        len(read) if len(read) < len(paper.tables) else max(len(paper.tables), len(read) - most + len(paper.tables))
    )
    count.shares["tables"] = Share(surplus, len(paper.tables))
    if surplus != len(paper.tables):
        count.misses.append(f"{len(read)} tables read where there are {len(paper.tables)}: {[t.label for t in read]}")
    return Score(count.shares, tuple(count.misses))


def total(scores: Iterable[Score]) -> dict[str, Share]:
    """Shares of many papers."""
    shares = dict.fromkeys(MEASURES, Share())
    for one in scores:
        for measure, share in one.shares.items():
            shares[measure] += share
    return shares


def plain(text: str) -> str:
    """Text without spaces and typographic variants; powers and indices told by ^, so that 10⁻³ is not 10-3."""
    text = re.sub(r"[⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺]+|ᵃ|ᵇ", lambda m: "^" + m[0].translate(_RAISED), text)
    text = unicodedata.normalize("NFKC", text.replace("⋅", "·").replace("∗", "*")).casefold()
    return re.sub(
        r"[\s_{}\u00ad]|(?<!\d)\^(?=[-+]\d+\.)", "", text.replace("−", "-").replace("–", "-").replace("—", "-")
    )


def _words(text: str) -> str:
    """A label or caption; whether a hyphen at a line's end belongs to the word cannot be seen."""
    return re.sub(r"(?<=[^\W\d])-(?=[^\W\d])", "", plain(text))


def _unmarked(text: str) -> str:
    return _SIGNS.sub("", plain(text))


def _same_text(true: TrueCell, cell: Cell) -> bool:
    """The value with all that belongs to it; signs of notes may be kept or not, both bounds come in any order."""
    wanted, got = _unmarked(true.text), _unmarked(cell.text)
    if len(true.spread) == 2:
        value = plain(true.text.split(" ")[0])
        up, down = f"+{true.spread[0]}", f"-{true.spread[1]}"
        return got.replace("^", "").replace("/", "").replace(",", "") in {value + up + down, value + down + up}
    return wanted == got or plain(true.text) == plain(cell.text)


def _tail(path: Sequence[str], leaf: str) -> bool:
    """Whether the last headers of a path, joined, are the leaf."""
    return any(_words("".join(path[-k:])) == _words(leaf) for k in range(1, min(len(path), 3) + 1))


def _leaves(true: TrueCell, cell: Cell) -> bool:
    return _tail(cell.row_path, true.row_path[-1]) and _tail(cell.column_path, true.column_path[-1])


def _whole(true: TrueCell, cell: Cell) -> bool:
    """All of both paths; the title of a part may lead either of them."""
    rows, columns = _words("".join(cell.row_path)), _words("".join(cell.column_path))
    own_rows, own_columns, part = (
        _words("".join(true.row_path)),
        _words("".join(true.column_path)),
        _words(true.part or ""),
    )
    return (rows, columns) in {(own_rows, own_columns), (part + own_rows, own_columns), (own_rows, part + own_columns)}


def _pairs(table: TrueTable, cells: Sequence[Cell]) -> list[tuple[TrueCell, Cell | None]]:
    """Each true value with the read cell that fits best; no cell twice."""
    free = list(cells)
    found: dict[str, Cell] = {}
    body = [cell for cell in table.cells if cell.kind == "body"]
    fits = (
        lambda true, cell: _same_text(true, cell) and _whole(true, cell),
        lambda true, cell: _same_text(true, cell) and _leaves(true, cell),
        _same_text,
    )
    for fit in fits:
        for true in body:
            if true.id not in found and (match := next((c for c in free if fit(true, c)), None)) is not None:
                found[true.id] = match
                free.remove(match)
    return [(true, found.get(true.id)) for true in body]


def _cell(count: _Count, paper: MadePaper, parsed: Parsed, true: TrueCell, cell: Cell | None) -> None:
    numeric = true.is_number
    where = f"{' / '.join(true.row_path)} × {' / '.join(true.column_path)}: {true.text!r}"
    checks = {
        "found": cell is not None,
        "cell_ok": cell is not None and _leaves(true, cell),
        "path_ok": cell is not None and _leaves(true, cell) and _whole(true, cell),
        "unc_ok": cell is not None,
        "unit_ok": cell is not None and (cell.unit, _amount(cell)) == (true.unit, true.multiplier),
        "marks_ok": cell is not None and set(true.marks) <= set(cell.marks),
        "box_ok": cell is not None and _box_shows(paper, parsed, true, cell),
    }
    asked = {"found", "cell_ok", "path_ok"} if numeric else {"found"}
    asked |= {"unc_ok"} if true.spread else set()
    asked |= {"marks_ok"} if true.marks else set()
    states = (
        true.unit or true.multiplier or (cell is not None and "%" not in cell.text and (cell.unit or cell.multiplier))
    )
    asked |= {"unit_ok"} if states and numeric else set()
    asked |= {"box_ok"} if cell is not None else set()
    for measure in MEASURES:
        if measure in asked:
            count.add(measure, checks[measure])
    missed = [measure for measure in asked if not checks[measure]]
    if missed:
        got = f"{cell.row_path} × {cell.column_path}: {cell.text!r}" if cell is not None else "no cell"
        count.misses.append(f"{','.join(sorted(missed))}: {where} -> {got}")


def _amount(cell: Cell) -> str | None:
    return cell.multiplier


def _box_shows(paper: MadePaper, parsed: Parsed, true: TrueCell, cell: Cell) -> bool:
    """The words in the box are the cell's text; on a page that was not turned it covers the true place's middle."""
    left, top, right, bottom = cell.bbox
    words = [word for page in parsed.words if page.page == cell.page for word in page.words]
    inside = [
        word.text
        for word in words
        if left <= (word.bbox[0] + word.bbox[2]) / 2 <= right and top <= (word.bbox[1] + word.bbox[3]) / 2 <= bottom
    ]
    if sorted(signless(true.text)) != sorted(signless("".join(inside))):
        return False
    page, box = paper.places[true.id]
    size = paper.page_sizes[page - 1]
    seen = next((one for one in parsed.document.pages if one.number == cell.page), None)
    if seen is None or abs(seen.width - size[0]) > 1 or abs(seen.height - size[1]) > 1:
        return True
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    return page == cell.page and left - 1 <= x <= right + 1 and top - 1 <= y <= bottom + 1


def signless(text: str) -> str:
    return _unmarked(text).replace("^", "")


def _caption(count: _Count, table: TrueTable, named: Sequence[Table]) -> None:
    texts = [one.caption.text for one in named if one.caption is not None]
    good = any(_words(text) == _words(table.caption) for text in texts)
    count.add("caption", good)
    if not good:
        count.misses.append(f"caption {table.caption!r} -> {texts}")
