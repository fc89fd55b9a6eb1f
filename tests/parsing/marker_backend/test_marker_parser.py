"""Marker says where things stand; every number comes from the PDF's own words."""

import hashlib
import json
import sys
import types
from pathlib import Path

import pytest

from reproducegym.errors import MisuseError, UnreadablePaperError
from reproducegym.parsing.marker.conversion import marker_availability, marker_json
from reproducegym.parsing.marker.parser import MarkerParser
from reproducegym.parsing.pdf.parser import PymupdfParser
from reproducegym.parsing.sources import read_pdf
from reproducegym.schema.paper import Cell, Document, Parsed, Source

HERE = Path(__file__).parent
RECORDED_OF = "3cc5cd2c7a9ea5dafdbcf3228814a1010f2038ff524571c0ce1a73b21feb24f5"


@pytest.fixture(scope="module")
def source(root: Path) -> Source:
    paper = read_pdf(root / "examples" / "papers" / "optimism-small-budgets" / "paper.pdf")
    assert hashlib.sha256(paper.content).hexdigest() == RECORDED_OF, "the sample paper changed: run record.py"
    return paper


@pytest.fixture(scope="module")
def answer() -> str:
    return (HERE / "sample_paper.json").read_text("utf-8")


@pytest.fixture(scope="module")
def parsed(source: Source, answer: str) -> Parsed:
    return MarkerParser(lambda content, origin: answer).parse(source, "p")


def values(document: Document) -> dict[tuple[str | None, tuple[str, ...], tuple[str, ...]], str]:
    return {(t.label, c.row_path, c.column_path): c.text for t in document.tables for c in t.cells if c.kind == "body"}


def changed(answer: str, old: str, new: str) -> str:
    assert old in answer
    return answer.replace(old, new)


def cells_of(answer: str, source: Source) -> list[Cell]:
    document = MarkerParser(lambda content, origin: answer).parse(source, "p").document
    return [cell for table in document.tables for cell in table.cells]


def test_marker_and_pymupdf_read_the_same_values_under_the_same_names(parsed: Parsed, source: Source) -> None:
    ours = PymupdfParser().parse(source, "p").document
    assert values(parsed.document) == values(ours)
    assert [table.caption and table.caption.text for table in parsed.document.tables] == [
        table.caption and table.caption.text for table in ours.tables
    ]
    assert [figure.label for figure in parsed.document.figures] == [figure.label for figure in ours.figures]
    assert (parsed.document.title, parsed.document.language) == (ours.title, ours.language)


def test_marker_gives_the_section_tree_roles_and_references(parsed: Parsed) -> None:
    document = parsed.document
    assert [(s.number, s.title, s.level) for s in document.sections][3:6] == [
        ("3", "Experimental Set-up", 1),
        ("3.1", "Ten-armed bandit", 2),
        ("3.2", "Chain", 2),
    ]
    roles = [paragraph.role for paragraph in document.paragraphs]
    assert (roles[0], roles.count("abstract"), roles.count("reference")) == ("front", 1, 9)
    assert [equation.label for equation in document.equations] == ["1"]
    assert {reference.target for reference in document.references} >= {"table-1", "table-2", "figure-1", "eq1"}
    assert parsed.figures["figure-1.png"].startswith(b"\x89PNG")


def test_a_number_that_marker_misreads_is_read_from_the_page(answer: str, source: Source) -> None:
    cells = cells_of(changed(answer, "61.2 ± 3.0", "67.2 ± 8.0"), source)
    found = [cell.text for cell in cells if cell.row_path == ("ε-greedy",)]
    assert found == ["61.2 ± 3.0", "0.192 ± 0.008", "2.10 ± 0.11", "26.5 ± 2.7"]


def test_a_cell_that_does_not_stand_on_the_page_is_left_out_with_a_warning(answer: str, source: Source) -> None:
    invented = changed(answer, "<td>84.7 ± 0.3</td>", "<td>84.7 ± 0.3</td><td>99.9</td>")
    document = MarkerParser(lambda content, origin: invented).parse(source, "p").document
    assert "99.9" not in [cell.text for table in document.tables for cell in table.cells]
    assert any("table 2: 1 cells of marker are left out" in warning for warning in document.warnings)


