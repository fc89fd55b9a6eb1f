"""Stories of what a value earns."""

from decimal import Decimal
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reproducegym.pipeline.targets.curves import guard_curve, quiet_zone, reward_curve, signed_relation
from reproducegym.schema.claim import Reason
from reproducegym.schema.contract import Curve, Expectation, ProbeChoice, ProbePlan
from reproducegym.verifier.curve import Curve as JudgesCurve
from reproducegym.verifier.curve import curve_fault, is_plausible, reward_at

OPEN = (None, None)
values = st.decimals(min_value=-(10**6), max_value=10**6, places=3)
widths = st.decimals(min_value="0.001", max_value=10**5, places=3)


def drawn(target, width, z=None, relation="equals", declared=OPEN) -> JudgesCurve:
    found = reward_curve(Decimal(target), Decimal(width), None if z is None else Decimal(z), relation, declared)
    assert isinstance(found, Curve), found
    curve = JudgesCurve(found.shape, found.points, found.plausible)
    assert curve_fault(curve) is None
    return curve


def earned(curve, x) -> float:
    return reward_at(curve, float(x)) if is_plausible(curve, float(x)) else 0.0


def code(*arguments) -> str:
    found = reward_curve(*arguments)
    assert isinstance(found, Reason)
    return found.code


def test_full_reward_within_the_tolerance_none_at_twice_that():
    curve = drawn("10", "1")
    assert [earned(curve, x) for x in (8, 8.5, 9, 10, 11, 11.5, 12, 99)] == [0, 0.5, 1, 1, 1, 0.5, 0, 0]


def test_no_effect_earns_nothing_when_it_is_nearer_than_twice_the_tolerance():
    curve = drawn("10", "1", "8.5")
    assert [earned(curve, x) for x in (8.5, 8.75, 9, 12, 11.5)] == [0, 0.5, 1, 0, 0.5]


def test_no_effect_above_the_target_cuts_the_other_side():
    curve = drawn("10", "1", "11.5")
    assert [earned(curve, x) for x in (8, 8.5, 11, 11.25, 11.5)] == [0, 0.5, 1, 0.5, 0]


@pytest.mark.parametrize("scale", ["1", "0.01", "100"])
def test_a_curve_has_no_favourite_size_of_numbers(scale):
    one = Decimal(scale)
    near, nearest = (drawn(10 * one, one, z * one) for z in (Decimal("8.5"), Decimal("8.95")))
    assert [x for x, _ in near.points] == pytest.approx([float(x * one) for x in (Decimal("8.5"), 9, 11, 12)])
    assert [x for x, _ in nearest.points[:2]] == pytest.approx([float(Decimal("8.95") * one), float(9 * one)])


@pytest.mark.parametrize("z", ["9", "10", "11", "10.5"])
def test_an_effect_no_larger_than_the_tolerance_is_within_noise(z):
    assert code(Decimal(10), Decimal(1), Decimal(z), "equals", OPEN) == "effect_within_noise"


def test_a_superiority_keeps_its_reward_until_it_is_implausible():
    curve = drawn("10", "1", "0", "at_least")
    assert [earned(curve, x) for x in (8, 9, 12, 15, 15.5)] == [0, 1, 1, 1, 0]
    assert not is_plausible(curve, 15.5)


def test_a_declared_range_ends_the_plateau_earlier():
    curve = drawn("98", "1", "50", "at_least", (0.0, 100.0))
    assert curve.plausible == (None, 100.0)


def test_an_upper_bound_mirrors_a_lower_one():
    curve = drawn("10", "1", "20", "at_most", (0.0, None))
    assert [earned(curve, x) for x in (4.9, 5, 11, 11.5, 12, 20)] == [0, 1, 1, 0.5, 0, 0]


@pytest.mark.parametrize(("relation", "z"), [("at_least", "20"), ("at_most", "0")])
def test_a_bound_that_no_effect_meets_has_no_direction(relation, z):
    assert code(Decimal(10), Decimal(1), Decimal(z), relation, OPEN) == "direction_unknown"


