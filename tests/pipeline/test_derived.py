"""Stories of values that are computed from printed ones."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reproducegym.pipeline.targets.derived import Derived, check_printed, derive, relative_or_points
from reproducegym.schema.claim import Reason
from reproducegym.schema.spec import DerivationInput

printed = st.decimals(min_value=1, max_value=10**6, places=2, allow_nan=False, allow_infinity=False)


def term(name: str, value: str, resolution: str | None = None) -> DerivationInput:
    number = Decimal(value)
    step = Decimal(1).scaleb(int(number.as_tuple().exponent)) if resolution is None else Decimal(resolution)
    return DerivationInput(name=name, value=number, unit="", resolution=step, spread=None, provenance=())


def value_of(pattern: str, *values: str, unit: str = "") -> Derived:
    names = {"gap": "abf", "dominance": "abf"}.get(pattern, "ab")
    if pattern in {"mean", "order"}:
        names = [f"a_{index}" for index in range(1, len(values) + 1)]
    found = derive(pattern, [term(name, value) for name, value in zip(names, values, strict=False)], unit)
    assert isinstance(found, Derived), found
    return found


@pytest.mark.parametrize(
    ("pattern", "values", "formula", "value", "no_effect"),
    [
        ("absolute", ("47.3",), "a", "47.3", None),
        ("difference", ("42.0", "40.0"), "a - b", "2", "0"),
        ("ratio", ("42.0", "40.0"), "a / b", "1.05", "1"),
        ("relative_change", ("42.0", "40.0"), "(a - b) / b", "0.05", "0"),
        ("mean", ("40.0", "41.0", "45.0"), "mean(a_1, a_2, a_3)", "42", None),
        ("near_zero", ("42.0", "42.2"), "a - b", "-0.2", None),
        ("gap", ("700", "940", "1000"), "(b - a) / f", "0.24", "0"),
        ("dominance", ("700", "940", "1000"), "(f - a) / (f - b)", "5", "1"),
        ("order", ("45.0", "41.0", "40.0"), "min(a_1 - a_2, a_2 - a_3)", "1", "0"),
        ("order", ("45.0", "41.0"), "a_1 - a_2", "4", "0"),
    ],
)
def test_each_pattern_has_its_formula_value_and_no_effect(pattern, values, formula, value, no_effect):
    found = value_of(pattern, *values)
    assert (found.formula, found.value) == (formula, Decimal(value))
    assert found.no_effect == (None if no_effect is None else Decimal(no_effect))


def test_rounding_is_one_unit_of_every_last_digit_the_worst_way():
    assert value_of("difference", "42.0", "40.00").rounding == Decimal("0.11")
    assert value_of("mean", "42.0", "40.0").rounding == Decimal("0.1")
    assert abs(value_of("ratio", "4.0", "2.0").rounding - (Decimal("4.1") / Decimal("1.9") - 2)) < Decimal("1e-11")


def test_a_difference_of_percentages_is_in_points():
    assert value_of("difference", "42.0", "40.0", unit="%").unit == "pp"


def test_thirds_are_cut_to_twelve_digits():
    assert value_of("ratio", "1.0", "3.0").value == Decimal("0.333333333333")


@pytest.mark.parametrize("baseline", ["0", "0.1", "-500"])
def test_a_divisor_that_may_be_zero_or_negative_is_refused(baseline):
    found = derive("relative_change", [term("a", "2"), term("b", baseline)], "")
    assert isinstance(found, Reason)
    assert found.code == "formula_unsupported"


def test_a_printed_value_may_be_cut_instead_of_rounded():
    assert check_printed(value_of("ratio", "42.0", "21.7"), Decimal("1.9"), Decimal("0.1")) is None
    assert check_printed(value_of("difference", "38.0", "40.0"), Decimal("2.0"), Decimal("0.1")) is None


def test_a_printed_value_that_the_table_contradicts_is_named_with_its_inputs():
    fault = check_printed(value_of("difference", "42.0", "40.0"), Decimal("2.4"), Decimal("0.1"))
    assert fault is not None
    assert fault.code == "inconsistent_with_table"
    assert "a = 42.0, b = 40.0" in fault.detail


@pytest.mark.parametrize(
    ("a", "b", "unit", "said", "meant"),
    [
        ("42.0", "40.0", "%", "5", "relative_change"),
        ("45.0", "40.0", "%", "5", "difference"),
        ("0.420", "0.400", "", "5", "relative_change"),
        ("0.450", "0.400", "", "5", "difference"),
    ],
)
def test_by_five_percent_means_what_the_table_says(a, b, unit, said, meant):
    assert relative_or_points([term("a", a), term("b", b)], unit, Decimal(said), Decimal(1)) == meant


def test_near_a_baseline_of_hundred_percent_nobody_can_tell():
    found = relative_or_points([term("a", "100.0"), term("b", "99.0")], "%", Decimal(1), Decimal(1))
    assert isinstance(found, Reason)
    assert found.code == "ambiguous_target"


@pytest.mark.parametrize(
    ("measure", "values"),
    [
        ("gap", ("1.0", "2.0", "0.1")),
        ("gap", ("1.0", "2.0", "-5.0")),
        ("dominance", ("7.0", "10.0", "10.0")),
        ("dominance", ("7.0", "9.9", "10.0")),
        ("dominance", ("7.0", "12.0", "10.0")),
        ("dominance", ("12.0", "9.0", "10.0")),
    ],
)
def test_a_contrast_whose_divisor_or_sign_is_not_sure_is_refused(measure, values):
    found = derive(measure, [term(name, value) for name, value in zip("abf", values, strict=True)], "")
    assert isinstance(found, Reason)
    assert found.code == "formula_unsupported"


def test_two_ablations_that_make_a_number_larger_are_compared_like_those_that_make_it_smaller():
    assert value_of("dominance", "1300", "1060", "1000").value == 5
    assert value_of("gap", "1300", "1060", "1000").value == Decimal("-0.24")


COUNTS = {
    "difference": 2,
    "near_zero": 2,
    "ratio": 2,
    "relative_change": 2,
    "mean": 4,
    "gap": 3,
    "dominance": 3,
    "order": 4,
}


@given(
    measure=st.sampled_from(sorted(COUNTS)),
    values=st.lists(st.decimals(min_value="0.1", max_value=1000, places=1), min_size=4, max_size=4),
    shares=st.lists(st.sampled_from([Decimal(-1), Decimal("-0.5"), Decimal(0), Decimal(1)]), min_size=4, max_size=4),
)
def test_rounding_contains_every_corner_and_all_between(measure, values, shares):
    count = COUNTS[measure]
    names = "abf" if count == 3 else "ab" if count == 2 else [f"a_{n}" for n in range(1, count + 1)]
    terms = [term(name, str(value)) for name, value in zip(names, values[:count], strict=True)]
    centre = derive(measure, terms, "")
    moved = [
        one.model_copy(update={"value": one.value + share * one.resolution})
        for one, share in zip(terms, shares[:count], strict=True)
    ]
    there = derive(measure, [one.model_copy(update={"resolution": Decimal(0)}) for one in moved], "")
    if isinstance(centre, Reason) or isinstance(there, Reason):
        return
    assert abs(there.value - centre.value) <= centre.rounding + Decimal("1e-9") * max(1, abs(there.value))


@given(a=printed, b=printed)
def test_derivations_agree_with_each_other(a, b):
    difference, ratio, change = (
        value_of(pattern, str(a), str(b)) for pattern in ("difference", "ratio", "relative_change")
    )
    assert difference.value == a - b
    assert abs(ratio.value - 1 - change.value) <= Decimal("1e-11") * max(abs(ratio.value), 1)
    assert check_printed(difference, a - b, Decimal("0.01")) is None


@given(values=st.lists(printed, min_size=2, max_size=8))
def test_a_mean_lies_between_its_parts_and_rounds_like_one_of_them(values):
    found = value_of("mean", *(str(value) for value in values))
    assert min(values) - Decimal("1e-6") <= found.value <= max(values) + Decimal("1e-6")
    assert found.rounding == Decimal("0.01")
