"""What every parser must keep, whatever it reads: checked on a paper that it has read, by the tests on each backend."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from reproducegym.parsing.boxes import intersects
from reproducegym.pipeline.grounding.places import locate_words, words_inside
from reproducegym.ports import Parser
from reproducegym.schema.base import BBox
from reproducegym.schema.paper import Caption, Document, Figure, Parsed, Place, Source, Table, Word

__all__ = ["CHECKS", "Check", "Finding", "check_parsed", "check_parser"]

_SLACK = 1.5


@dataclass(frozen=True)
class Finding:
    """One promise and whether it was kept; `detail` says what was seen when it was not."""

    promise: str
    kept: bool
    detail: str


@dataclass(frozen=True)
class Check:
    """A promise, and what goes against it in a paper that was read."""

    promise: str
    against: Callable[[Parsed], Iterator[str]]


def check_parser(parser: Parser, source: Source) -> Iterator[Finding]:
    """Read a source twice and try every promise.

    Raises:
        UnreadablePaperError: the source cannot be read.
    """
    first, second = parser.parse(source, "self-check"), parser.parse(source, "self-check")
    same = first == second and first.model_dump_json(exclude={"figures"}) == second.model_dump_json(exclude={"figures"})
    yield Finding("the same bytes are read the same way", same, "" if same else "two readings differ")
    named = first.parser == parser.name and first.document.paper_id == "self-check"
    yield Finding("the parser signs what it read", named, "" if named else f"it says {first.parser!r}")
    yield from check_parsed(first)


def check_parsed(parsed: Parsed) -> Iterator[Finding]:
    """Try every promise on what was read."""
    for check in CHECKS:
        wrong = list(check.against(parsed))
        more = f" (and {len(wrong) - 3} more)" if len(wrong) > 3 else ""
        yield Finding(check.promise, not wrong, "; ".join(wrong[:3]) + more)


def _ids(parsed: Parsed) -> Iterator[str]:
    document = parsed.document
    seen: set[str] = set()
    pieces = (document.sections, document.paragraphs, document.tables, document.figures, document.equations)
    names = [piece.id for group in pieces for piece in group]
    names += [sentence.id for paragraph in document.paragraphs for sentence in paragraph.sentences]
    for name in names:
        if not name or name in seen:
            yield f"the id {name!r} stands twice"
        seen.add(name)


def _pages(parsed: Parsed) -> Iterator[str]:
    numbers = [page.number for page in parsed.document.pages]
    if numbers != list(range(1, len(numbers) + 1)) or not numbers:
        yield f"the pages are {numbers[:10]}"
    if [page.page for page in parsed.words] != numbers:
        yield "the words are not those of each page in turn"


def _places(parsed: Parsed) -> Iterator[str]:
    sizes = {page.number: (page.width, page.height) for page in parsed.document.pages}
    for name, place in _placed(parsed.document):
        x0, y0, x1, y1 = place.bbox
        width, height = sizes.get(place.page, (-1.0, -1.0))
        inside = -_SLACK <= x0 <= x1 <= width + _SLACK and -_SLACK <= y0 <= y1 <= height + _SLACK
        if not inside:
            yield f"{name} stands at page {place.page} {place.bbox}, outside of {width} x {height}"


def _placed(document: Document) -> Iterator[tuple[str, Place]]:
    """Every piece with each of its places."""
    for section in document.sections:
        yield section.id, section.place
    for paragraph in document.paragraphs:
        yield from ((paragraph.id, place) for place in paragraph.places)
        yield from ((sentence.id, place) for sentence in paragraph.sentences for place in sentence.places)
    for table in document.tables:
        yield table.id, Place(page=table.page, bbox=table.bbox)
        yield from ((table.id, place) for place in table.continued)
        for cell in table.cells:
            yield f"{table.id} cell {cell.text!r}", Place(page=cell.page, bbox=cell.bbox)
    for figure in document.figures:
        yield figure.id, Place(page=figure.page, bbox=figure.bbox)
        yield from ((figure.id, Place(page=figure.page, bbox=panel.bbox)) for panel in figure.panels)
    for equation in document.equations:
        yield equation.id, equation.place
    yield from ((f"the caption of {name}", caption.place) for name, caption in _captions(document))


def _captions(document: Document) -> Iterator[tuple[str, Caption]]:
    """The captions of all tables and figures with the ids of these."""
    floats: tuple[Table | Figure, ...] = (*document.tables, *document.figures)
    yield from ((piece.id, piece.caption) for piece in floats if piece.caption is not None)


def _sentences(parsed: Parsed) -> Iterator[str]:
    for paragraph in parsed.document.paragraphs:
        if not paragraph.text.strip() or not paragraph.places:
            yield f"{paragraph.id} has no text or no place"
        end = 0
        for sentence in paragraph.sentences:
            if paragraph.text[sentence.start : sentence.end] != sentence.text or not sentence.text:
                yield f"{sentence.id} is not at {sentence.start}:{sentence.end} of its paragraph"
            if paragraph.text[end : sentence.start].strip() or sentence.start < end or not sentence.places:
                yield f"{sentence.id} overlaps, leaves out text before it, or has no place"
            if not {place.page for place in sentence.places} <= {place.page for place in paragraph.places}:
                yield f"{sentence.id} stands on another page than its paragraph"
            end = sentence.end
        if paragraph.text[end:].strip():
            yield f"{paragraph.id} ends outside of its sentences"


def _sections(parsed: Parsed) -> Iterator[str]:
    levels: dict[str, int] = {}
    for section in parsed.document.sections:
        if section.level < 1 or not section.title.strip():
            yield f"{section.id} has level {section.level} and title {section.title!r}"
        if section.parent is not None and levels.get(section.parent, section.level) >= section.level:
            yield f"{section.id} stands in {section.parent}, which is no earlier section above it"
        levels[section.id] = section.level
    yield from (
        f"{paragraph.id} stands in {paragraph.section}, which is no section"
        for paragraph in parsed.document.paragraphs
        if paragraph.section is not None and paragraph.section not in levels
    )


def _grids(parsed: Parsed) -> Iterator[str]:
    for table in parsed.document.tables:
        taken: set[tuple[int, int]] = set()
        if not table.cells:
            yield f"{table.id} has no cells"
        for cell in table.cells:
            spots = {
                (row, column)
                for row in range(cell.row, cell.row + cell.row_span)
                for column in range(cell.column, cell.column + cell.column_span)
            }
            if not spots or min(cell.row, cell.column) < 0 or spots & taken:
                yield f"{table.id} has two cells, or half a one, at row {cell.row}, column {cell.column}"
            taken |= spots
            if not cell.text.strip():
                yield f"{table.id} has an empty cell at row {cell.row}, column {cell.column}"


def _cells(parsed: Parsed) -> Iterator[str]:
    words = {page.page: page.words for page in parsed.words}
    for table in parsed.document.tables:
        for cell in table.cells:
            inside = words_inside(words.get(cell.page, ()), cell.bbox)
            if not (locate_words(inside, cell.text) or locate_words(_joined(inside), cell.text)):
                shown = " ".join(word.text for word in inside)
                yield f"{table.id}: the box of {cell.text!r} holds {shown!r}"
            if not _in_table(table, cell.page, cell.bbox):
                yield f"{table.id}: {cell.text!r} stands outside of the table"


def _joined(words: Sequence[Word]) -> list[Word]:
    """Words without the hyphens that part them at line ends, which a cell of several lines leaves out."""
    return [word.model_copy(update={"text": word.text.rstrip("-‐")}) for word in words]


def _in_table(table: Table, page: int, box: BBox) -> bool:
    areas = [Place(page=table.page, bbox=table.bbox), *table.continued]
    return any(area.page == page and intersects(area.bbox, box) for area in areas)


def _references(parsed: Parsed) -> Iterator[str]:
    document = parsed.document
    texts = {sentence.id: sentence.text for paragraph in document.paragraphs for sentence in paragraph.sentences}
    texts |= {name: caption.text for name, caption in _captions(document)}
    targets = {
        "table": {table.id for table in document.tables},
        "figure": {figure.id for figure in document.figures},
        "section": {section.id for section in document.sections},
        "equation": {equation.id for equation in document.equations},
    }
    for reference in document.references:
        text = texts.get(reference.source)
        if text is None or not 0 <= reference.start < reference.end <= len(text):
            yield f"{reference.source} {reference.start}:{reference.end} is no place in a sentence or caption"
        elif reference.label not in text:
            yield f"{reference.source} does not name {reference.kind} {reference.label}"
        if reference.target is not None and reference.target not in targets[reference.kind]:
            yield f"{reference.kind} {reference.label} leads to {reference.target}, which is none"


def _figures(parsed: Parsed) -> Iterator[str]:
    named = {figure.image for figure in parsed.document.figures if figure.image is not None}
    if named != set(parsed.figures):
        yield f"the images are {sorted(parsed.figures)}, the figures name {sorted(named)}"
    yield from (f"{name} is empty" for name, content in parsed.figures.items() if not content)
    panels = {figure.id: (figure.page, len(figure.panels)) for figure in parsed.document.figures}
    for chart in parsed.charts:
        page, count = panels.get(chart.figure, (0, 0))
        if page != chart.page or chart.panel >= max(count, 1):
            yield f"a chart stands in panel {chart.panel} of {chart.figure} on page {chart.page}, which is none"


def _markdown(parsed: Parsed) -> Iterator[str]:
    text = parsed.paper_md
    if not text.endswith("\n") or "\r" in text or "\0" in text:
        yield "paper.md has no final newline, or characters that are no text"
    if not text.strip():
        yield "paper.md is empty"


CHECKS: tuple[Check, ...] = (
    Check("ids are unique", _ids),
    Check("pages count from 1 and each has its words", _pages),
    Check("every place lies on its page", _places),
    Check("sentences are their paragraph's text, in order and without a gap", _sentences),
    Check("sections and what stands in them form a tree", _sections),
    Check("no two cells of a table stand at one spot, and none is empty", _grids),
    Check("the box of every cell holds its text among the page's own words", _cells),
    Check("references name what they say, and lead to a piece of that kind", _references),
    Check("figures and image files belong together, and charts stand in figures", _figures),
    Check("paper.md is text", _markdown),
)
