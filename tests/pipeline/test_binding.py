"""Stories about which printed numbers may be compared or merged."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reproducegym.pipeline.grounding.binding import agree, check_pair, choose, convert, unit_agrees
from reproducegym.schema.claim import Provenance, Reason, TargetPoint


def _point(value, unit="%", resolution="0.1", condition="UCB1", dataset="Ten-armed", metric="accuracy", page=1):
    return TargetPoint(
        value=Decimal(value),
        unit=unit,
        resolution=Decimal(resolution),
        spread=None,
        metric=metric,
        condition=condition,
        dataset=dataset,
        provenance=(Provenance(kind="sentence", page=page, bbox=(0.0, 0.0, 1.0, 1.0), quote=value),),
    )


def test_the_more_precise_printing_is_the_target_and_the_other_corroborates():
    chosen = choose([_point("47.3"), _point("47.32", resolution="0.01", page=2), _point("0.473", "", "0.001", page=3)])
    assert isinstance(chosen, TargetPoint)
    assert chosen.value == Decimal("47.32")
    assert [place.page for place in chosen.provenance] == [2, 1, 3]


def test_two_values_that_differ_by_more_than_rounding_bind_to_none():
    refused = choose([_point("41.0"), _point("41.8")])
    assert isinstance(refused, Reason)
    assert refused.code == "ambiguous_target"
    assert isinstance(choose([]), Reason)


@pytest.mark.parametrize(
    ("baseline", "code"),
    [
        (_point("36.5", condition="ε-greedy"), None),
        (_point("0.365", "", "0.001", condition="ε-greedy"), None),
        (_point("36.5", "s", condition="ε-greedy"), "unit_mismatch"),
        (_point("36.5", condition="ε-greedy", metric="regret"), "unit_mismatch"),
        (_point("36.5", condition="ε-greedy", dataset="Chain"), "condition_mismatch"),
        (_point("36.5", condition="ucb1"), "condition_mismatch"),
    ],
)
def test_a_pair_binds_only_when_unit_metric_data_and_condition_fit(baseline, code):
    reason = check_pair(_point("47.3"), baseline)
    assert (None if reason is None else reason.code) == code


def test_a_bare_number_is_a_percentage_only_where_the_words_say_so():
    assert unit_agrees("", "%", "Accuracy (%)")
    assert unit_agrees("", "%", "success rate")
    assert not unit_agrees("", "%", "episode return")
    assert not unit_agrees("%", "s", "time (s)")
    assert unit_agrees("", "s", "wall-clock time")


@given(st.decimals(min_value=-1000, max_value=1000, places=3))
def test_percent_and_fraction_convert_there_and_back(value):
    fraction = convert(value, "%", "")
    assert fraction is not None
    assert convert(fraction, "", "%") == value
    assert convert(value, "%", "s") is None


@given(st.integers(-999, 999), st.integers(-999, 999))
def test_agreement_is_symmetric(first, second):
    left, right = _point(str(first), resolution="1"), _point(str(Decimal(second) / 10), resolution="0.1")
    assert agree(left, right) == agree(right, left)
