"""What is true of the tables of a made paper: labels, captions, and cells with paths, spreads, units and boxes."""

from dataclasses import dataclass
from typing import Literal

from reproducegym.schema.base import BBox
from reproducegym.schema.paper import Mark

Kind = Literal["header", "stub", "group", "body"]


@dataclass(frozen=True, slots=True)
class TrueCell:
    """One printed cell. `spread` holds the parts of its uncertainty as printed, without sign of plus-minus.

    `unit` and `multiplier` are what header or caption say; `part` is the title of the part of the table it stands in.
    """

    id: str
    kind: Kind
    text: str
    row_path: tuple[str, ...] = ()
    column_path: tuple[str, ...] = ()
    spread: tuple[str, ...] = ()
    unit: str | None = None
    multiplier: str | None = None
    marks: tuple[Mark, ...] = ()
    part: str | None = None

    @property
    def is_number(self) -> bool:
        return self.kind == "body" and any(c.isdigit() for c in self.text)


@dataclass(frozen=True, slots=True)
class TrueTable:
    """One numbered table; a table of several parts under one caption is one table."""

    label: str
    caption: str
    parts: int
    cells: tuple[TrueCell, ...]


@dataclass(frozen=True, slots=True)
class MadePaper:
    """A paper, what it is meant to show, its tables, and where each cell stands: page and box in points by cell id."""

    index: int
    traits: tuple[str, ...]
    pdf: bytes
    tables: tuple[TrueTable, ...]
    places: dict[str, tuple[int, BBox]]
    page_sizes: tuple[tuple[float, float], ...]
