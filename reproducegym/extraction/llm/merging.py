"""Joins claims that several sections state, where a model says so and their numbers agree."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from reproducegym.extraction.llm.drafts import Draft, cell_keys, numbers_of
from reproducegym.extraction.llm.paper_text import safe_text
from reproducegym.extraction.llm.places import flat
from reproducegym.extraction.llm.prompts import fenced, question
from reproducegym.extraction.llm.replies import Duplicates
from reproducegym.ports import Question

__all__ = ["merge_question", "merged"]


def merge_question(drafts: Sequence[Draft]) -> Question:
    """Step 2 over all drafts: one line each, no text of the paper but the numbers they point at."""
    return question("merge", {"data": fenced(_line(draft) for draft in drafts)})


def merged(drafts: Sequence[Draft], groups: Iterable[Duplicates]) -> tuple[tuple[Draft, ...], tuple[str, ...]]:
    """The drafts with doubles joined, and a note on each join that was refused.

    A join is believed only between claims of one pattern that share a cell or a printed number, and only once for each
    claim. Whatever else a reply says, no claim is lost.
    """
    by_id = {draft.id: draft for draft in drafts}
    taken: set[str] = set()
    joined: dict[str, Draft] = {}
    notes: list[str] = []
    for group in groups:
        known = [by_id[one] for one in dict.fromkeys(group.claims) if one in by_id and one not in taken]
        if len(known) < len(group.claims):
            notes.append(f"{', '.join(group.claims)}: not all are claims of their own")
        for double in known[1:]:
            first = joined.get(known[0].id, known[0])
            if _same(first, double):
                joined[first.id] = _join(first, double)
                taken |= {first.id, double.id}
            else:
                notes.append(f"{first.id} and {double.id} share no number, and stay two claims")
    lost = taken - joined.keys()
    return tuple(joined.get(draft.id, draft) for draft in drafts if draft.id not in lost), tuple(notes)


def _same(first: Draft, second: Draft) -> bool:
    if first.found.pattern != second.found.pattern or _swapped(first, second):
        return False
    cells = cell_keys(first.places), cell_keys(second.places)
    numbers = numbers_of(first.places), numbers_of(second.places)
    return bool(cells[0] & cells[1] or numbers[0] & numbers[1]) and not (cells[0] and cells[1] and cells[0] != cells[1])


def _swapped(first: Draft, second: Draft) -> bool:
    """Whether what is the method of one is the baseline of the other."""
    return any(
        flat(one.found.method) == flat(other.found.baseline or "") for one, other in ((first, second), (second, first))
    )


def _join(first: Draft, double: Draft) -> Draft:
    return replace(
        first,
        anchors=tuple(dict.fromkeys((*first.anchors, *double.anchors))),
        places=tuple(dict.fromkeys((*first.places, *double.places))),
        series=tuple(dict.fromkeys((*first.series, *double.series))),
        notes=(*first.notes, *double.notes),
    )


def _line(draft: Draft) -> str:
    found = draft.found
    numbers = [f'"{one.number.text}" ({_where(one.place.table, one.place.row_path)})' for one in draft.places]
    parts = (
        f"{draft.role}, sentences {', '.join(draft.anchors)}: {found.statement}",
        f"{found.pattern} of {found.metric}",
        f"method {found.method}",
        f"baseline {found.baseline or 'none'}",
        f"data set {found.dataset or 'none'}",
        f"numbers {', '.join(numbers) or 'none'}",
    )
    return f"[{draft.id}] {' | '.join(map(safe_text, parts))}"


def _where(table: str | None, row: tuple[str, ...]) -> str:
    return "in the text" if table is None else f"table {table}, row {' / '.join(row)}"
