"""Looks every number up again at its place in the paper; what is not there is refused, whoever proposed it."""

import re
import unicodedata
from collections.abc import Sequence
from decimal import Decimal

from reproducegym.pipeline.grounding.binding import convert, unit_agrees
from reproducegym.pipeline.grounding.figures import ground_in_figure
from reproducegym.pipeline.printed.numbers import Number, read_number, read_numbers
from reproducegym.ports import ReadPaper
from reproducegym.schema.base import BBox
from reproducegym.schema.claim import Provenance, Reason, ReasonCode, TargetPoint
from reproducegym.schema.paper import Cell, Document, Table, Word

__all__ = ["ground", "locate_words", "words_inside"]

_MINUSES = str.maketrans(dict.fromkeys("−–—‐‑﹣－", "-"))
_MARKUP = str.maketrans(dict.fromkeys("^_{}$\\*", ""))
_SLACK = 1.0
_WORD = re.compile(r"[^\W\d_]+")
_QUANTITY_WORDS = (
    "length token time latency second hour step episode epoch loss perplexity reward return regret count number size"
    " parameter params memory flops speed throughput distance iteration update"
)
_QUANTITIES = frozenset(word.rstrip("s") for word in _QUANTITY_WORDS.split())


def ground(paper: ReadPaper, point: TargetPoint) -> TargetPoint | Reason:
    """The point with those of its places that hold the quote and the value; or why none does.

    The quote is looked up among the page's own words inside the box and, for a cell, in the table cell with that row
    and column path; the number is read from it again and must agree in value, unit, sign, scale and spread.
    A place that holds a different value of the same quantity makes the point ambiguous. A value read off a figure is
    looked up in its chart, and stays only as long as no printed place of the point says otherwise.
    """
    read: list[Provenance] = []
    kept: list[Provenance] = []
    refusals: list[Reason] = []
    exact: list[Number] = []
    for place in point.provenance:
        if place.kind == "figure_series":
            seen = ground_in_figure(paper, point, place)
            if isinstance(seen, Reason):
                refusals.append(seen)
            else:
                read.append(seen)
            continue
        looked = _look_up(paper, place)
        if isinstance(looked, Reason):
            refusals.append(looked)
            continue
        difference = _difference(paper.document, point, place, looked)
        if isinstance(difference, Reason):
            refusals.append(difference)
        elif difference == 0 and _states_spread(point, looked):
            exact.append(looked)
            kept.append(place)
        elif difference <= _half_units(point, looked):
            kept.append(place)
        else:
            return _reason(
                "ambiguous_target",
                f'page {place.page}: "{place.quote}" is not {point.value}{point.unit} within rounding',
            )
    if exact:
        places = tuple(place for place in point.provenance if place in kept) + tuple(read)
        return point.model_copy(update={"provenance": places, "resolution": _finest(point, exact)})
    if kept or (read and point.spread is not None):
        return _reason("no_grounded_target", f"no place prints {point.value}{point.unit} with its spread exactly")
    if read:
        error = max(place.read_error or Decimal(0) for place in read)
        resolution = min(point.resolution, error) if error else point.resolution
        return point.model_copy(update={"provenance": tuple(read), "resolution": resolution})
    return refusals[0] if refusals else _reason("no_grounded_target", "the point has no place in the paper")


def _finest(point: TargetPoint, exact: Sequence[Number]) -> Decimal:
    """One unit of the last digit in the point's unit, as the places print it, whatever the proposal says."""
    printed = [convert(one.resolution, one.unit, point.unit) if one.unit else one.resolution for one in exact]
    return min((one for one in printed if one is not None), default=point.resolution)


def words_inside(words: Sequence[Word], box: BBox) -> list[Word]:
    """The words whose centre lies inside a box, in the page's order."""
    x0, y0, x1, y1 = box
    return [
        word
        for word in words
        if x0 - _SLACK <= (word.bbox[0] + word.bbox[2]) / 2 <= x1 + _SLACK
        and y0 - _SLACK <= (word.bbox[1] + word.bbox[3]) / 2 <= y1 + _SLACK
    ]


def locate_words(words: Sequence[Word], quote: str) -> list[Sequence[Word]]:
    """All runs of words that spell a quote, spaces and markup aside, without cutting a number or a name in two."""
    letters = [(letter, index) for index, word in enumerate(words) for letter in _flat(word.text)]
    text = "".join(letter for letter, _ in letters)
    wanted = _flat(quote)
    runs: list[Sequence[Word]] = []
    at = text.find(wanted) if wanted else -1
    while at >= 0:
        end = at + len(wanted)
        first, last = letters[at][1], letters[end - 1][1]
        before = "".join(letter for letter, index in letters[max(0, at - 2) : at] if index == first)
        after = "".join(letter for letter, index in letters[end : end + 2] if index == last)
        if _cuts_clean(wanted, before, after):
            runs.append(words[first : last + 1])
        at = text.find(wanted, at + 1)
    return runs


def _look_up(paper: ReadPaper, place: Provenance) -> Number | Reason:
    """The number that stands at a place, read from the quote that was found there."""
    missing = _missing_in_document(paper.document, place)
    if missing is not None:
        return missing
    pages = [page.words for page in paper.words if page.page == place.page]
    if not pages or not locate_words(words_inside(pages[0], place.bbox), place.quote):
        return _reason("no_grounded_target", f'page {place.page}: "{place.quote}" does not stand inside {place.bbox}')
    number = read_number(place.quote)
    if number is None:
        several = read_numbers(place.quote)
        number = several[0] if len(several) == 1 else None
    if number is None:
        return _reason("no_grounded_target", f'page {place.page}: "{place.quote}" is not one number')
    return number


