"""What a refined claim says against the words of the paper: formula, bound, wording, and who says it."""

import re
from collections.abc import Mapping, Sequence

from reproducegym.extraction.llm.places import Located, reason
from reproducegym.extraction.llm.replies import Refined
from reproducegym.extraction.llm.view import View
from reproducegym.extraction.rules.assertion import reports_others, states
from reproducegym.extraction.rules.bound import matching_pattern
from reproducegym.extraction.rules.entries import Entry
from reproducegym.extraction.rules.labels import find_mentions
from reproducegym.extraction.rules.printed import Said, numbers_said
from reproducegym.pipeline.printed.numbers import Number, read_numbers
from reproducegym.schema.claim import Reason, Relation

__all__ = ["formula_doubts", "strange_numbers", "wording_doubts"]

_SMALL = 12
"""Whole numbers up to this one count things ("five benchmarks") and are no results."""
_BOUNDS: dict[Relation, re.Pattern[str]] = {
    "at_least": re.compile(
        r"(?:at least|more than|over|above|exceed\w*|beyond|no less than|upwards of|[≥>])\s*$", re.I
    ),
    "at_most": re.compile(r"(?:at most|less than|under|below|up to|within|no more than|[≤<])\s*$", re.I),
}
"""What stands right before a number that bounds, and does not state, its quantity."""


def formula_doubts(
    view: View, texts: Sequence[str], reply: Refined, entries: Mapping[str, Entry], numbers: Sequence[Number]
) -> list[Reason]:
    """A pattern or relation that the sentences contradict; `numbers` are all that the claim points at."""
    doubts = []
    if reply.relation != "equals" and not _bounded(texts, _BOUNDS[reply.relation], numbers):
        words = reply.relation.replace("_", " ")
        doubts.append(reason("formula_unsupported", f'the model reads "{words}", which no sentence of the claim says'))
    treatment, baseline = entries.get("treatment"), entries.get("baseline")
    if treatment is None or baseline is None or reply.pattern not in {"difference", "ratio", "relative_change"}:
        return doubts
    effects: list[Said] = [
        said for text in texts for said in numbers_said(text, find_mentions(text, view.labels)) if said.effect
    ]
    patterns = {matching_pattern(said, treatment, baseline) for said in effects} - {None}
    if patterns and reply.pattern not in patterns:
        named = " or ".join(sorted(str(one).replace("_", " ") for one in patterns))
        detail = f"the sentence states a {named} of these cells, the model a {reply.pattern.replace('_', ' ')}"
        doubts.append(reason("formula_unsupported", detail))
    return doubts


def _bounded(texts: Sequence[str], words: re.Pattern[str], numbers: Sequence[Number]) -> bool:
    wanted = {one.value for one in numbers}
    return any(
        words.search(text[: number.start]) for text in texts for number in read_numbers(text) if number.value in wanted
    )


def wording_doubts(
    view: View, texts: Sequence[str], reply: Refined, seen: Sequence[str], values: Sequence[Located]
) -> list[Reason]:
    """A statement with a number that the evidence does not print; sentences that report others or put a reserve."""
    doubts = []
    strange = strange_numbers(reply.statement, seen, [one.number for one in values])
    if strange:
        doubts.append(reason("no_grounded_target", f'the model\'s statement has "{strange[0]}", which nothing prints'))
    mentioned = [find_mentions(text, view.labels) for text in texts]
    if all(reports_others(text, mentions) for text, mentions in zip(texts, mentioned, strict=True)):
        doubts.append(reason("condition_mismatch", "the sentence reports what others found"))
    stating = [
        (text, mentions, starts)
        for text, mentions in zip(texts, mentioned, strict=True)
        for starts in [_starts(text, values)]
        if starts
    ]
    if reply.pattern != "near_zero" and stating and not any(states(*one) for one in stating):
        doubts.append(reason("condition_mismatch", "the sentence states its number with a reserve, or denies it"))
    return doubts


def strange_numbers(statement: str, seen: Sequence[str], numbers: Sequence[Number]) -> list[str]:
    """Numbers of a statement that no text prints, by value or as spelled; small whole ones only count things."""
    printed = {number.value for text in seen for number in read_numbers(text)} | {one.value for one in numbers}
    return [
        one.text
        for one in read_numbers(statement)
        if one.value not in printed
        and not (one.unit == "" and one.value == one.value.to_integral_value() and 0 <= one.value <= _SMALL)
        and not any(re.search(rf"(?<![\d.,]){re.escape(one.text)}(?![\d.,]?\d)", text) for text in seen)
    ]


def _starts(text: str, values: Sequence[Located]) -> list[int]:
    """Where a sentence prints one of the claim's numbers."""
    wanted = {one.number.value for one in values}
    return [number.start for number in read_numbers(text) if number.value in wanted]
