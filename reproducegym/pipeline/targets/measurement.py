"""What a paper's words say of a measurement: over how many items a rate is taken, and how runs are combined."""

import re
from collections.abc import Iterable

from reproducegym.pipeline.targets.terms import Terms
from reproducegym.ports import ReadPaper
from reproducegym.schema.claim import Candidate, OverSeeds, Protocol
from reproducegym.schema.paper import Document, Table

__all__ = ["combined_by", "items_of"]

_ITEMS = frozenset({"items", "n_items"})
_ITEM_NAME = re.compile(
    r"(?:test_|held_out_)?(?:items?|questions?|problems?)"
    r"|(?:test|testing|evaluation|eval|held_out)_(?:examples?|samples?|images?|episodes?|instances?|cases?|sentences?"
    r"|documents?|prompts?|queries|tasks?|games?|trials?|pairs?|points?)"
)
_RUNS = r"(?:(?:\w+|\d+)\s){0,4}?(?:seeds?|runs?|trials?|repetitions?|repeats?|restarts?|replicates?)\b"
_HEADERS: tuple[tuple[OverSeeds, str], ...] = (
    ("mean", r"\b(?:mean|average|avg)\b"),
    ("iqm", r"\biqm\b|\binterquartile mean\b"),
    ("median", r"\bmedian\b"),
    ("max", rf"^(?:best|max|maximum)(?:\s(?:seed|run|trial)|\s(?:of|over)\s{_RUNS})?$"),
)
_SAID: tuple[tuple[OverSeeds, str], ...] = (
    ("iqm", rf"\b(?:iqm|interquartile means?)\b[^.;]{{0,60}}?\b(?:of|over|across|from)\s{_RUNS}"),
    ("mean", rf"\b(?:means?|averages?|averaged)\b[^.;]{{0,60}}?\b(?:of|over|across|from)\s{_RUNS}"),
    ("median", rf"\bmedians?\b[^.;]{{0,60}}?\b(?:of|over|across|from)\s{_RUNS}"),
    ("max", rf"\b(?:best|maximum)\b[^.;,]{{0,25}}?\b(?:of|over|across|among|from|out of)\s{_RUNS}"),
)
_OTHER_UNITS = re.compile(
    r"\b(?:over|across|of)\s(?:(?:all|the|\w+|\d+)\s){0,3}?(?:games|tasks|environments|data\s?sets|levels|benchmarks|users)\b"
    r"|human[- ]normali[sz]ed",
    re.IGNORECASE,
)


def items_of(protocol: Protocol) -> int | None:
    """How many items a rate is taken over, where the protocol names exactly one such number.

    A number that is called so outright goes before those of test questions, images or episodes.
    """
    named = [(re.sub(r"[\s-]+", "_", number.name.casefold()), number.value) for number in protocol.numbers]
    found = {value for name, value in named if name in _ITEMS}
    found = found or {value for name, value in named if _ITEM_NAME.fullmatch(name)}
    whole = [int(value) for value in found if value == int(value) and value >= 1]
    return whole[0] if len(found) == 1 and whole else None


def combined_by(paper: ReadPaper, candidate: Candidate, terms: Terms) -> OverSeeds:
    """How the paper combines its runs into the claim's numbers: the mean unless it states something else.

    The extractor's word comes first, then the heads over the number itself, then the caption of its table and the
    claim's own sentence, then what the whole paper says of its runs, where it says one thing only. A median over
    games or tasks is no median over runs.
    """
    if candidate.metric.over_seeds != "mean":
        return candidate.metric.over_seeds
    places = [place for point in terms.compared() for place in point.provenance if place.kind == "table_cell"]
    tables = [
        table for table in paper.document.tables for place in places[:1] if place.table in {table.label, table.id}
    ]
    near = " ".join(_near(tables))
    apart = _OTHER_UNITS.search(near) is not None
    heads = [_bare(part) for place in places[:1] for part in reversed((*place.row_path, *place.column_path))]
    for head in heads:
        for how, pattern in _HEADERS:
            if re.search(pattern, head, re.IGNORECASE):
                return "mean" if apart and how in {"median", "iqm"} else how
    for text in (near, candidate.statement):
        said = _said(text)
        if len(said) == 1:
            return said.pop()
        if said:
            return "mean"
    everywhere = {how for text in _general(paper.document) for how in _said(text)}
    return everywhere.pop() if len(everywhere) == 1 else "mean"


def _near(tables: Iterable[Table]) -> Iterable[str]:
    for table in tables:
        if table.caption is not None:
            yield table.caption.text
        yield from table.notes


def _bare(head: str) -> str:
    """A head without units and arrows."""
    return " ".join(re.sub(r"\([^)]*\)|[↑↓%*†‡]", " ", head).split())


def _said(text: str) -> set[OverSeeds]:
    """What a text says of runs; a median or interquartile mean over runs and something else is taken for none."""
    found = {how for how, pattern in _SAID if re.search(pattern, text, re.IGNORECASE)}
    return found - {"median", "iqm"} if _OTHER_UNITS.search(text) else found


def _general(document: Document) -> Iterable[str]:
    """Sentences about all of the paper's results: no table's own, no reference."""
    for paragraph in document.paragraphs:
        if paragraph.role in {"reference", "front"}:
            continue
        for sentence in paragraph.sentences:
            if re.search(r"\bTable\s\w", sentence.text) is None:
                yield sentence.text