def _missing_in_document(document: Document, place: Provenance) -> Reason | None:
    """Why the document as read has no such cell, sentence or caption."""
    if place.kind == "table_cell":
        cells = [cell for table in _tables(document, place) for cell in table.cells if _is_cell(cell, place)]
        if not cells:
            path = " / ".join((*place.row_path, *place.column_path))
            return _reason("no_grounded_target", f'table {place.table}: no cell "{path}"')
        if not any(_flat(place.quote) in _flat(cell.text) for cell in cells):
            return _reason("no_grounded_target", f'table {place.table}: "{place.quote}" is not the text of that cell')
        return None
    if place.kind == "sentence":
        found = any(
            _flat(place.quote) in _flat(sentence.text)
            and any(spot.page == place.page and _holds(spot.bbox, place.bbox) for spot in sentence.places)
            for paragraph in document.paragraphs
            for sentence in paragraph.sentences
        )
        return None if found else _reason("no_grounded_target", f'no sentence there holds "{place.quote}"')
    if place.kind == "caption":
        captions = [table.caption for table in document.tables if table.caption is not None]
        captions += [figure.caption for figure in document.figures if figure.caption is not None]
        found = any(
            caption.place.page == place.page
            and _holds(caption.place.bbox, place.bbox)
            and _flat(place.quote) in _flat(caption.text)
            for caption in captions
        )
        return None if found else _reason("no_grounded_target", f'no caption there holds "{place.quote}"')
    raise ValueError(f"{place.kind}: values of figures are looked up in their charts")


def _tables(document: Document, place: Provenance) -> list[Table]:
    return [
        table
        for table in document.tables
        if place.table in {table.label, table.id}
        and place.page in {table.page, *(part.page for part in table.continued)}
    ]


def _is_cell(cell: Cell, place: Provenance) -> bool:
    same_path = cell.row_path == place.row_path and cell.column_path == place.column_path
    return cell.kind == "body" and cell.page == place.page and same_path and _holds(cell.bbox, place.bbox)


def _difference(document: Document, point: TargetPoint, place: Provenance, number: Number) -> Decimal | Reason:
    """How far the printed value is from the point's, in the point's unit."""
    context = _context(document, place)
    printed = convert(number.value, number.unit, point.unit) if number.unit else number.value
    if not _heads_another_quantity(place, point):
        context = f"{context} {point.metric}"
    if printed is None or not unit_agrees(number.unit, point.unit, context):
        return _reason("unit_mismatch", f'page {place.page}: "{place.quote}" is not in "{point.unit}"')
    return abs(printed - point.value)


def _heads_another_quantity(place: Provenance, point: TargetPoint) -> bool:
    """Whether the heads over a cell name a kind of quantity that the metric does not: the metric then tells no unit.

    "Accuracy" tells that a bare number is a percentage, but not of one in a column called "Length". The name of the
    condition is no such head: a row "+ Token-level Loss" holds accuracies as well.
    """
    heads = [part for part in (*place.row_path, *place.column_path) if _flat(part) not in _flat(point.condition)]
    named = {word.rstrip("s") for word in _WORD.findall(" ".join(heads).casefold())}
    meant = {word.rstrip("s") for word in _WORD.findall(point.metric.casefold())}
    return bool(named & _QUANTITIES) and not named & _QUANTITIES & meant


def _states_spread(point: TargetPoint, number: Number) -> bool:
    return point.spread is None or number.spread == point.spread.value


def _half_units(point: TargetPoint, number: Number) -> Decimal:
    coarse = convert(number.resolution, number.unit, point.unit) if number.unit else number.resolution
    return (point.resolution + (coarse or Decimal(0))) / 2


def _context(document: Document, place: Provenance) -> str:
    """The words that can state the unit of a number: headers and caption of its table, or its sentence."""
    if place.kind == "table_cell":
        tables = _tables(document, place)
        around = [text for table in tables for text in (table.caption.text if table.caption else "", *table.notes)]
        return " ".join((*place.row_path, *place.column_path, *around))
    return " ".join(
        sentence.text
        for paragraph in document.paragraphs
        for sentence in paragraph.sentences
        if any(spot.page == place.page and _holds(spot.bbox, place.bbox) for spot in sentence.places)
    )


def _holds(outer: BBox, inner: BBox) -> bool:
    x, y = (inner[0] + inner[2]) / 2, (inner[1] + inner[3]) / 2
    return outer[0] - _SLACK <= x <= outer[2] + _SLACK and outer[1] - _SLACK <= y <= outer[3] + _SLACK


def _flat(text: str) -> str:
    """Letters and digits as they compare: compatibility forms, one minus, no spaces, no markup."""
    plain = unicodedata.normalize("NFKC", text).translate(_MINUSES).translate(_MARKUP)
    return "".join(plain.replace("\u00ad", "").split())


def _cuts_clean(wanted: str, before: str, after: str) -> bool:
    """Whether the quote's ends are also ends of the number or name that the page prints."""
    last = before[-1:]
    if wanted[0].isdigit() and (last.isalnum() or last in {".", ","}):
        return False
    if wanted[0].isdigit() and last == "-" and not (before[:1].isdigit() or before[:1] in {")", "]", "%"}):
        return False
    if wanted[0] == "." and last.isdigit():
        return False
    if wanted[-1].isdigit():
        return not (after[:1].isalnum() or (after[:1] in {".", ","} and after[1:2].isdigit()))
    return True


def _reason(code: ReasonCode, detail: str) -> Reason:
    return Reason(code=code, argument=None, detail=detail)
