"""How far an honest reproduction may land from a target, and how many seeds it takes to tell: one rule, all its inputs.

`d = max(prediction interval if the spread is usable, else policy; rounding; granularity) + read-off error`
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from decimal import Decimal
from statistics import NormalDist
from typing import Literal

from scipy.special import stdtrit

from reproducegym.pipeline.printed.decimals import ARITHMETIC, rounded, rounded_up, square_root
from reproducegym.pipeline.targets.derived import Derived, Measure
from reproducegym.pipeline.targets.trends import rank_width, reach_width
from reproducegym.schema.claim import MetricKind, OverSeeds, Spread
from reproducegym.schema.config import TolerancePolicy, ToleranceRow
from reproducegym.schema.spec import DerivationInput, SeedPlan, Tolerance

__all__ = [
    "Sample",
    "Setting",
    "interval",
    "items_noise",
    "normal_quantile",
    "policy_width",
    "samples_of",
    "seed_plan",
    "tolerance",
]

_QUANTILE_DIGITS = Decimal("1e-9")
_NORMAL_95 = Decimal("1.96")
_MEDIAN_NOISE = Decimal("1.2534")
"""The median of normal values scatters by sqrt(π/2) more than their mean; an interquartile mean by less than that."""


@dataclass(frozen=True)
class Setting:
    """What a tolerance depends on besides the derived value.

    `pattern` is the measure, `unit` that of its inputs; `n_items` the number of items a rate is taken over, None where
    the paper does not say. `error` is the chance that an honest run misses, for all `primaries` metrics together;
    `over_seeds` how its runs are combined; `level` what a first_reach must reach.
    """

    pattern: Measure
    kind: MetricKind
    unit: str
    n_items: int | None
    policy: TolerancePolicy
    error: Decimal
    primaries: int = 1
    over_seeds: OverSeeds = "mean"
    level: Decimal | None = None


@dataclass(frozen=True)
class Sample:
    """One input's spread as a standard deviation `s` over `n` runs, and the derived value's slope along it."""

    slope: Decimal
    s: Decimal
    n: int


def samples_of(derived: Derived, over_seeds: OverSeeds = "mean") -> tuple[Sample, ...] | None:
    """The spreads of all inputs when every one is usable (known kind, over seeds, n ≥ 2); None otherwise.

    One print that stands in two places of a formula (what a null probe compares) is one sample: each of its runs
    scatters by itself, but s is known no better than from its n runs. Medians and interquartile means scatter more than
    means do, and s is widened by that; how the best of several runs scatters, a spread doesn't say.
    """
    if over_seeds == "max":
        return None
    noise = Decimal(1) if over_seeds == "mean" else _MEDIAN_NOISE
    samples: dict[DerivationInput, Sample] = {}
    for one, slope in zip(derived.inputs, derived.slopes, strict=True):
        s = None if one.spread is None else _deviation(one.spread)
        if s is None or one.spread is None or one.spread.n is None:
            return None
        printed = one.model_copy(update={"name": ""})
        twin = samples.get(printed)
        both = slope if twin is None else square_root(slope**2 + twin.slope**2)
        samples[printed] = Sample(both, s * noise, one.spread.n)
    return tuple(samples.values())


def interval(samples: tuple[Sample, ...], runs: int, error: Decimal, *, against_paper: bool = True) -> Decimal:
    """Half-width within which the mean of `runs` runs lies from the paper's, but for a chance of `error`.

    `t(1 − error/2, ν) · sqrt(Σ slope² s² (1/n + 1/m))` with Welch's ν; slopes make it the delta method. For a plain
    value this is the textbook prediction interval. Without `against_paper` the expected value is known exactly (what
    a probe compares with), and the 1/n of the paper's own mean falls away.
    """
    variances = []
    for one in samples:
        per_run = Decimal(1) / runs + (Decimal(1) / one.n if against_paper else Decimal(0))
        variances.append(ARITHMETIC.multiply(one.slope * one.slope, one.s * one.s) * per_run)
    total = sum(variances, Decimal(0))
    if total == 0:
        return Decimal(0)
    weights = sum((v * v / (one.n - 1) for v, one in zip(variances, samples, strict=True)), Decimal(0))
    return _student_quantile(1 - error / 2, ARITHMETIC.divide(total * total, weights)) * square_root(total)


def seed_plan(
    derived: Derived, no_effect: Decimal | None, setting: Setting, *, policy_seeds: int, floor: int, cap: int
) -> SeedPlan:
    """The smallest number of hidden seeds whose interval is at most half of |t − z|, between `floor` and `cap`.

    Where no usable spread or no z says how many, the policy's number, `cap` at most; as many as `cap` allows where the
    best run counts. Never fewer than `floor`, which a smaller `cap` gives way to.
    """
    cap = max(floor, cap)
    samples = samples_of(derived, setting.over_seeds)
    if samples is None or no_effect is None:
        count = cap if setting.over_seeds == "max" else min(max(policy_seeds, floor), cap)
        return SeedPlan(count=count, origin="policy")
    half = abs(derived.value - no_effect) / 2
    for count in range(floor, cap + 1):
        if interval(samples, count, setting.error / setting.primaries) <= half:
            return SeedPlan(count=count, origin="prediction_interval")
    return SeedPlan(count=cap, origin="budget_cap")


def tolerance(derived: Derived, setting: Setting, seeds: int, *, against_paper: bool = True) -> Tolerance:
    """The half-width d, the rule that set it, and the numbers that the rules used; see `interval`."""
    if setting.pattern in {"spearman", "first_reach"}:
        return _of_steps(derived, setting, seeds)
    samples = samples_of(derived, setting.over_seeds)
    inputs = [("rounding", derived.rounding)]
    widths: list[tuple[Literal["prediction_interval", "reported_spread", "rounding", "granularity", "policy"], Decimal]]
    if samples is not None:
        width = interval(samples, seeds, setting.error / setting.primaries, against_paper=against_paper)
        inputs += [("prediction_interval", width), ("m", Decimal(seeds))]
        for number, one in enumerate(samples, 1):
            inputs += [(f"s_{number}", one.s), (f"n_{number}", Decimal(one.n))]
        widths = [("prediction_interval", width)]
    else:
        width = policy_width(derived, setting)
        printed = _printed_spread(derived)
        inputs += [("policy", width)] + ([("printed_spread", printed)] if printed else [])
        widths = [("policy", width), ("reported_spread", printed)]
    items = items_noise(derived, setting, normal_quantile(setting.error / setting.primaries))
    if items is not None and setting.n_items is not None:
        inputs += [("granularity", items), ("n_items", Decimal(setting.n_items))]
        widths.append(("granularity", items))
    widths.append(("rounding", derived.rounding))
    rule, widest = max(widths, key=lambda pair: pair[1])
    read_error = _read_error(derived)
    if read_error:
        inputs.append(("read_error", read_error))
    return Tolerance(
        abs=rounded_up(widest + read_error),
        rule=rule,
        inputs={name: rounded(value) for name, value in inputs},
    )


def _of_steps(derived: Derived, setting: Setting, seeds: int) -> Tolerance:
    """The width of a statistic that moves in steps: how far it goes when every value moves by its own tolerance.

    Where the level of a first_reach may then be missed altogether, the whole span of x: no effect can be told.
    """
    single = replace(setting, pattern="absolute")
    widths = [tolerance(_alone(one), single, seeds).abs for one in derived.inputs]
    if setting.pattern == "spearman":
        width: Decimal | None = rank_width(derived.inputs, widths)
    else:
        width = None if setting.level is None else reach_width(derived.inputs, widths, setting.level)
    xs = [one.x for one in derived.inputs if one.x is not None]
    widest = max(xs[-1] - xs[0] if width is None else width, derived.rounding)
    inputs = {"rounding": rounded(derived.rounding), "value_width": rounded(max(widths))}
    return Tolerance(abs=rounded_up(widest), rule="granularity", inputs=inputs)


def _alone(one: DerivationInput) -> Derived:
    """One input as a plain value."""
    step = one.resolution
    return Derived("a", (one,), one.value, one.unit, step, step / 2, (Decimal(1),), None)


def policy_width(derived: Derived, setting: Setting) -> Decimal:
    """The policy's half-width: each input's row value, propagated; the `ratio` row for ratios and relative changes.

    A rate over an unknown number of items is widened by the policy's factor. What is bounded by 0 and 100% keeps to a
    share of its distance to the nearer end.
    """
    rows = {row.kind: row for row in setting.policy.rows}
    if setting.pattern in {"ratio", "relative_change"}:
        ratio = derived.value + (1 if setting.pattern == "relative_change" else 0)
        return abs(ratio) * rows["ratio"].relative
    parts = (
        ARITHMETIC.multiply(slope, _row_width(rows[setting.kind], one.value, setting)) ** 2
        for one, slope in zip(derived.inputs, derived.slopes, strict=True)
    )
    return square_root(sum(parts, Decimal(0)))


def items_noise(derived: Derived, setting: Setting, quantile: Decimal) -> Decimal | None:
    """What N items can resolve: the larger of 1/N and `quantile · sqrt(2 p (1 − p) / N)`, propagated.

    None for anything but a rate over a known N.
    """
    if setting.kind != "rate" or setting.n_items is None:
        return None
    scale = Decimal(100) if setting.unit == "%" else Decimal(1)
    steps = sum((abs(slope) for slope in derived.slopes), Decimal(0)) * scale / setting.n_items
    squares = []
    for one, slope in zip(derived.inputs, derived.slopes, strict=True):
        p = min(max(one.value / scale, Decimal(0)), Decimal(1))
        squares.append((slope * scale) ** 2 * 2 * p * (1 - p) / setting.n_items)
    return max(steps, quantile * square_root(sum(squares, Decimal(0))))


def normal_quantile(error: Decimal) -> Decimal:
    """The two-sided normal quantile, up to two decimals (2.33 for an error of 2%)."""
    exact = Decimal(repr(NormalDist().inv_cdf(float(1 - error / 2))))
    return exact.quantize(Decimal("0.01"), rounding="ROUND_CEILING", context=ARITHMETIC)


def _row_width(row: ToleranceRow, value: Decimal, setting: Setting) -> Decimal:
    """One row at one value; the absolute part of a rate is on the percent scale.

    A value at the very end of its range has no distance to it, and keeps the row's width.
    """
    top = _top(setting)
    absolute = row.absolute / 100 if row.kind == "rate" and top == 1 else row.absolute
    width = max(row.relative * abs(value), absolute)
    if row.kind == "rate" and setting.n_items is None:
        width *= setting.policy.unknown_items_factor
    distance = Decimal(0) if top is None else min(value, top - value)
    return min(width, setting.policy.end_share * distance) if distance > 0 else width


def _top(setting: Setting) -> Decimal | None:
    """The upper end of a range that begins at 0: of rates and percent scores; None where there is none."""
    if setting.kind == "rate" or (setting.kind == "score" and setting.unit == "%"):
        return Decimal(100) if setting.unit == "%" else Decimal(1)
    return None


def _deviation(spread: Spread) -> Decimal | None:
    """A usable spread as a standard deviation, the largest that its kind and digits allow; None when it is not usable.

    A printed spread is itself rounded ("± 0.0" may be 0.05), so half a unit of its last digit is added. A 95% interval
    may be built with the normal or Student's quantile: the normal one gives the larger s. A range of half-width h
    bounds s by h·sqrt(n / (n − 1)) whatever the values inside (Popoviciu).
    """
    if spread.over != "seeds" or spread.n is None or spread.n < 2:
        return None
    n = Decimal(spread.n)
    largest = spread.value + _last_digit(spread.value) / 2
    match spread.kind:
        case "sd":
            return largest
        case "sem":
            return largest * square_root(n)
        case "ci95":
            return largest * square_root(n) / _NORMAL_95
        case "range":
            return largest * square_root(n / (n - 1))
        case "unknown":
            return None


def _last_digit(value: Decimal) -> Decimal:
    """One unit of the last printed digit."""
    exponent = value.as_tuple().exponent
    return Decimal(1).scaleb(exponent if isinstance(exponent, int) else 0)


def _printed_spread(derived: Derived) -> Decimal:
    """Printed spreads whose meaning is not known, propagated the worst way; 0 where none is printed."""
    return sum(
        (
            abs(slope) * one.spread.value
            for one, slope in zip(derived.inputs, derived.slopes, strict=True)
            if one.spread is not None
        ),
        Decimal(0),
    )


def _read_error(derived: Derived) -> Decimal:
    """Read-off errors of inputs taken from figures, propagated the worst way."""
    return sum(
        (abs(slope) * _worst_reading(one) for one, slope in zip(derived.inputs, derived.slopes, strict=True)),
        Decimal(0),
    )


def _worst_reading(one: DerivationInput) -> Decimal:
    """The error of a value that only figures show; one that is printed is not read off, whatever figures show too."""
    if any(place.kind != "figure_series" for place in one.provenance):
        return Decimal(0)
    errors: Iterable[Decimal] = (place.read_error for place in one.provenance if place.read_error is not None)
    return max(errors, default=Decimal(0))


def _student_quantile(probability: Decimal, freedom: Decimal) -> Decimal:
    """Student's t quantile, cut to nine decimals so that no platform's last bit reaches a contract."""
    value = float(stdtrit(float(freedom), float(probability)))
    return Decimal(repr(value)).quantize(_QUANTILE_DIGITS, context=ARITHMETIC)
