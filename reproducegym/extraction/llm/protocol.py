"""Takes over what a model quotes of the set-up, as far as the quotes stand where it says."""

import re
from collections.abc import Iterable

from reproducegym.extraction.llm.places import bare_id, flat
from reproducegym.extraction.llm.replies import Quote, RefinedNumber, RefinedProtocol
from reproducegym.extraction.llm.view import View
from reproducegym.extraction.rules.wording import slug
from reproducegym.pipeline.printed.numbers import read_numbers
from reproducegym.schema.claim import MetricIdea, Protocol, ProtocolNumber, RolePoint

__all__ = ["budget_of", "protocol_of"]

_BUDGETS = frozenset({"steps", "timesteps", "episodes", "epochs", "iterations", "updates"})
_WORDS = 20
_STEM = 4


def protocol_of(
    view: View, said: RefinedProtocol, metric: MetricIdea, points: tuple[RolePoint, ...]
) -> tuple[Protocol, tuple[str, ...]]:
    """The protocol, and a note on each quote that does not stand where the model has it.

    Where the model is silent, names of the claim's own cells stand in; numbers are joined by those that the rules find.
    """
    notes: list[str] = []
    first = next((one.point for one in points if one.role in {"treatment", "part", "series"}), None)
    place = first.provenance[0] if first is not None else None
    as_in = f"{metric.name} as in Table {place.table}" if place is not None and place.table is not None else None
    numbers = [one for number in said.numbers for one in [_number(view, number, notes)] if one is not None]
    known = {one.name for one in numbers}
    dataset = first.dataset if first is not None else None
    numbers += [one for one in view.set_up.numbers_for(dataset) if one.name not in known]
    protocol = Protocol(
        method=_quoted(view, said.method, notes) or (first.condition if first is not None else None),
        dataset=_quoted(view, said.dataset, notes) or dataset,
        evaluation=_quoted(view, said.evaluation, notes) or as_in,
        numbers=tuple(numbers),
    )
    return protocol, tuple(notes)


def budget_of(name: str | None, protocol: Protocol) -> str | None:
    """The protocol number that a model takes for the budget, if it counts steps of any kind."""
    if name is None:
        return None
    wanted = slug(name)
    named = [one.name for one in protocol.numbers if one.name == wanted]
    return named[0] if named and _BUDGETS & set(wanted.split("_")) else None


def _quoted(view: View, quote: Quote | None, notes: list[str]) -> str | None:
    if quote is None:
        return None
    words = " ".join(quote.quote.split())
    if words and len(words.split()) <= _WORDS and any(flat(words) in flat(text) for text in _texts(view, quote.piece)):
        return words
    notes.append(f'"{words[:80]}" does not stand in {quote.piece}')
    return None


def _texts(view: View, piece: str) -> Iterable[str]:
    """The words of a sentence, or of a table's caption, notes and headers."""
    if bare_id(piece) in view.spoken:
        yield view.spoken[bare_id(piece)].text
    for table in view.paper.document.tables:
        if flat(bare_id(piece)).removeprefix("table").strip("-") in {flat(table.label or table.id), flat(table.id)}:
            yield from (table.caption.text if table.caption else "", *table.notes, *table.stub_headers)
            yield from (cell.text for cell in table.cells if cell.kind != "body")


def _number(view: View, said: RefinedNumber, notes: list[str]) -> ProtocolNumber | None:
    """A number of the set-up: its quote stands in the sentence, holds one number, and a word of its name."""
    spoken = view.spoken.get(bare_id(said.sentence))
    quote = " ".join(said.quote.split())
    numbers = read_numbers(quote)
    name = slug(said.name)
    stems = [word[:_STEM] for word in name.split("_") if len(word) > 2]
    words = [word[:_STEM] for word in re.findall(r"[a-z]+", quote.casefold())]
    if spoken is None or flat(quote) not in flat(spoken.text) or len(numbers) != 1 or not set(stems) & set(words):
        notes.append(f'"{quote[:80]}" gives no number called "{said.name}" in {said.sentence}')
        return None
    number = numbers[0]
    page = spoken.sentence.places[0].page
    return ProtocolNumber(name=name, value=number.value, unit=number.unit, quote=quote, page=page)
