"""Counts cells of gold tables that were read right: the value alone in its row and column, and with its whole path.

A gold file holds `tables[]` with `page` and `cells[]` of `row_path`, `column_path`, `value_string` and `bbox`.
"""

import json
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.timing import Row
from reproducegym.schema.paper import Cell, Document

__all__ = ["Score", "score_tables"]


@dataclass(frozen=True, slots=True)
class Score:
    """Gold cells, those read right, those with the whole path; numbers that we give, those of them that are right."""

    cells: int = 0
    cell_ok: int = 0
    path_ok: int = 0
    given: int = 0
    given_ok: int = 0

    def __add__(self, other: "Score") -> "Score":
        return Score(
            self.cells + other.cells,
            self.cell_ok + other.cell_ok,
            self.path_ok + other.path_ok,
            self.given + other.given,
            self.given_ok + other.given_ok,
        )

    def rows(self) -> list[Row]:
        """Lines of the page; none where no gold table was scored."""
        if not self.cells:
            return []
        of = f"of {self.cells} gold cells, names to the letter"
        return [
            Row(f"value in its row and column, {of}", f"{100 * self.cell_ok / self.cells:.1f}%", "–", "–"),
            Row(f"value with its whole path, {of}", f"{100 * self.path_ok / self.cells:.1f}%", "–", "–"),
            Row(
                f"precision: of {self.given} numbers given in those tables",
                f"{100 * self.given_ok / max(1, self.given):.1f}%",
                "–",
                "–",
            ),
        ]


def score_tables(document: Document, gold: bytes) -> Score:
    """Compare the cells of a document with the gold cells that stand at their places."""
    wanted = [(table["page"], cell) for table in json.loads(gold)["tables"] for cell in table["cells"] if cell["bbox"]]
    given = [
        cell
        for table in document.tables
        if any(_holds(cell, wanted) for cell in table.cells)
        for cell in table.cells
        if cell.kind == "body" and re.search(r"\d", cell.text)
    ]
    pairs = [(one, _at(given, page, one["bbox"])) for page, one in wanted]
    right = [
        (one, cell)
        for one, cell in pairs
        if cell is not None and _plain(one["value_string"]) == _plain(cell.text) and _leaves(one, cell)
    ]
    paths = [one for one, cell in right if _paths(one, cell)]
    return Score(len(wanted), len(right), len(paths), len(given), len({id(cell) for _, cell in right}))


def _holds(cell: Cell, wanted: Sequence[tuple[int, dict[str, list[float]]]]) -> bool:
    return any(_at([cell], page, one["bbox"]) is not None for page, one in wanted)


def _at(cells: Sequence[Cell], page: int, box: list[float]) -> Cell | None:
    """The body cell that holds the middle of a box."""
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    for cell in cells:
        x0, y0, x1, y1 = cell.bbox
        if cell.kind == "body" and cell.page == page and x0 - 1 <= x <= x1 + 1 and y0 - 1 <= y <= y1 + 1:
            return cell
    return None


def _plain(text: str) -> str:
    """Letters, digits and signs that matter, however they are spelled."""
    text = unicodedata.normalize("NFKC", text).replace("−", "-").replace("–", "-")
    return re.sub(r"[^\w.+\-±%]", "", text).casefold()


def _leaves(one: dict[str, list[str]], cell: Cell) -> bool:
    rows, columns = [_plain(name) for name in cell.row_path], [_plain(name) for name in cell.column_path]
    row = not one["row_path"] or _plain(one["row_path"][-1]) in rows
    return row and (not one["column_path"] or _plain(one["column_path"][-1]) in columns)


def _paths(one: dict[str, list[str]], cell: Cell) -> bool:
    given = {_plain(name) for name in (*cell.row_path, *cell.column_path)}
    return all(_plain(name) in given for name in (*one["row_path"], *one["column_path"]))
