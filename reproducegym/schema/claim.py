"""Claims as an extractor proposes them, and refusals as values: nothing here is trusted until it is compiled.

A pattern says what is computed from a claim's points, and which roles they take (`?`: may be missing):

- `absolute`: treatment, baseline?, chance?. The treatment's value.
- `difference`, `ratio`, `relative_change`: treatment, baseline, printed?. `a - b`, `a / b`, `(a - b) / b`.
- `comparison`: treatment, baseline. The treatment's value, and `a - b` where noise does not hide it.
- `mean`: two or more parts, printed?, baseline?, chance?. One condition over several data sets, or several conditions.
- `contrast` of two ablations: baseline (nothing removed), treatment (the ablation said to matter more), control (the
  other), printed?. With r_a = treatment / baseline and r_b = control / baseline: the gap `r_b - r_a`, and the dominance
  `(1 - r_a) / (1 - r_b)` where both effects have one sign.
- `near_zero`: treatment, baseline (which are said not to differ), control (a condition whose value does differ from the
  baseline's, else `no_control`). Signed `a - b`, both values, and the control's difference from the baseline.
- `order`: two or more parts, from the largest value to the smallest as the claim has them. The smallest adjacent gap.
- `trend`: three or more series points of the treatment's condition with their `x` (four for ranks), those of the
  baseline?, level?; and `Candidate.trend`. A statistic over x.
- `unquantified`: none.

Guard points go with any quantified pattern: the value (mostly the baseline's) that the treatment must not fall behind.
Several points of one role (but part, series, guard) are prints of one quantity: a table's wins over a figure's.
"""

from decimal import Decimal
from typing import Literal

from reproducegym.schema.base import BBox, Frozen, PageNumber

__all__ = [
    "Anchor",
    "Candidate",
    "ClaimType",
    "ConditionIdea",
    "Direction",
    "MetricIdea",
    "MetricKind",
    "OverSeeds",
    "Pattern",
    "Protocol",
    "ProtocolNumber",
    "Provenance",
    "Reason",
    "ReasonCode",
    "Rejected",
    "Relation",
    "RolePoint",
    "Spread",
    "Statistic",
    "TargetPoint",
    "Trend",
]

ClaimType = Literal["headline", "benchmark_result", "method_effect", "ablation", "scaling", "diagnostic"]
Direction = Literal["higher_is_better", "lower_is_better"]
Pattern = Literal[
    "absolute",
    "difference",
    "ratio",
    "relative_change",
    "comparison",
    "mean",
    "contrast",
    "near_zero",
    "order",
    "trend",
    "unquantified",
]
Statistic = Literal["slope", "spearman", "auc", "first_reach"]
Relation = Literal["equals", "at_least", "at_most"]
MetricKind = Literal["rate", "count", "loss", "return", "time", "ratio", "score"]
OverSeeds = Literal["mean", "median", "iqm", "max"]
ReasonCode = Literal[
    "no_quantity",
    "no_grounded_target",
    "ambiguous_target",
    "unit_mismatch",
    "condition_mismatch",
    "panel_mismatch",
    "formula_unsupported",
    "direction_unknown",
    "effect_within_noise",
    "no_control",
    "inconsistent_with_table",
    "figure_unreadable",
    "protocol_incomplete",
    "needs_unavailable_asset",
    "duplicate_of",
    "leak_unmaskable",
    "selftest_failed",
    "unanswered",
]


class Reason(Frozen):
    """Why a claim is not a task.

    `argument` completes a code: `duplicate_of:<uid>`, `selftest_failed:<name>`, `unanswered:<why>`.
    """

    code: ReasonCode
    argument: str | None
    detail: str

    def __str__(self) -> str:
        """The code as reports print it."""
        return self.code if self.argument is None else f"{self.code}:{self.argument}"


class Rejected(Frozen):
    """A refusal with all its reasons, most telling first."""

    reasons: tuple[Reason, ...]


class Anchor(Frozen):
    """A sentence of the paper that states the claim, quoted exactly."""

    kind: Literal["sentence"]
    page: PageNumber
    bbox: BBox
    quote: str


