"""Stories of how far an honest reproduction may land."""

import math
from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from printed_terms import CONFIG, close, derived, setting, term
from scipy.stats import t as student_t

from reproducegym.pipeline.targets.curves import reward_curve
from reproducegym.pipeline.targets.derived import Derived
from reproducegym.pipeline.targets.tolerance import (
    Sample,
    Setting,
    interval,
    normal_quantile,
    policy_width,
    samples_of,
    seed_plan,
    tolerance,
)
from reproducegym.pipeline.targets.trends import derive_trend
from reproducegym.schema.claim import Reason
from reproducegym.verifier.curve import Curve as JudgesCurve
from reproducegym.verifier.curve import reward_at


def test_a_plain_value_gets_the_textbook_prediction_interval():
    found = tolerance(derived("absolute", term("a", "47.3", "1.2", n=5)), setting(), 3)
    assert found.rule == "prediction_interval"
    assert close(found.abs, student_t.ppf(0.99, 4) * 1.25 * math.sqrt(1 / 5 + 1 / 3))


def test_several_primaries_share_the_joint_error():
    value = derived("absolute", term("a", "47.3", "1.2", n=5))
    found = tolerance(value, setting(primaries=2), 3)
    assert close(found.abs, student_t.ppf(0.995, 4) * 1.25 * math.sqrt(1 / 5 + 1 / 3))


def test_a_difference_is_welchs():
    value = derived("difference", term("a", "47.3", "1.2", n=5), term("b", "60.1", "2.95", n=10))
    found = tolerance(value, setting("difference"), 2)
    v_a, v_b = 1.25**2 * (1 / 5 + 1 / 2), 2.955**2 * (1 / 10 + 1 / 2)
    freedom = (v_a + v_b) ** 2 / (v_a**2 / 4 + v_b**2 / 9)
    assert close(found.abs, student_t.ppf(0.99, freedom) * math.sqrt(v_a + v_b))


def test_a_ratio_goes_by_the_delta_method():
    value = derived("ratio", term("a", "40.0", "1.0"), term("b", "20.0", "1.0"))
    found = tolerance(value, setting("ratio"), 5)
    v_a, v_b = (1.05 / 20) ** 2 * (2 / 5), (40 * 1.05 / 400) ** 2 * (2 / 5)
    freedom = (v_a + v_b) ** 2 / ((v_a**2 + v_b**2) / 4)
    assert close(found.abs, student_t.ppf(0.99, freedom) * math.sqrt(v_a + v_b))


@pytest.mark.parametrize(
    ("kind", "factor"), [("sd", 1.0), ("sem", math.sqrt(5)), ("ci95", math.sqrt(5) / 1.96), ("range", math.sqrt(5 / 4))]
)
def test_every_known_kind_of_spread_becomes_a_standard_deviation(kind, factor):
    (sample,) = samples_of(derived("absolute", term("a", "47.3", "1.2", kind=kind))) or ()
    assert close(sample.s, 1.25 * factor)


@pytest.mark.parametrize("spread", [{"kind": "unknown"}, {"over": "folds"}, {"over": "items"}, {"n": None}, {"n": 1}])
def test_a_spread_of_unknown_meaning_only_widens_the_policy(spread):
    narrow = tolerance(derived("absolute", term("a", "47.30", "0.01", **spread)), setting(kind="loss"), 3)
    assert (narrow.rule, narrow.abs) == ("policy", Decimal("1.419"))
    wide = tolerance(derived("absolute", term("a", "47.3", "9.0", **spread)), setting(kind="loss"), 3)
    assert (wide.rule, wide.abs) == ("reported_spread", Decimal("9"))


def test_one_usable_spread_of_two_is_not_enough():
    assert samples_of(derived("difference", term("a", "47.3", "1.2"), term("b", "60.1"))) is None


def test_one_print_in_two_places_is_known_from_its_own_runs_alone():
    twin = derived("difference", term("a", "47.3", "1.2"), term("b", "47.3", "1.2"))
    found = tolerance(twin, setting(), 3, against_paper=False)
    assert close(found.abs, student_t.ppf(0.99, 4) * 1.25 * math.sqrt(2 / 3))
    (sample,) = samples_of(twin) or ()
    assert (close(sample.slope, math.sqrt(2)), sample.n) == (True, 5)
    (sample,) = samples_of(derived("ratio", term("a", "47.3", "1.2"), term("b", "47.3", "1.2"))) or ()
    assert close(sample.slope, math.sqrt(2) / 47.3)