@pytest.mark.parametrize(
    ("target", "width"),
    [
        ("1e400", "1"),
        ("1.5e308", "2e307"),
        ("-1.5e308", "2e307"),
        ("1e20", "1"),
        ("1", "1e-30"),
        ("10000000000000010", "1"),
    ],
)
def test_what_floats_cannot_hold_is_refused(target, width):
    assert code(Decimal(target), Decimal(width), None, "equals", OPEN) == "formula_unsupported"


def test_a_guard_forgives_one_tolerance_and_has_no_ceiling():
    higher = guard_curve(Decimal(10), Decimal(1), "higher_is_better")
    lower = guard_curve(Decimal(10), Decimal(1), "lower_is_better")
    assert isinstance(higher, Curve)
    assert isinstance(lower, Curve)
    assert higher.points == ((8.0, 0.0), (9.0, 1.0))
    assert lower.points == ((11.0, 1.0), (12.0, 0.0))


@given(target=values, width=widths, z=st.none() | values, xs=st.lists(values, min_size=2, max_size=8))
def test_reward_only_falls_with_distance_and_no_effect_earns_nothing(target, width, z, xs):
    found = reward_curve(target, width, z, "equals", OPEN)
    if isinstance(found, Reason):
        assert found.code == "effect_within_noise"
        assert z is not None
        assert abs(target - z) <= width
        return
    curve = JudgesCurve(found.shape, found.points, found.plausible)
    assert curve_fault(curve) is None
    assert all(earned(curve, x) == 1 for x in (target, target - width, target + width))
    assert all(earned(curve, x) == 0 for x in (target - 2 * width, target + 2 * width))
    assert z is None or earned(curve, z) == 0
    for side in (1, -1):
        away = sorted(target + side * abs(x - target) for x in xs)[::side]
        assert all(earned(curve, near) >= earned(curve, far) for near, far in pairwise(away))


@given(target=values, width=widths, z=st.none() | values, relation=st.sampled_from(["at_least", "at_most"]))
def test_a_bound_never_pays_the_losing_side_or_the_implausible(target, width, z, relation):
    found = reward_curve(target, width, z, relation, OPEN)
    if isinstance(found, Reason):
        assert found.code in {"effect_within_noise", "direction_unknown"}
        return
    curve = JudgesCurve(found.shape, found.points, found.plausible)
    assert curve_fault(curve) is None
    way = 1 if relation == "at_least" else -1
    assert earned(curve, target + way * 4 * width) == 1
    assert earned(curve, target + way * 6 * width) == 0
    assert earned(curve, target - way * 2 * width) == 0
    assert z is None or earned(curve, z) == 0


@pytest.mark.parametrize(("target", "width", "shoulders"), [("1.1", "6", (0.0, 7.1)), ("99.5", "2", (97.5, 100.0))])
def test_full_reward_ends_with_the_range_of_the_metric(target, width, shoulders):
    curve = reward_curve(Decimal(target), Decimal(width), None, "equals", (0.0, 100.0))
    assert isinstance(curve, Curve)
    assert tuple(x for x, reward in curve.points if reward == 1) == shoulders
    assert curve.points[0][0] < shoulders[0] < shoulders[1] < curve.points[-1][0]


@pytest.mark.parametrize(
    ("quiet", "xs", "rewards"),
    [
        ("2", (2, 6, 7, 8, 10), (0, 0, 0.5, 1, 1)),  # 2d is nearer than the zone's edge
        ("6.5", (5, 6.5, 7.25, 8, 10), (0, 0, 0.5, 1, 1)),  # nothing within the zone
        ("7.8", (7.8, 7.9, 8, 10), (0, 0.5, 1, 1)),  # its edge lies just before t - d
        ("8.9", (8.9, 8.95, 9, 10), (0, 0.5, 1, 1)),  # its edge lies inside t ± d, which begins later then
    ],
)
def test_what_chance_gives_without_an_effect_earns_nothing(quiet, xs, rewards):
    found = reward_curve(Decimal(10), Decimal(2), Decimal(0), "equals", OPEN, Decimal(quiet))
    assert isinstance(found, Curve)
    curve = JudgesCurve(found.shape, found.points, found.plausible)
    assert curve_fault(curve) is None
    assert [round(earned(curve, x), 9) for x in xs] == list(rewards)


