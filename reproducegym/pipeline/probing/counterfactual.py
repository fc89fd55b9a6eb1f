"""The counterfactual probe: settings that the paper does not print, where a model of the host knows the answer."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from statistics import fmean, median, stdev

from reproducegym.pipeline.printed.decimals import ARITHMETIC, rounded, rounded_up
from reproducegym.pipeline.probing.ground import ProbeGround
from reproducegym.pipeline.probing.paper_probes import PaperProbe
from reproducegym.pipeline.targets.layout import LaidMetric
from reproducegym.pipeline.targets.tolerance import Sample, interval
from reproducegym.schema.claim import OverSeeds
from reproducegym.schema.config import VerificationConfig
from reproducegym.schema.contract import Expectation, ProbeChoice, ProbePlan
from reproducegym.schema.host_model import HostSetting, HostTruth

__all__ = ["counterfactual_plan"]

_TRENDS = frozenset({"slope", "spearman", "auc", "first_reach"})
_FEWEST = 3
"""With fewer hidden settings a guess has too good a chance."""
_SHARE = 20
"""A twentieth of the distance is allowed where the host's runs all came out alike, as rare events do."""
_MEDIAN_NOISE = Decimal("1.2534")


@dataclass(frozen=True)
class _Asked:
    """What one condition must give at one setting."""

    label: str
    value: Decimal
    width: Decimal


def counterfactual_plan(ground: ProbeGround, config: VerificationConfig) -> PaperProbe | str:
    """All of the claim's conditions at settings of the model's knobs, one of them drawn for each verification.

    A condition is asked at a setting where its truth stands apart from all values at the paper's own setting. Allowed
    is the noise of both sides' seeds, which must stay below half of that distance, or a twentieth of the distance.
    At a setting of several knobs some condition must also be told from what it gives with any one of them at its
    default: then nobody answers who knows the metric as a function of the others, however well. Two settings that one
    answer would pass count as one.
    """
    truth = ground.truth
    if truth is None:
        return "no_host_model"
    if ground.pattern in _TRENDS:
        return "rows_over_budget"
    if ground.setting.over_seeds == "max":
        return "no_power"
    for seeds in range(config.min_seeds, config.max_seeds + 1):
        kept = _told_apart(_settings(truth, ground, config, seeds))[: config.host_settings]
        if len(kept) == config.host_settings or (seeds == config.max_seeds and len(kept) >= _FEWEST):
            break
    else:
        return "no_power"
    labels = [one.label for one in ground.conditions if any(one.label == a.label for _, asked in kept for a in asked)]
    metrics = {label: LaidMetric(f"{label}_{ground.column}_mean", f"mean({label}.{ground.column})") for label in labels}
    choices = tuple(ProbeChoice(knobs=setting.knobs, expect=_expect(asked, metrics)) for setting, asked in kept)
    plan = ProbePlan(name="counterfactual", conditions=ground.conditions, seeds=seeds, choices=choices)
    return PaperProbe(plan, tuple(metrics.values()), ())


def _expect(asked: Sequence[_Asked], metrics: Mapping[str, LaidMetric]) -> tuple[Expectation, ...]:
    return tuple(
        Expectation(metric=metrics[one.label].name, value=float(one.value), abs=float(one.width), rms=None)
        for one in asked
    )


def _settings(
    truth: HostTruth, ground: ProbeGround, config: VerificationConfig, seeds: int
) -> Iterator[tuple[HostSetting, tuple[_Asked, ...]]]:
    """Every drawn setting at which some condition can be asked, with those that can."""
    over_seeds = ground.setting.over_seeds
    error = ARITHMETIC.divide(config.probe_error, Decimal(len(ground.conditions)))
    told = [_middle(values, over_seeds) for values in truth.default.values.values()]
    for drawn in truth.drawn:
        asked, telling = [], not drawn.without
        for condition in ground.conditions:
            values = drawn.setting.values[condition.label]
            value = _middle(values, over_seeds)
            apart = Decimal(repr(min(abs(value - one) for one in told)))
            spread = Decimal(repr(stdev(values))) * (Decimal(1) if over_seeds == "mean" else _MEDIAN_NOISE)
            noise = interval((Sample(Decimal(1), spread, len(values)),), seeds, error)
            if apart > 0 and noise < apart / 2:
                width = max(rounded_up(noise), rounded_up(apart / _SHARE))
                asked.append(_Asked(condition.label, rounded(Decimal(repr(value))), width))
                others = [_middle(one.values[condition.label], over_seeds) for one in drawn.without]
                telling = telling or all(abs(value - other) > width for other in others)
        if asked and telling:
            yield drawn.setting, tuple(asked)


def _told_apart(
    settings: Iterator[tuple[HostSetting, tuple[_Asked, ...]]],
) -> list[tuple[HostSetting, tuple[_Asked, ...]]]:
    """The settings in order, without those that an answer to an earlier one would pass too."""
    kept: list[tuple[HostSetting, tuple[_Asked, ...]]] = []
    for setting, asked in settings:
        own = {one.label: one for one in asked}
        if all(
            any(
                one.label in own and abs(one.value - own[one.label].value) > one.width + own[one.label].width
                for one in other
            )
            for _, other in kept
        ):
            kept.append((setting, asked))
    return kept


def _middle(values: Sequence[float], over_seeds: OverSeeds) -> float:
    return median(values) if over_seeds == "median" else fmean(values)