def test_printed_digits_bound_every_tolerance():
    found = tolerance(derived("absolute", term("a", "47", "0.001")), setting(), 3)
    assert (found.rule, found.abs) == ("rounding", Decimal(1))


def test_thirty_questions_cannot_say_more():
    value = derived("absolute", term("a", "43.3"), unit="%")
    found = tolerance(value, setting(kind="rate", unit="%", n_items=30), 3)
    assert found.rule == "granularity"
    assert found.abs.quantize(Decimal("0.1")) == Decimal("29.8")


def test_a_perfect_rate_still_moves_by_one_item():
    value = derived("absolute", term("a", "100.0"), unit="%")
    found = tolerance(value, setting(kind="rate", unit="%", n_items=20), 3)
    assert (found.rule, found.abs) == ("granularity", Decimal(5))


def test_more_than_all_items_scatter_no_more_than_all_of_them():
    value = derived("absolute", term("a", "104.0"), unit="%")
    found = tolerance(value, setting(kind="rate", unit="%", n_items=20), 3)
    assert (found.rule, found.abs) == ("granularity", Decimal(5))


def test_a_fraction_gets_the_same_tolerance_as_its_percentage():
    percent = tolerance(derived("absolute", term("a", "43.3"), unit="%"), setting(kind="rate", unit="%"), 3)
    fraction = tolerance(derived("absolute", term("a", "0.433")), setting(kind="rate"), 3)
    assert percent.abs == fraction.abs * 100
    assert percent.rule == fraction.rule == "policy"


def test_an_unknown_number_of_items_widens_the_policy():
    value = derived("absolute", term("a", "70.0"), unit="%")
    assert tolerance(value, setting(kind="rate", unit="%"), 3).abs == Decimal("70.0") * Decimal("0.02") * Decimal("1.5")


@pytest.mark.parametrize(
    ("kind", "unit", "printed", "wanted"),
    [
        ("rate", "%", "4.1", "1.025"),
        ("rate", "%", "1.1", "0.275"),
        ("rate", "%", "98.9", "0.275"),
        ("rate", "", "0.989", "0.00275"),
        ("score", "%", "99.0", "0.25"),
        ("rate", "%", "100.0", "3"),
        ("rate", "%", "0.1", "0.1"),
        ("score", "", "0.99", "0.0198"),
        ("loss", "%", "99.0", "2.97"),
    ],
)
def test_near_an_end_of_its_range_a_rate_keeps_to_a_share_of_the_distance(kind, unit, printed, wanted):
    found = tolerance(derived("absolute", term("a", printed), unit=unit), setting(kind=kind, unit=unit), 3)
    assert found.abs == Decimal(wanted)


@given(st.decimals(min_value="0.1", max_value="99.9", places=1), st.sampled_from(["rate", "score"]))
def test_a_policy_never_reaches_an_end_of_the_range(value, kind):
    found = tolerance(derived("absolute", term("a", str(value)), unit="%"), setting(kind=kind, unit="%"), 3)
    assert found.abs <= max(min(value, 100 - value) / 4, Decimal("0.1"))


def test_a_median_scatters_more_than_a_mean():
    value = derived("absolute", term("a", "47.3", "1.2"))
    mean, median = (tolerance(value, replace(setting(), over_seeds=over_seeds), 3) for over_seeds in ("mean", "median"))
    assert close(median.abs, 1.2534 * float(mean.abs))


def test_the_spread_of_runs_is_none_of_their_best_but_widens_it():
    best = replace(setting(kind="loss"), over_seeds="max")
    value = derived("absolute", term("a", "47.3", "9.0"))
    assert (tolerance(value, best, 5).rule, tolerance(value, best, 5).abs) == ("reported_spread", Decimal(9))
    assert seed_plan(value, Decimal(90), best, policy_seeds=3, floor=2, cap=5).count == 5


def test_the_policy_of_a_small_difference_follows_the_size_of_its_parts():
    value = derived("difference", term("a", "2.31"), term("b", "2.25"))
    found = tolerance(value, setting("difference", kind="loss"), 3)
    assert close(found.abs, 0.03 * math.hypot(2.31, 2.25))


def test_read_off_errors_come_on_top():
    without = tolerance(derived("absolute", term("a", "47.3", "1.2")), setting(), 3)
    with_error = tolerance(derived("absolute", term("a", "47.3", "1.2", read_error="0.5")), setting(), 3)
    assert abs(with_error.abs - without.abs - Decimal("0.5")) < Decimal("0.0001")