@given(
    target=values,
    width=widths,
    z=values,
    share=st.decimals("0.01", "0.5", places=2),
    relation=st.sampled_from(["equals", "at_least", "at_most"]),
)
def test_the_quiet_zone_pays_nothing_and_half_of_the_effect_stays_open(target, width, z, share, relation):
    quiet = abs(target - z) * share
    found = reward_curve(target, width, z, relation, OPEN, quiet)
    if isinstance(found, Reason):
        return
    curve = JudgesCurve(found.shape, found.points, found.plausible)
    assert curve_fault(curve) is None
    assert earned(curve, target) == 1
    towards = 1 if target > z else -1
    inside = z + towards * quiet * Decimal("0.999")
    assert earned(curve, inside) == earned(curve, z) == 0
    assert earned(curve, target - towards * min(width, abs(target - z) * Decimal("0.45"))) == 1


@pytest.mark.parametrize("measure", ["difference", "relative_change", "gap", "slope", "spearman", "absolute", "ratio"])
@pytest.mark.parametrize("value", ["-0.1", "0", "0.1"])
def test_a_bound_on_the_size_of_a_fall_is_a_bound_on_the_other_side(measure, value):
    turns = value == "-0.1" and measure not in {"absolute", "ratio"}
    ends = ("at_most", "at_least") if turns else ("at_least", "at_most")
    assert signed_relation("at_least", measure, Decimal(value)) == ends[0]
    assert signed_relation("at_most", measure, Decimal(value)) == ends[1]
    assert signed_relation("equals", measure, Decimal(value)) == "equals"


def test_the_quiet_zone_is_the_widest_that_the_null_probe_takes_for_nothing():
    def plan(name, **widths):
        asked = tuple(Expectation(metric=metric, value=0, abs=width, rms=None) for metric, width in widths.items())
        return ProbePlan(name=name, conditions=(), seeds=1, choices=(ProbeChoice(knobs={}, expect=asked),))

    plans = [plan("null", gain=0.3, gain_gap=0.7, other=5), plan("null", gain=0.4), plan("budget", gain=9)]
    assert quiet_zone(plans, "gain", {"gain", "other"}, plain=False) == Decimal("0.4")
    assert quiet_zone(plans, "gain", {"gain", "other"}, plain=True) == Decimal("0.7")
    assert quiet_zone(plans, "gain", {"gain", "gain_gap", "other"}, plain=True) == Decimal("0.4")
    assert quiet_zone(plans, "loss", {"gain"}, plain=False) == Decimal(0)


@pytest.mark.parametrize(
    ("relation", "z", "declared", "plausible"),
    [
        ("at_least", "0", (None, 14.0), (None, 14.0)),
        ("at_least", "0", (None, 16.0), (None, 15.0)),
        ("at_most", "20", (6.0, None), (6.0, None)),
        ("at_most", "20", (4.0, None), (5.0, None)),
        ("at_most", "20", (None, 11.0), (5.0, None)),
    ],
)
def test_a_bound_is_honoured_up_to_five_tolerances_or_the_range(relation, z, declared, plausible):
    assert drawn("10", "1", z, relation, declared).plausible == plausible


@pytest.mark.parametrize("width", ["0", "-1"])
def test_no_tolerance_is_no_curve(width):
    with pytest.raises(ValueError, match="a tolerance is positive"):
        reward_curve(Decimal(10), Decimal(width), None, "equals", OPEN)


@pytest.mark.parametrize("direction", ["higher_is_better", "lower_is_better"])
@given(reference=values, width=widths, one=values, other=values)
def test_a_guard_never_pays_less_for_better(direction, reference, width, one, other):
    found = guard_curve(reference, width, direction)
    assert isinstance(found, Curve)
    curve = JudgesCurve(found.shape, found.points, found.plausible)
    assert curve_fault(curve) is None
    worse, better = sorted((one, other), reverse=direction == "lower_is_better")
    assert 0 <= earned(curve, worse) <= earned(curve, better) <= 1