def test_a_text_that_stands_several_times_goes_where_its_row_and_column_are(parsed: Parsed) -> None:
    twice = [cell for cell in parsed.document.tables[1].cells if cell.text == "0.072 ± 0.001"]
    assert [cell.row_path for cell in twice] == [("UCB1 (full)",), ("w/o random ties",)]
    assert twice[0].bbox[1] < twice[1].bbox[1]


def test_places_are_those_of_the_pdf_in_whatever_units_marker_measures(
    parsed: Parsed, answer: str, source: Source
) -> None:
    def doubled(node: dict) -> dict:
        node["polygon"] = [[2 * x, 2 * y] for x, y in node["polygon"]]
        node["children"] = [doubled(child) for child in node.get("children") or []]
        return node

    whole = json.loads(answer)
    whole["children"] = [doubled(page) for page in whole["children"]]
    again = MarkerParser(lambda content, origin: json.dumps(whole)).parse(source, "p")
    assert values(again.document) == values(parsed.document)


def test_pages_that_marker_leaves_out_or_saw_turned_are_warnings(answer: str, source: Source) -> None:
    whole = json.loads(answer)
    first, second, _ = whole["children"]
    first["polygon"] = [[0, 0], [792, 0], [792, 612], [0, 612]]
    whole["children"] = [first, second]
    document = MarkerParser(lambda content, origin: json.dumps(whole)).parse(source, "p").document
    assert "page 1 is left out: marker saw it turned another way" in document.warnings
    assert "page 3: marker says nothing of it" in document.warnings
    assert [table.label for table in document.tables] == ["1"]


@pytest.mark.parametrize("answered", ["", "[]", '{"children": 3}', '{"children": [{"id": "x", "block_type": "Page"}]}'])
def test_an_answer_that_is_not_markers_is_one_line(answered: str, source: Source) -> None:
    with pytest.raises(UnreadablePaperError, match="not understood; install marker-pdf 2") as caught:
        MarkerParser(lambda content, origin: answered).parse(source, "p")
    assert "\n" not in str(caught.value)


def test_without_the_package_one_line_says_what_to_install(source: Source, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("marker", "marker.converters", "marker.converters.pdf"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(MisuseError, match=r"pip install 'reproducegym\[marker\]'; or use --parser pymupdf"):
        MarkerParser().parse(source, "p")
    assert MisuseError.exit_code == 2


def _install(monkeypatch: pytest.MonkeyPatch, engine: object, converter: object) -> None:
    """Put modules with marker's names in its place."""
    for name in ("marker", "marker.converters", "surya", "surya.fast_layout"):
        monkeypatch.setitem(sys.modules, name, types.ModuleType(name))
    pdf, server = types.ModuleType("marker.converters.pdf"), types.ModuleType("surya.fast_layout.server")
    monkeypatch.setattr(pdf, "PdfConverter", converter, raising=False)
    monkeypatch.setattr(server, "LayoutEngine", engine, raising=False)
    monkeypatch.setitem(sys.modules, "marker.converters.pdf", pdf)
    monkeypatch.setitem(sys.modules, "surya.fast_layout.server", server)


def test_without_its_models_one_line_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def unreachable() -> object:
        raise ConnectionError("no route to\nthe models")

    _install(monkeypatch, unreachable, object)
    with pytest.raises(MisuseError, match=r"models are not here .*ConnectionError: no route to the models.* once"):
        marker_json(b"%PDF-", "p.pdf")


def test_a_failure_of_marker_on_a_paper_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    class Failing:
        def __init__(self, *given: object, **named: object) -> None:
            pass

        def __call__(self, content: object) -> object:
            raise KeyError("block")

    _install(monkeypatch, object, Failing)
    with pytest.raises(UnreadablePaperError, match=r"marker cannot read p\.pdf \(KeyError: 'block'\); use --parser"):
        marker_json(b"%PDF-", "p.pdf")


def test_doctor_can_tell_whether_marker_is_there() -> None:
    found = marker_availability()
    assert found.works or "pip install 'reproducegym[marker]'" in found.detail