def test_a_spread_printed_as_zero_may_be_half_a_digit():
    found = tolerance(derived("absolute", term("a", "10.0", "0.0", n=5)), setting(), 2)
    assert found.rule == "prediction_interval"
    assert close(found.abs, student_t.ppf(0.99, 4) * 0.05 * math.sqrt(1 / 5 + 1 / 2))


def test_the_normal_quantile_is_rounded_up():
    assert normal_quantile(Decimal("0.02")) == Decimal("2.33")


@given(
    value=st.decimals(min_value=1, max_value=1000, places=1),
    spread=st.decimals(min_value=0, max_value=100, places=2),
    more=st.decimals(min_value=0, max_value=100, places=2),
    n=st.integers(2, 30),
    runs=st.integers(1, 8),
)
def test_tolerance_grows_with_spread_and_never_falls_below_rounding(value, spread, more, n, runs):
    narrow, wide = (
        tolerance(derived("absolute", term("a", str(value), str(s), n=n)), setting(), runs).abs
        for s in (spread, spread + more)
    )
    assert Decimal("0.1") <= narrow <= wide


@given(spread=st.decimals(min_value="0.01", max_value=100, places=2), n=st.integers(2, 30), runs=st.integers(1, 8))
def test_more_runs_never_widen_a_tolerance(spread, n, runs):
    value = derived("absolute", term("a", "50.0", str(spread), n=n))
    assert tolerance(value, setting(), runs + 1).abs <= tolerance(value, setting(), runs).abs


@pytest.mark.parametrize(
    ("pattern", "terms", "wanted"),
    [("ratio", ("40.0", "20.0"), 2.0), ("ratio", ("20.0", "40.0"), 0.5), ("relative_change", ("40.0", "20.0"), 2.0)],
)
def test_the_policy_of_a_ratio_is_a_share_of_the_ratio_itself(pattern, terms, wanted):
    """A rise by 100% is a ratio of two."""
    value = derived(pattern, term("a", terms[0]), term("b", terms[1]))
    found = policy_width(value, setting(pattern, kind="loss"))
    assert found == Decimal(str(wanted)) * next(row.relative for row in CONFIG.tolerances.rows if row.kind == "ratio")
    assert found > 0


def test_what_is_known_exactly_leaves_only_the_scatter_of_our_own_runs():
    value = derived("absolute", term("a", "47.3", "1.2", n=5))
    found = tolerance(value, setting(), 3, against_paper=False)
    assert close(found.abs, student_t.ppf(0.99, 4) * 1.25 * math.sqrt(1 / 3))
    assert found.abs < tolerance(value, setting(), 3).abs


def test_a_setting_is_of_one_primary_metric_unless_it_says_more():
    one = Setting("absolute", "count", "", None, CONFIG.tolerances, CONFIG.verification.joint_error)
    value = derived("absolute", term("a", "47.3", "1.2"))
    assert tolerance(value, one, 3) == tolerance(value, setting(), 3) != tolerance(value, setting(primaries=2), 3)


def test_several_primaries_share_the_error_of_items_too():
    value = derived("absolute", term("a", "43.3"), unit="%")
    one, two = (tolerance(value, setting(kind="rate", unit="%", n_items=30, primaries=n), 3) for n in (1, 2))
    assert (one.rule, two.rule) == ("granularity", "granularity")
    assert close(two.abs / one.abs, 2.58 / 2.33)


def test_no_scatter_at_all_leaves_the_printed_digits():
    value = derived("absolute", term("a", "47.3", "1.2"), unit="")
    assert interval((Sample(Decimal(0), Decimal(1), 5),), 3, Decimal("0.02")) == 0
    assert interval((Sample(Decimal(1), Decimal(0), 5),), 3, Decimal("0.02")) == 0
    assert interval(samples_of(value) or (), 3, Decimal("0.02")) > 0


def test_half_of_the_effect_itself_is_narrow_enough():
    value = derived("absolute", term("a", "47.3", "1.2", n=5))
    width = tolerance(value, setting(), 3).abs
    samples = samples_of(value)
    assert samples is not None
    exact = interval(samples, 3, CONFIG.verification.joint_error)
    at, nearer = (
        seed_plan(value, value.value + 2 * exact * share, setting(), policy_seeds=9, floor=1, cap=9)
        for share in (Decimal(1), Decimal("0.99"))
    )
    assert (at.count, at.origin, nearer.count) == (3, "prediction_interval", 4)
    assert width >= exact


def test_two_runs_are_enough_for_a_spread():
    assert samples_of(derived("absolute", term("a", "47.3", "1.2", n=2))) is not None


