"""What a model may answer, step by step: closed models in which it points at the paper and never gives a value.

A number is always a quote with its place; what it is worth is read from the paper again. Unknown words of a vocabulary
do not fit, so that the model is asked once more; nothing is turned into a default.
"""

from typing import Literal

from reproducegym.schema.base import Frozen
from reproducegym.schema.claim import ClaimType, Direction, MetricKind, OverSeeds, Pattern, Relation, Statistic

__all__ = [
    "CellName",
    "CellPlace",
    "DirectionSaid",
    "Duplicates",
    "Found",
    "FoundClaim",
    "Merged",
    "PanelReading",
    "Quote",
    "Refined",
    "RefinedCondition",
    "RefinedMetric",
    "RefinedNumber",
    "RefinedPoint",
    "RefinedProtocol",
    "RefinedTrend",
    "SentencePlace",
    "SeriesPlace",
    "Switch",
]

DirectionSaid = Direction | Literal["not_said"]


class CellName(Frozen):
    """A table cell by its names; the first step sees no values."""

    kind: Literal["table_cell"]
    table: str
    row: tuple[str, ...]
    column: tuple[str, ...]


class CellPlace(Frozen):
    """A table cell by its names, with the number as it is printed there."""

    kind: Literal["table_cell"]
    table: str
    row: tuple[str, ...]
    column: tuple[str, ...]
    quote: str


class SentencePlace(Frozen):
    """A number of a sentence, as it is printed there."""

    kind: Literal["sentence"]
    sentence: str
    quote: str


class SeriesPlace(Frozen):
    """A series of a figure's panel at one x: a place on the axis as printed ("600"), or "last"."""

    kind: Literal["figure_series"]
    figure: str
    panel: str | None
    series: str
    x: str


class FoundClaim(Frozen):
    """Step 1: one claim, the sentences that state it, and where its numbers stand."""

    anchors: tuple[str, ...]
    statement: str
    claim_type: ClaimType
    pattern: Pattern
    metric: str
    method: str
    baseline: str | None
    dataset: str | None
    direction: DirectionSaid
    rests_on: tuple[CellName | SentencePlace | SeriesPlace, ...]


class Found(Frozen):
    """Step 1: every claim of one section."""

    claims: tuple[FoundClaim, ...]


class Duplicates(Frozen):
    """Step 2: claims that say the same, by their ids; the one to keep comes first."""

    claims: tuple[str, ...]


class Merged(Frozen):
    """Step 2: all groups of two or more; claims without a double are not named."""

    groups: tuple[Duplicates, ...]


class RefinedMetric(Frozen):
    """Step 3: what is measured, in the paper's own word."""

    name: str
    unit: str
    kind: MetricKind
    direction: DirectionSaid
    over_seeds: OverSeeds


class Switch(Frozen):
    """Step 3: one thing that sets a condition apart, in the evidence's words."""

    name: str
    value: str


class RefinedCondition(Frozen):
    """Step 3: a setting that must be run; `label` is the name that its row, column or series has."""

    role: Literal["treatment", "baseline", "part", "control"]
    label: str
    switches: tuple[Switch, ...]


class RefinedPoint(Frozen):
    """Step 3: a number and its part in the claim. `metric` names a guard's metric, `x` the place along a trend."""

    role: Literal["treatment", "baseline", "part", "printed", "chance", "control", "series", "level", "guard"]
    condition: str
    dataset: str | None
    metric: str | None
    x: str | None
    place: CellPlace | SentencePlace | SeriesPlace


class Quote(Frozen):
    """Step 3: words of a sentence or of a table's caption, notes or headers, by the id of the piece."""

    piece: str
    quote: str


class RefinedNumber(Frozen):
    """Step 3: a number of the set-up, as a sentence prints it."""

    name: str
    sentence: str
    quote: str


class RefinedProtocol(Frozen):
    """Step 3: how the experiment is run; null is what the evidence does not say."""

    method: Quote | None
    dataset: Quote | None
    evaluation: Quote | None
    numbers: tuple[RefinedNumber, ...]


class RefinedTrend(Frozen):
    """Step 3: how a trend is measured along what."""

    statistic: Statistic
    x_name: str
    x_unit: str


class Refined(Frozen):
    """Step 3: one claim with everything that a contract needs."""

    statement: str
    claim_type: ClaimType
    pattern: Pattern
    relation: Relation
    metric: RefinedMetric
    guards: tuple[RefinedMetric, ...]
    conditions: tuple[RefinedCondition, ...]
    points: tuple[RefinedPoint, ...]
    protocol: RefinedProtocol
    budget: str | None
    trend: RefinedTrend | None


class PanelReading(Frozen):
    """Step 4: one value read off an image of a panel, with the ends of the axis that it was read against.

    `value` and `error` are null where the panel does not show the series or its axis cannot be read.
    """

    axis_title: str | None
    axis_low: str | None
    axis_high: str | None
    scale: Literal["linear", "log", "unknown"]
    series: str | None
    value: str | None
    error: str | None
