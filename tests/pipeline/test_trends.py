"""Stories of trends: the compiler's exact statistics are those that the verifier computes from a metrics.csv."""

from array import array
from decimal import Decimal
from itertools import product

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from reproducegym.pipeline.targets.derived import Derived
from reproducegym.pipeline.targets.trends import FEWEST, derive_trend, rank_width, reach_width
from reproducegym.schema.claim import Reason
from reproducegym.schema.spec import DerivationInput
from reproducegym.verifier.evaluate import evaluate
from reproducegym.verifier.formula import parse_formula
from reproducegym.verifier.table import Rows

values = st.decimals(min_value=-1000, max_value=1000, places=2)
xs = st.decimals(min_value=0, max_value=10000, places=1)
curves = st.lists(st.tuples(xs, values), min_size=4, max_size=9, unique_by=lambda pair: pair[0]).map(sorted)


def points(curve, name="a", step="0.01") -> list[DerivationInput]:
    return [
        DerivationInput(
            name=f"{name}_{n}",
            value=Decimal(y),
            unit="",
            resolution=Decimal(step),
            spread=None,
            provenance=(),
            x=Decimal(x),
        )
        for n, (x, y) in enumerate(curve, 1)
    ]


def derived(statistic, curve, level=None, baseline=()) -> Derived:
    found = derive_trend(statistic, points(curve), ("", "steps"), level, points(baseline, "b") if baseline else ())
    assert isinstance(found, Derived), found
    return found


def judged(formula: str, curve) -> float | None:
    """What the verifier makes of the same points, and of rows outside the window that must not count."""
    outside = [(float(curve[0][0]) - 1, 1e6), (float(curve[-1][0]) + 1, -1e6)]
    rows = sorted([(float(x), float(y)) for x, y in curve] + outside)
    steps, column = array("d", [x for x, _ in rows]), array("d", [y for _, y in rows])
    window = f"[step >= {curve[0][0]:f}][step <= {curve[-1][0]:f}]"
    parsed = parse_formula(formula.replace("SERIES", f"a.y{window}"), conditions=["a"], columns=["y"], step_column=True)
    return evaluate(parsed, "mean", [{"a": Rows(steps, {"y": column})}]).value


@given(curve=curves, statistic=st.sampled_from(["slope", "auc", "spearman"]))
def test_compiler_and_verifier_give_the_same_statistic(curve, statistic):
    assume(len({y for _, y in curve}) > 1)
    ours, theirs = float(derived(statistic, curve).value), judged(f"{statistic}(SERIES, step)", curve)
    assert theirs is not None
    scale = max(1.0, abs(theirs), *(abs(float(y)) * float(curve[-1][0]) for _, y in curve if statistic == "auc"))
    assert abs(ours - theirs) <= 1e-9 * scale


@given(curve=curves, level=values)
def test_compiler_and_verifier_reach_a_level_at_the_same_x(curve, level):
    found = derive_trend("first_reach", points(curve), ("", ""), level)
    theirs = judged(f"first_reach(SERIES, step, {level:f})", curve)
    assert (None if isinstance(found, Reason) else float(found.value)) == theirs


@given(curve=curves, share=st.floats(0, 1))
def test_at_a_step_between_two_rows_the_verifier_reads_a_straight_line(curve, share):
    (x0, y0), (x1, y1) = ((float(x), float(y)) for x, y in curve[:2])
    x = x0 + share * (x1 - x0)
    expected = y0 if x == x0 else y1 if x == x1 else y0 + (x - x0) / (x1 - x0) * (y1 - y0)
    found = judged(f"at(SERIES, {x:.17f})", curve)
    assert found is not None
    assert abs(found - expected) <= 1e-6 * max(1.0, abs(y0), abs(y1)) / max(1e-3, x1 - x0)


@given(curve=curves.filter(lambda found: len(found) <= 6), statistic=st.sampled_from(["slope", "auc"]))
def test_rounding_contains_every_corner(curve, statistic):
    centre = derived(statistic, curve)
    for signs in product((-1, 1), repeat=len(curve)):
        corner = [(x, y + sign * Decimal("0.01")) for (x, y), sign in zip(curve, signs, strict=True)]
        moved = derived(statistic, corner).value
        slack = Decimal("1e-9") * max(1, abs(centre.value), abs(moved))
        assert abs(moved - centre.value) <= centre.rounding + slack


def test_slope_and_ranks_have_no_effect_at_zero_area_and_first_x_at_the_baselines():
    ours, theirs = [(0, 10), (10, 40), (20, 60), (40, 80)], [(0, 10), (10, 20), (20, 30), (40, 50)]
    assert derived("slope", ours).no_effect == 0
    assert derived("spearman", ours).no_effect == 0
    assert derived("auc", ours, baseline=theirs).no_effect == derived("auc", theirs).value
    assert derived("first_reach", ours, Decimal(30), theirs).no_effect == 20
    assert derived("first_reach", ours, Decimal(30)).no_effect is None


def test_units_follow_from_values_and_x():
    curve = points([(0, 10), (10, 40), (20, 60), (40, 80)])
    units = {
        statistic: getattr(derive_trend(statistic, curve, ("%", "epochs"), Decimal(30)), "unit", None)
        for statistic in FEWEST
    }
    assert units == {"slope": "%/epochs", "auc": "%·epochs", "first_reach": "epochs", "spearman": ""}


@pytest.mark.parametrize(
    ("statistic", "curve", "level", "code"),
    [
        ("spearman", [(0, 1), (1, 2), (2, 3)], None, "no_grounded_target"),
        ("slope", [(0, 1), (1, 2)], None, "no_grounded_target"),
        ("spearman", [(0, 5), (1, 5), (2, 5), (3, 5)], None, "formula_unsupported"),
        ("first_reach", [(0, 1), (1, 2), (2, 3)], None, "no_grounded_target"),
        ("first_reach", [(0, 1), (1, 2), (2, 3)], Decimal(9), "inconsistent_with_table"),
    ],
)
def test_what_gives_no_statistic_is_refused(statistic, curve, level, code):
    found = derive_trend(statistic, points(curve), ("", ""), level)
    assert isinstance(found, Reason)
    assert found.code == code


def test_ranks_allow_one_swap_of_neighbours_and_more_where_values_are_closer_than_their_noise():
    curve = points([(0, 10), (10, 40), (20, 60), (40, 80)])
    assert rank_width(curve, [Decimal(1)] * 4) == Decimal("0.2")
    assert rank_width(curve, [Decimal(45)] * 4) > Decimal("0.2")


def test_the_first_x_may_be_a_point_earlier_or_as_much_later_as_noise_allows():
    curve = points([(0, 10), (10, 40), (20, 60), (40, 80)])
    assert reach_width(curve, [Decimal(1)] * 4, Decimal(55)) == 10
    assert reach_width(curve, [Decimal(10)] * 4, Decimal(55)) == 20
    assert reach_width(curve, [Decimal(30)] * 4, Decimal(55)) is None