def test_the_tolerance_says_what_it_was_made_of():
    usable = tolerance(derived("absolute", term("a", "47.3", "1.2", n=5, read_error="0.5")), setting(), 3).inputs
    assert (usable["s_1"], usable["n_1"], usable["m"], usable["read_error"]) == (
        Decimal("1.25"),
        Decimal(5),
        Decimal(3),
        Decimal("0.5"),
    )
    plain = tolerance(derived("absolute", term("a", "47.3")), setting(kind="loss"), 3).inputs
    assert set(plain) == {"policy", "rounding"}
    unclear = tolerance(derived("absolute", term("a", "47.3", "0.1", kind="unknown")), setting(kind="loss"), 3).inputs
    assert unclear["printed_spread"] == Decimal("0.1")
    rate = tolerance(derived("absolute", term("a", "43.3"), unit="%"), setting(kind="rate", unit="%", n_items=30), 3)
    assert rate.inputs["n_items"] == 30


def test_a_value_that_is_printed_is_not_read_off_though_a_figure_shows_it_too():
    seen = term("a", "47.3", "1.2", read_error="0.5")
    printed = seen.model_copy(update={"provenance": (*term("a", "47.3").provenance, *seen.provenance)})
    twice = seen.model_copy(update={"provenance": (*seen.provenance, *term("a", "47.3", read_error="0.7").provenance)})
    plain = tolerance(derived("absolute", term("a", "47.3", "1.2")), setting(), 3).abs
    assert tolerance(derived("absolute", printed), setting(), 3).abs == plain
    assert abs(tolerance(derived("absolute", twice), setting(), 3).abs - plain - Decimal("0.7")) < Decimal("0.0001")


def trend(statistic, level=None, ys=("10", "40", "60", "80"), spread=None) -> Derived:
    curve = [term(f"a_{n}", y, spread).model_copy(update={"x": Decimal(10 * n + 5)}) for n, y in enumerate(ys)]
    found = derive_trend(statistic, curve, ("", "steps"), level)
    assert isinstance(found, Derived)
    return found


def test_ranks_and_first_x_move_as_far_as_the_tolerances_of_their_values():
    ranks = tolerance(trend("spearman"), setting("spearman", kind="loss"), 3)
    assert (ranks.rule, ranks.abs) == ("granularity", Decimal("0.2"))
    assert ranks.inputs["value_width"] == policy_width(derived("absolute", term("a", "80")), setting(kind="loss"))
    reach = replace(setting("first_reach", kind="loss"), level=Decimal(55))
    assert tolerance(trend("first_reach", Decimal(55)), reach, 3).abs == 10
    noisy = tolerance(trend("first_reach", Decimal(55), spread="12"), reach, 3)
    assert noisy.abs == 30  # the level may be missed altogether: all of the span from 5 to 35


def test_a_first_x_without_a_level_is_as_wide_as_its_axis():
    assert tolerance(trend("first_reach", Decimal(55)), setting("first_reach", kind="loss"), 3).abs == 30


@pytest.mark.parametrize(
    ("fractions", "percents"),
    [(("0.433", "0.301"), ("43.3", "30.1")), (("0.90", "0.70"), ("90", "70")), (("0.020", "0.500"), ("2.0", "50.0"))],
)
@pytest.mark.parametrize("n_items", [None, 30, 2000])
def test_percent_and_fraction_of_one_claim_earn_the_same(fractions, percents, n_items):
    """The tolerance, the curve that it gives and the pay of any reproduction, told in either unit."""
    one = derived("difference", *map(term, "ab", fractions))
    other = derived("difference", *map(term, "ab", percents), unit="%")
    widths = [
        tolerance(value, setting("difference", kind="rate", unit=unit, n_items=n_items), 3).abs
        for value, unit in ((one, ""), (other, "%"))
    ]
    assert close(widths[1] / widths[0], 100)
    told = zip((one, other), widths, strict=True)
    curves = [reward_curve(value.value, width, Decimal(0), "equals", (None, None)) for value, width in told]
    if isinstance(curves[0], Reason) or isinstance(curves[1], Reason):
        assert isinstance(curves[0], Reason) == isinstance(curves[1], Reason)
        return
    judges = [JudgesCurve(curve.shape, curve.points, curve.plausible) for curve in curves]
    for share in range(-40, 41):
        x = float(one.value) + share / 10 * float(widths[0])
        assert math.isclose(reward_at(judges[0], x), reward_at(judges[1], 100 * x), abs_tol=1e-4)