class Provenance(Frozen):
    """The place of one number: page, box and exact string; table or figure coordinates where it has them.

    Of a figure: `figure` is its id or printed number, `panel` the panel's printed label or, where it has none, its
    number from 1 in reading order, `series` the name as the legend prints it, `x` where on it the value was read,
    `read_error` how far the reading may be off, `bbox` a box on the chart, `quote` the series' name or the value
    that is printed at the point.
    """

    kind: Literal["table_cell", "sentence", "caption", "figure_series"]
    page: PageNumber
    bbox: BBox
    quote: str
    table: str | None = None
    row_path: tuple[str, ...] = ()
    column_path: tuple[str, ...] = ()
    figure: str | None = None
    panel: str | None = None
    series: str | None = None
    x: Decimal | None = None
    read_error: Decimal | None = None


class Spread(Frozen):
    """A printed uncertainty: value, what it is, over what, and how many; each part grounded or `unknown` / None."""

    value: Decimal
    kind: Literal["sd", "sem", "ci95", "range", "unknown"]
    over: Literal["seeds", "folds", "items", "unknown"]
    n: int | None


class TargetPoint(Frozen):
    """One number of the paper with its place. `resolution` is one unit of the last printed digit, in `unit`."""

    value: Decimal
    unit: str
    resolution: Decimal
    spread: Spread | None
    metric: str
    condition: str
    dataset: str | None
    provenance: tuple[Provenance, ...]


class RolePoint(Frozen):
    """A point and its part in the claim.

    `treatment` and `baseline` are compared; `part` is one term of a mean or order; `printed` is the derived value as
    the paper itself prints it; `chance` is the grounded level of an untrained or random run (same metric and data set).
    `control` is the third condition of a contrast or near zero; `series` one point of a trend, of the condition that
    its point names, at `x` (the number that labels the row or column, or the place on the figure's axis); `level` what
    a first_reach must reach; `guard` a reference value of a metric of `Candidate.guards`.
    """

    role: Literal["treatment", "baseline", "part", "printed", "chance", "control", "series", "level", "guard"]
    point: TargetPoint
    x: Decimal | None = None


class MetricIdea(Frozen):
    """What is measured. Column and formula names are the compiler's business.

    `over_seeds` is how the paper combines its runs: the mean unless it states median, IQM or best-of (`max`).
    """

    name: str
    unit: str
    kind: MetricKind
    direction: Direction | None
    over_seeds: OverSeeds = "mean"


class Trend(Frozen):
    """How a trend is measured: the statistic, and the paper's name and unit of what changes along x ("steps", "")."""

    statistic: Statistic
    x_name: str
    x_unit: str


class ConditionIdea(Frozen):
    """One setting that must be run: its label in the paper, and the switches that make it (`{"method": "UCB1"}`).

    The conditions of a trend are its treatment and, where there is one, its baseline.
    """

    role: Literal["treatment", "baseline", "part", "control"]
    source_label: str
    switches: dict[str, str]
    description: str


class ProtocolNumber(Frozen):
    """A set-up number of the paper (steps, seeds, learning rate): never hidden. `unit` may be empty."""

    name: str
    value: Decimal
    unit: str
    quote: str
    page: PageNumber


class Protocol(Frozen):
    """How the experiment is run, as far as the paper says; None and empty mean: not found."""

    method: str | None
    dataset: str | None
    evaluation: str | None
    numbers: tuple[ProtocolNumber, ...]


class Candidate(Frozen):
    """One claim: a falsifiable sentence, its anchors, and the points it rests on.

    `importance` orders claims (larger first). `doubts` are reasons the extractor already knows.
    `budget_knob` names the protocol number that is the training or interaction budget (steps, episodes), if known.
    `relation` says whether the claim states its value or bounds it; of a difference or relative change it speaks of
    the magnitude, as prose does ("cuts regret by at least 40%"). `guards` says what guard points measure, by the name
    that their points give as metric: another metric than the claim's own. `trend` goes with that pattern.
    """

    statement: str
    agent_statement: str
    title: str
    claim_type: ClaimType
    pattern: Pattern
    anchors: tuple[Anchor, ...]
    metric: MetricIdea
    points: tuple[RolePoint, ...]
    conditions: tuple[ConditionIdea, ...]
    protocol: Protocol
    budget_knob: str | None
    requires_training: bool
    requires_gpu: bool
    cost: Literal["S", "M", "L", "XL"]
    importance: int
    doubts: tuple[Reason, ...]
    relation: Relation = "equals"
    guards: tuple[MetricIdea, ...] = ()
    trend: Trend | None = None
