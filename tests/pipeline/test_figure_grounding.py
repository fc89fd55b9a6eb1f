"""Stories of values that were read off curves and are looked up there again."""

import itertools
import math
from decimal import Decimal

import pytest
from chart_paper import BOXES, charted, read_point
from hypothesis import given
from hypothesis import strategies as st

from reproducegym.pipeline.grounding.places import ground
from reproducegym.schema.claim import Reason, TargetPoint


def refused(source, point) -> Reason:
    found = ground(source, point)
    assert isinstance(found, Reason), found
    return found


def test_a_value_at_a_drawn_point_is_grounded_with_its_reading_error():
    found = ground(charted(), read_point("a", "ours", "200", "60.2"))
    assert isinstance(found, TargetPoint)
    assert found.provenance[0].read_error == Decimal("0.5")


def test_a_reading_error_smaller_than_the_charts_own_is_raised_to_it():
    found = ground(charted(), read_point("a", "ours", "200", "60.2", error="0.001"))
    assert isinstance(found, TargetPoint)
    assert found.provenance[0].read_error == Decimal("0.5")


@pytest.mark.parametrize(("x", "value"), [("50", "25"), ("150", "50"), ("300", "70")])
def test_between_drawn_points_a_line_is_straight(x, value):
    assert isinstance(ground(charted(), read_point("a", "ours", x, value)), TargetPoint)


def test_on_logarithmic_axes_it_is_straight_between_logarithms():
    at = read_point("c", "ours", "30", "30", unit="", metric="loss", error="0.2", resolution="1")
    assert isinstance(ground(charted(), at), TargetPoint)
    linear = at.model_copy(update={"value": Decimal("30") + 10})
    assert refused(charted(), linear).code == "no_grounded_target"


def test_markers_are_asked_at_their_points_only():
    assert isinstance(ground(charted(kind="points"), read_point("a", "ours", "200", "60")), TargetPoint)
    assert refused(charted(kind="points"), read_point("a", "ours", "150", "50")).code == "no_grounded_target"


@pytest.mark.parametrize(
    ("point", "code"),
    [
        (read_point("a", "ours", "200", "62"), "no_grounded_target"),
        (read_point("a", "ours", "500", "80"), "no_grounded_target"),
        (read_point("a", "nobody", "200", "60"), "no_grounded_target"),
        (read_point("a", "ours", "200", "60", figure="9"), "no_grounded_target"),
        (read_point("a", "ours", "200", "60", page=2), "no_grounded_target"),
        (read_point("a", "ours", "200", "60", panel="e"), "no_grounded_target"),
        (read_point("a", "ours", "200", "60", x=None), "no_grounded_target"),
        (read_point("a", "ours", "200", "60", quote="71.3"), "no_grounded_target"),
        (read_point("a", "ours", "200", "60", bbox=BOXES["b"]), "no_grounded_target"),
        (read_point("a", "theirs", "200", "60", panel="c"), "panel_mismatch"),
        (read_point("a", "ours", "200", "60", panel="b", bbox=BOXES["b"]), "panel_mismatch"),
        (read_point("a", "ours", "200", "500", metric="response length", unit="tokens"), "panel_mismatch"),
        (read_point("d", "ours", "200", "60"), "figure_unreadable"),
        (read_point("b", "ours", "200", "500", metric="length", unit="%"), "unit_mismatch"),
        (read_point("a", "ours", "200", "60", metric="accuracy", unit="tokens"), "unit_mismatch"),
    ],
)
def test_what_the_panel_does_not_show_is_refused_with_a_reason(point, code):
    reason = refused(charted(), point)
    assert (reason.code, bool(reason.detail)) == (code, True)


def test_a_figure_without_charts_is_unreadable():
    source = charted()
    bare = type(source)(document=source.document, words=source.words)
    assert refused(bare, read_point("a", "ours", "200", "60")).code == "figure_unreadable"


def test_a_fraction_on_the_axis_is_a_percentage_of_the_claim():
    source = charted()
    first = source.charts[0]
    ours = first.series[0]
    scaled = tuple(one.model_copy(update={"y": one.y / 100}) for one in ours.points)
    axis = first.axes[1].model_copy(update={"title": "Accuracy", "high": 1.0})
    chart = first.model_copy(
        update={
            "axes": (first.axes[0], axis),
            "series": (ours.model_copy(update={"points": scaled, "y_error": 0.005}),),
        }
    )
    fractions = type(source)(document=source.document, words=source.words, charts=(chart,))
    found = ground(fractions, read_point("a", "ours", "200", "60"))
    assert isinstance(found, TargetPoint)
    assert found.provenance[0].read_error == Decimal("0.5")


@given(x=st.floats(0, 400), off=st.floats(-3, 3))
def test_a_reading_is_taken_exactly_when_it_is_within_its_error(x, off):
    knots = ((0.0, 10.0), (100.0, 40.0), (200.0, 60.0), (400.0, 80.0))
    left, right = next((one, two) for one, two in itertools.pairwise(knots) if one[0] <= x <= two[0])
    y = left[1] + (x - left[0]) / (right[0] - left[0]) * (right[1] - left[1])
    value = Decimal(repr(round(y + off, 4)))
    apart = abs(float(value) - y)
    if math.isclose(apart, 0.55, abs_tol=1e-3):
        return
    point = read_point("a", "ours", repr(x), str(value))
    assert isinstance(ground(charted(), point), TargetPoint) == (apart < 0.55)
