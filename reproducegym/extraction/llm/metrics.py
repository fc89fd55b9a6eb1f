"""Decides what a claim measures: the paper's own words go first, and a model that contradicts them is refused."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from reproducegym.extraction.llm.places import Located, reason
from reproducegym.extraction.llm.replies import RefinedMetric
from reproducegym.extraction.rules.entries import Entry
from reproducegym.extraction.rules.metric_words import metric_word, same_metric
from reproducegym.pipeline.grounding.binding import convert
from reproducegym.schema.claim import Direction, MetricIdea, OverSeeds, Reason

__all__ = ["Measured", "measured", "stated_direction"]

_UNITS = {
    "percent": "%",
    "percentage": "%",
    "pp": "%",
    "percentage points": "%",
    "points": "%",
    "x": "×",
    "times": "×",
    "seconds": "s",
    "sec": "s",
    "milliseconds": "ms",
    "hours": "h",
    "minutes": "min",
    "none": "",
}
"""Spellings of a unit; "points" are those of a percentage."""
_STEM = 5
"""Letters by which two forms of a word are one ("length", "lengths")."""
_SAID_HIGHER = re.compile(r"\b(?:higher|larger|more|greater)(?: values?)? (?:is|are) better\b|↑", re.IGNORECASE)
_SAID_LOWER = re.compile(r"\b(?:lower|smaller|less|fewer)(?: values?)? (?:is|are) better\b|↓", re.IGNORECASE)
_COMBINES: dict[OverSeeds, re.Pattern[str]] = {
    "mean": re.compile(""),
    "median": re.compile(r"\bmedians?\b", re.IGNORECASE),
    "iqm": re.compile(r"\biqm\b|\binterquartile mean", re.IGNORECASE),
    "max": re.compile(r"\bbest\b|\bmaxim|\bmax\b", re.IGNORECASE),
}


@dataclass(frozen=True)
class Measured:
    """What is measured, and every contradiction between the model and the paper."""

    idea: MetricIdea
    doubts: tuple[Reason, ...]


def measured(
    said: RefinedMetric, places: Sequence[Located], texts: Sequence[str], winner: Direction | None
) -> Measured:
    """A model's metric held against the cells it points at, and the texts of its evidence.

    `winner` is the direction that follows from who is said to be better and has which number; None where no sentence
    says so. Where our own reading of a cell knows the metric, its name, unit and direction stand.
    """
    entries = [one.entry for one in places if one.entry is not None]
    known = next((one for one in entries if one.word is not None and not one.word.is_unknown), None)
    doubts = [*_other_metric(said, known), *_unheard_of(said, known, texts)]
    unit = _unit(said, known, places)
    if isinstance(unit, Reason):
        doubts.append(unit)
        unit = known.unit if known else ""
    direction = _direction(said, known or next(iter(entries), None), texts, winner)
    if isinstance(direction, Reason):
        doubts.append(direction)
        direction = None
    if said.over_seeds != "mean" and not any(_COMBINES[said.over_seeds].search(text) for text in texts):
        detail = f'the model combines runs by "{said.over_seeds}", which nothing in the evidence says'
        doubts.append(reason("formula_unsupported", detail))
    idea = MetricIdea(
        name=known.metric_name if known else said.name,
        unit=unit,
        kind=known.kind if known else said.kind,
        direction=direction,
        over_seeds=said.over_seeds,
    )
    return Measured(idea, tuple(doubts))


def stated_direction(text: str) -> Direction | None:
    """What a header, caption or sentence says outright: an arrow, or "lower is better"."""
    up, down = bool(_SAID_HIGHER.search(text)), bool(_SAID_LOWER.search(text))
    if up == down:
        return None
    return "higher_is_better" if up else "lower_is_better"


def _other_metric(said: RefinedMetric, known: Entry | None) -> list[Reason]:
    """A model that calls the cell's metric by the name of another one."""
    word = metric_word(said.name)
    if known is None or known.word is None or word is None or not word.is_strong or not known.word.is_strong:
        return []
    if same_metric(word, known.word) or known.metric_name.casefold() in said.name.casefold():
        return []
    detail = f'the model measures "{said.name}", table {known.table_name} prints "{known.metric_name}" there'
    return [reason("unit_mismatch", detail)]


def _unheard_of(said: RefinedMetric, known: Entry | None, texts: Sequence[str]) -> list[Reason]:
    """A metric of which the evidence does not speak, where our own reading of the cell does not know it."""
    heard = " ".join(texts).casefold()
    words = [word[:_STEM] for word in re.findall(r"[^\W\d_]{3,}", said.name.casefold())]
    if known is not None or (words and all(word in heard for word in words)):
        return []
    return [reason("unit_mismatch", f'nothing in the evidence is called "{said.name}"')]


def _unit(said: RefinedMetric, known: Entry | None, places: Sequence[Located]) -> str | Reason:
    """The unit that the paper prints; where it prints none the model's, for which grounding asks the paper's words."""
    unit = _UNITS.get(said.unit.strip().casefold(), said.unit.strip())
    units = [one.entry.unit for one in places if one.entry is not None] + [one.number.unit for one in places]
    units = [known.unit] if known is not None else ["%" if one == "pp" else one for one in units if one]
    if not units:
        return unit
    if unit and convert(Decimal(1), unit, units[0]) is None:
        return reason("unit_mismatch", f'the model gives "{said.unit}", the paper prints "{units[0]}"')
    return units[0]


def _direction(
    said: RefinedMetric, entry: Entry | None, texts: Sequence[str], winner: Direction | None
) -> Direction | Reason | None:
    """The paper's word on what is better: header, caption, sentences about the metric, then who is said to win.

    Where the paper says nothing there is no direction, whatever the model says.
    """
    evidence: list[tuple[str, Direction]] = []
    if entry is not None and entry.direction is not None:
        evidence.append((f'"{" / ".join(entry.heads) or entry.metric_name}"', entry.direction))
    word = metric_word(said.name)
    if not evidence and word is not None and word.direction is not None:
        evidence.append((f'"{said.name}"', word.direction))
    about = said.name.casefold()
    for text in texts:
        stated = stated_direction(text)
        if stated is not None and about and about in text.casefold():
            evidence.append((f'"{text[:80]}"', stated))
    if winner is not None:
        if evidence and evidence[0][1] != winner:
            detail = (
                f"{evidence[0][0]} says {_words(evidence[0][1])}; the number of what is said to be better is the worse"
            )
            return reason("condition_mismatch", f"{detail}: method and baseline may be swapped")
        evidence.append(("the sentence that says who is better", winner))
    if not evidence:
        return None
    source, direction = evidence[0]
    if said.direction not in {"not_said", direction}:
        return reason(
            "direction_unknown", f"the model says {_words(said.direction)}, {source} says {_words(direction)}"
        )
    return direction


def _words(direction: str) -> str:
    return direction.replace("_", " ")
