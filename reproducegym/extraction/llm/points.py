"""Makes target points of located numbers: names, unit and spread as our own reading of the paper has them."""

from collections.abc import Sequence

from reproducegym.extraction.llm.places import Located, flat, is_called, reason
from reproducegym.extraction.llm.replies import RefinedPoint
from reproducegym.extraction.llm.view import View
from reproducegym.extraction.rules.labels import find_mentions
from reproducegym.extraction.rules.printed import Said, numbers_said
from reproducegym.extraction.rules.proposal import printed_unit
from reproducegym.pipeline.printed.numbers import read_numbers
from reproducegym.schema.claim import MetricIdea, Reason, Spread, TargetPoint

__all__ = ["condition_name", "effect_said", "is_vouched", "point_of", "printed_point"]


def condition_name(label: str, located: Sequence[Located]) -> str:
    """A condition by our name for it: that of the cell that the model calls so, else the model's label."""
    for one in located:
        if one.entry is not None and is_called(label, one):
            return one.entry.name
    return " ".join(label.split())


def point_of(said: RefinedPoint, located: Located, metric: MetricIdea, condition: str) -> TargetPoint | Reason:
    """One measured value; a cell that is not called like the condition is refused."""
    if not is_called(said.condition, located):
        where = " / ".join((*located.place.row_path, *located.place.column_path))
        return reason("condition_mismatch", f'the model takes "{where}" for a value of "{said.condition}"')
    entry, number = located.entry, located.number
    measures = entry is not None and entry.word is not None and not entry.word.is_unknown
    unit = entry.unit if entry is not None and measures else number.unit or metric.unit
    spread = None
    if entry is not None:
        spread = entry.spread
    elif number.spread is not None:
        spread = Spread(value=number.spread, kind="unknown", over="unknown", n=None)
    return TargetPoint(
        value=number.value,
        unit=unit,
        resolution=number.resolution,
        spread=spread,
        metric=metric.name,
        condition=condition,
        dataset=entry.dataset if entry is not None and entry.dataset else _plain(said.dataset),
        provenance=(located.place,),
    )


def effect_said(view: View, located: Located) -> Said | None:
    """The effect that a located number of a sentence is; None where the sentence prints it as a value."""
    if located.spoken is None:
        return None
    text = located.spoken.text
    for said in numbers_said(text, find_mentions(text, view.labels)):
        if said.number.start == located.number.start and said.effect is not None:
            return said
    return None


def printed_point(said: Said, located: Located, metric: MetricIdea, condition: str, dataset: str | None) -> TargetPoint:
    """The effect of a claim as a sentence prints it."""
    return TargetPoint(
        value=located.number.value,
        unit=printed_unit(said, metric),
        resolution=located.number.resolution,
        spread=None,
        metric=metric.name,
        condition=condition,
        dataset=dataset,
        provenance=(located.place,),
    )


def is_vouched(view: View, located: Located, names: Sequence[str]) -> bool:
    """Whether another paragraph prints the number of a sentence with one of the claim's names beside it.

    A number that the paper prints once, in prose alone, may be anybody's; it is kept for people.
    """
    if located.spoken is None:
        return True
    own = view.sentences.get(located.spoken.sentence.id)
    wanted = [flat(name) for name in names if flat(name)]
    captions = [one.caption for one in view.index.figures] + [one.caption for one in view.index.tables]
    others = [
        one.text
        for one in view.index.sentences
        if own is not None and one.paragraph != own.paragraph and one.id in view.spoken
    ]
    return any(
        (number.value, number.unit) == (located.number.value, located.number.unit)
        for text in (*others, *captions)
        if text is not None and any(name in flat(text) for name in wanted)
        for number in read_numbers(text)
    )


def _plain(text: str | None) -> str | None:
    return " ".join(text.split()) or None if text is not None else None
