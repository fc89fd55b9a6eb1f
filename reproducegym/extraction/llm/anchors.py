"""Gives each claim its anchors: whole sentences, and its own clause of a sentence that states several claims."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from reproducegym.extraction.llm.candidates import Made
from reproducegym.extraction.llm.view import View
from reproducegym.extraction.rules.proposal import clause_of
from reproducegym.extraction.rules.sentences import anchor_of
from reproducegym.pipeline.printed.numbers import Number, read_numbers
from reproducegym.schema.claim import Anchor

__all__ = ["anchored"]


def anchored(view: View, made: Sequence[Made]) -> tuple[Made, ...]:
    """Each claim with its anchors; where a sentence states several claims, also with its own clause of it."""
    stated: dict[str, int] = {}
    for one in made:
        for sentence in set(one.draft.anchors):
            stated[sentence] = stated.get(sentence, 0) + 1
    return tuple(
        replace(one, candidate=one.candidate.model_copy(update={"anchors": _anchors(view, one, stated)}))
        for one in made
    )


def _anchors(view: View, made: Made, stated: Mapping[str, int]) -> tuple[Anchor, ...]:
    values = {one.point.value for one in made.candidate.points}
    anchors: list[Anchor] = []
    for sentence in made.draft.anchors:
        spoken = view.spoken[sentence]
        whole = anchor_of(spoken, view.paper)
        numbers: list[Number] = [one for one in read_numbers(spoken.text) if one.value in values]
        parts = (whole, clause_of(spoken, numbers, whole)) if stated[sentence] > 1 else (whole,)
        anchors += [one for one in dict.fromkeys(parts) if one not in anchors]
    return tuple(anchors)
