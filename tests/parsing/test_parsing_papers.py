"""Real papers, named by REPRODUCEGYM_PAPERS: none raises, and their tables hold what people read in them."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from read_once import ReadOnce

from reproducegym.schema.paper import Cell, Document

pytestmark = pytest.mark.papers


HARD = ("scanned_turing", "tracemonkey", "truncated")
"""Of the hard papers those that must be refused, and the one that is soonest read; `make soak` reads all."""


def whole(read: ReadOnce) -> int:
    """How many pages were read; none where the paper was refused in one line."""
    if read.parsed is None:
        assert "\n" not in read.refused
        return 0
    document = read.parsed.document
    assert document.title
    assert document.paragraphs
    assert Document.from_json(document.to_json()) == document
    for cell in (cell for table in document.tables for cell in table.cells):
        assert cell.text.strip()
    return len(document.pages)


def test_papers_are_read_or_refused_in_one_line(papers: Path, read_once: Callable[[Path], ReadOnce]) -> None:
    pages = {name: whole(read_once(papers / "hard" / f"{name}.pdf")) for name in HARD}
    assert {name for name, read in pages.items() if read == 0} == {"scanned_turing", "truncated"}
    easy = [whole(read_once(path)) for path in sorted((papers / "pdf").glob("*.pdf"))]
    assert all(easy)
    assert sum(easy) > 100


@pytest.mark.soak
def test_every_paper_is_read_in_seconds_or_refused_in_one_line(
    papers: Path, read_once: Callable[[Path], ReadOnce], record_property: Callable[[str, object], None]
) -> None:
    pages, seconds = 0, 0.0
    for path in [*sorted((papers / "hard").glob("*.pdf")), *sorted((papers / "pdf").glob("*.pdf"))]:
        read = read_once(path)
        told = whole(read)
        assert told or path.parent.name == "hard"
        seconds += read.seconds if told else 0.0
        pages += told
    record_property("pages", pages)
    record_property("seconds_per_page", round(seconds / pages, 3))
    assert pages > 100
    assert seconds / pages < 0.6


def _at(document: Document, page: int, box: list[float]) -> list[Cell]:
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    return [
        cell
        for table in document.tables
        if table.page == page
        for cell in table.cells
        if cell.kind == "body" and cell.bbox[0] <= x <= cell.bbox[2] and cell.bbox[1] <= y <= cell.bbox[3]
    ]


def _flat(text: str) -> str:
    return "".join(c for c in text.lower() if c.isalnum())


def test_numbers_of_annotated_tables_are_cells_under_their_headers(
    papers: Path, read_once: Callable[[Path], ReadOnce]
) -> None:
    total = own = named = 0
    for gold_path in sorted((papers / "gold-dev").glob("*.json")):
        gold = json.loads(gold_path.read_text())
        parsed = read_once(papers / "pdf" / f"{gold_path.stem}.pdf").parsed
        assert parsed is not None
        for table in gold["tables"]:
            for cell in table["cells"]:
                total += 1
                found = _at(parsed.document, table["page"], cell["bbox"])
                own += len(found) == 1
                if len(found) == 1:
                    leaf_row, leaf_column = cell["row_path"][-1], cell["column_path"][-1]
                    rows = _flat(" ".join(found[0].row_path))
                    columns = _flat(" ".join(found[0].column_path))
                    row_named = _flat(leaf_row) in rows or leaf_row.startswith("Part")
                    named += row_named and _flat(leaf_column) in columns
    assert own / total > 0.98
    assert named / total > 0.93
