"""The probe `data`: with the labels of its data set dealt out anew, what a claim measures must fall to chance."""

from dataclasses import dataclass
from decimal import Decimal

from reproducegym.pipeline.printed.decimals import ARITHMETIC, rounded_up, square_root
from reproducegym.pipeline.probing.chance import Chance, chance_of
from reproducegym.pipeline.probing.ground import ProbeGround, alone, noise_below
from reproducegym.pipeline.probing.paper_probes import PaperProbe
from reproducegym.pipeline.targets.columns import dataset_of
from reproducegym.pipeline.targets.layout import LaidMetric, Layout
from reproducegym.pipeline.targets.terms import Terms, input_of
from reproducegym.pipeline.targets.tolerance import normal_quantile
from reproducegym.schema.asset import OfferedAsset
from reproducegym.schema.claim import TargetPoint
from reproducegym.schema.config import VerificationConfig
from reproducegym.schema.contract import Expectation, ProbeChoice, ProbePlan

__all__ = ["data_plan", "levels_of"]

_TEST_SHARE = 10
"""Where the paper does not say on how many items it tests, a tenth of all that are labelled is taken for it."""


@dataclass(frozen=True)
class _Level:
    """A condition's level that must fall: to `chance`, give or take `half` of what it stands out by."""

    label: str
    chance: Chance
    half: Decimal

    @property
    def allowed(self) -> Decimal:
        """From the middle of the chance levels to half-way between the nearer one and the claim's own."""
        return (self.chance.high - self.chance.low) / 2 + self.half


def data_plan(ground: ProbeGround, config: VerificationConfig) -> PaperProbe | str:
    """One run for each drawn order of labels, and for each of the claim's conditions above chance what it must show.

    The levels themselves are asked, whatever the claim compares: they stand out from chance by more than from each
    other. The fewest seeds are taken whose noise, that of the paper's runs and that of guessing on so many items,
    stays below half of what is asked, in single runs too: those that are wrong to both sides must not cancel.
    """
    if not ground.assets:
        return "no_asset"
    labelled = [one for one in ground.assets if len(one.counts) > 1]
    if len(labelled) != 1:
        return "several_assets" if labelled else "no_labels"
    if ground.levels is None:
        return "no_chance_level"
    levels = _levels(ground, labelled[0])
    if levels is None:
        return "no_chance_level"
    items = ground.setting.n_items or max(1, sum(labelled[0].counts.values()) // _TEST_SHARE)
    least = config.min_seeds
    found = [(one, _seeds(ground, one, point, items, config)) for one, point in levels]
    strong = [(one, seeds) for one, seeds in found if seeds is not None]
    if not strong:
        return "no_power"
    metrics = tuple(
        LaidMetric(f"{one.label}_{ground.column}", f"mean({one.label}.{ground.column})") for one, _ in strong
    )
    expect = tuple(
        Expectation(
            metric=metric.name,
            value=float(one.chance.middle),
            abs=float(rounded_up(one.allowed)),
            rms=float(rounded_up(one.allowed)),
        )
        for metric, (one, _) in zip(metrics, strong, strict=True)
    )
    plan = ProbePlan(
        name="data",
        conditions=ground.conditions,
        seeds=max(least, *(seeds for _, seeds in strong)),
        choices=(ProbeChoice(knobs={}, expect=expect),),
        asset=labelled[0].asset.name,
    )
    return PaperProbe(plan, metrics, ())


def levels_of(terms: Terms, layout: Layout) -> tuple[tuple[str, TargetPoint], ...] | None:
    """The grounded value of each condition that is run; None where it stands for several rows or data sets."""
    points = terms.compared()
    if layout.steps or len({dataset_of(point) for point in points}) != 1:
        return None
    label_of = {_key(one.source_label): one.label for one in layout.conditions}
    named = {label_of.get(_key(point.condition)): point for point in points}
    return tuple((label, point) for label, point in named.items() if label is not None)


def _key(text: str) -> str:
    return " ".join(text.split()).casefold()


def _levels(ground: ProbeGround, asset: OfferedAsset) -> list[tuple[_Level, TargetPoint]] | None:
    """Every level of the claim that stands above chance, on the metric's better side; None without a chance level."""
    chance = chance_of(ground.metric_name, ground.setting.unit, asset.counts)
    if chance is None and ground.chance is not None:
        chance = Chance(ground.chance, ground.chance)
    if chance is None:
        return None
    found = []
    for label, point in ground.levels or ():
        above = point.value - chance.high if ground.higher_is_better else chance.low - point.value
        if above > 0:
            found.append((_Level(label, chance, above / 2), point))
    return found


def _seeds(
    ground: ProbeGround, level: _Level, point: TargetPoint, items: int, config: VerificationConfig
) -> int | None:
    """How many runs it takes until noise stays below what is asked; None where single runs already exceed it."""
    guessing = _guessing(level, ground.setting.unit, items, config)
    derived = alone(input_of("a", point))
    width, seeds = noise_below(
        derived, "absolute", ground.setting, config, config.budget_probe_seeds, level.half, least=config.min_seeds
    )
    return None if width is None or guessing >= level.half else seeds


def _guessing(level: _Level, unit: str, items: int, config: VerificationConfig) -> Decimal:
    """How far one run's answers at chance may stray on so many items, but for a chance of `probe_error`."""
    whole = Decimal(100 if unit == "%" else 1)
    share = min(Decimal(1), abs(ARITHMETIC.divide(level.chance.middle, whole)))
    share = share if 0 < share < 1 else Decimal("0.5")
    spread = square_root(ARITHMETIC.divide(share * (1 - share), Decimal(items)))
    return normal_quantile(config.probe_error) * spread * whole
