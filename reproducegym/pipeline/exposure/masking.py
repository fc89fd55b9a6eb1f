"""Makes the agent's copy of a paper: every number that gives a hidden one away becomes `⟦masked⟧`.

Numbers of the set-up stay. A figure that shows the quantity becomes an empty box with the words around it.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from itertools import combinations

from reproducegym.pipeline.exposure.figure_masking import copied
from reproducegym.pipeline.exposure.hidden import (
    Hidden,
    Secrets,
    beside,
    digits_of,
    judge,
    secrets_of,
    spoken,
    words_of,
)
from reproducegym.pipeline.exposure.telltale import Telltales, giving_away, leads_to, telltales
from reproducegym.pipeline.printed.number_words import in_digits_and_words
from reproducegym.pipeline.printed.numbers import Number, read_number, read_numbers
from reproducegym.pipeline.printed.paper_markdown import Lens, Shown, image_name, paper_markdown
from reproducegym.ports import Files, ReadPaper
from reproducegym.schema.base import BBox
from reproducegym.schema.paper import Cell, Document, Figure, Table
from reproducegym.schema.spec import ClaimSpec

__all__ = ["MASK", "MaskedPaper", "mask", "whole"]

MASK = "⟦masked⟧"

_COMPARING = re.compile(
    r"improv|gain|reduc|increas|decreas|higher|lower|better|worse|more\b|less\b|faster|slower|point|outperform|margin"
    r"|gap|differ|behind|ahead|above|below|times\b|fold|over\b|than\b|cut|halv|doubl|drop|rais|boost"
    r"|average|total|sum\b|ratio|relative|×",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class MaskedPaper:
    """The agent's copy: Markdown, and images by file name (`figures` of the Markdown)."""

    paper_md: str
    figures: Files


def mask(paper: ReadPaper, spec: ClaimSpec) -> MaskedPaper:
    """The paper without anything that gives a hidden number of this claim away."""
    secrets = secrets_of(spec)
    cells = _masked_cells(paper.document, secrets)
    derived = telltales(paper.document, cells, secrets)

    def prose(text: str) -> str:
        return _masked_prose(text, secrets, derived)

    def cell(table: Table, one: Cell) -> str:
        return MASK if (table.id, one.row, one.column) in cells else one.text

    images: dict[str, bytes] = {}

    def figure(one: Figure) -> Shown:
        name = image_name(one)
        copy = copied(paper, one, None if name is None else paper.figures.get(name), secrets, prose)
        images[copy.name] = copy.image
        return Shown(copy.name, copy.words)

    return MaskedPaper(paper_markdown(paper.document, Lens(prose, cell, figure)), images)


def whole(paper: ReadPaper) -> MaskedPaper:
    """The paper as it is, for the exposure policy `full`."""
    lens = Lens(lambda text: text, lambda _, cell: cell.text, lambda one: Shown(image_name(one)))
    return MaskedPaper(paper_markdown(paper.document, lens), paper.figures)


def _masked_cells(document: Document, secrets: Secrets) -> frozenset[tuple[str, int, int]]:
    """Every cell that holds a hidden number, equals one, or follows from one within its row or column."""
    found: set[tuple[str, int, int]] = set()
    for table in document.tables:
        body = [cell for cell in table.cells if cell.kind == "body"]
        own = {(cell.row, cell.column) for cell in body if _holds(table, cell, secrets)}
        own |= giving_away(body, own)
        found |= {(table.id, row, column) for row, column in own}
    return frozenset(found)


def _holds(table: Table, cell: Cell, secrets: Secrets) -> bool:
    if any(_is_place(table, cell, hidden) for hidden in secrets.hidden):
        return True
    context = " ".join((*cell.row_path, *cell.column_path))
    linked, near = secrets.linked(context), words_of(context)
    for number in _numbers(cell.text):
        found = judge(number, near, linked=linked, secrets=secrets)
        if found is not None and found[0] == "hidden":
            return True
    return secrets.spelled is not None and secrets.spelled.search(cell.text) is not None


def _is_place(table: Table, cell: Cell, hidden: Hidden) -> bool:
    for place in hidden.places:
        if place.kind != "table_cell" or place.page != cell.page:
            continue
        if _overlap(place.bbox, cell.bbox) and place.quote in cell.text:
            return True
        same = place.row_path == cell.row_path and place.column_path == cell.column_path
        if same and place.table in {table.label, table.id}:
            return True
    return False


def _overlap(one: BBox, other: BBox) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _numbers(text: str) -> tuple[Number, ...]:
    alone = read_number(text)
    return read_numbers(text) if alone is None else (alone,)


def _masked_prose(text: str, secrets: Secrets, derived: Telltales) -> str:
    masked = "".join(
        _without(sentence, _hidden_numbers(sentence, secrets, derived, linked=linked))
        for sentence, linked in spoken(text, secrets)
    )
    return masked if secrets.spelled is None else secrets.spelled.sub(MASK, masked)


def _hidden_numbers(sentence: str, secrets: Secrets, derived: Telltales, *, linked: bool) -> Iterator[Number]:
    numbers = in_digits_and_words(sentence) if linked else read_numbers(sentence)
    if not numbers:
        return
    comparing = not derived.words.isdisjoint(words_of(sentence)) and _COMPARING.search(sentence) is not None
    combined = set(_combining(numbers, secrets)) if linked else set()
    for number in numbers:
        found = judge(number, beside(sentence, number), linked=linked, secrets=secrets)
        if found is not None and found[0] == "coincidence":
            continue
        follows = comparing and leads_to(number, beside(sentence, number), derived)
        if found is not None or follows or number.start in combined:
            yield number


def _combining(numbers: Iterable[Number], secrets: Secrets) -> Iterator[int]:
    """Places of two numbers of one sentence whose sum, difference, product or relative change is a hidden one."""
    telling = [hidden for hidden in secrets.hidden if hidden.by_value and not hidden.linked_only]
    for one, other in combinations(numbers, 2):
        if digits_of(one.value) < 2 or digits_of(other.value) < 2:
            continue
        for value in _results(one.value, other.value):
            if any(abs(value) == abs(hidden.value) for hidden in telling):
                yield one.start
                yield other.start


def _results(one: Decimal, other: Decimal) -> Iterator[Decimal]:
    yield one + other
    yield one - other
    yield one * other
    yield other * (1 + one / 100)
    yield one * (1 + other / 100)


def _without(sentence: str, numbers: Iterable[Number]) -> str:
    pieces: list[str] = []
    at = 0
    for number in numbers:
        pieces += [sentence[at : number.start], MASK]
        at = number.end
    return "".join([*pieces, sentence[at:]])
