"""Stories about reading numbers as papers print them."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reproducegym.pipeline.printed.numbers import read_number, read_numbers, spellings


@pytest.mark.parametrize(
    ("text", "value", "unit", "resolution", "spread"),
    [
        ("1,234", "1234", "", "1", None),
        ("1\u2009234", "1234", "", "1", None),
        ("1.2k", "1200", "", "100", None),
        ("3.4M", "3400000", "", "100000", None),
        ("1e-3", "0.001", "", "0.001", None),
        ("5e−4", "0.0005", "", "0.0001", None),
        ("5.2×10⁻³", "0.0052", "", "0.0001", None),
        ("5.2 · 10^18", "5200000000000000000", "", "100000000000000000", None),
        ("3.3 · 1018", "3300000000000000000", "", "100000000000000000", None),
        ("10^18", "1000000000000000000", "", "1000000000000000000", None),
        ("(5.2 ± 0.1)×10^-3", "0.0052", "", "0.0001", "0.0001"),
        ("−0.3", "-0.3", "", "0.1", None),
        ("–0.3", "-0.3", "", "0.1", None),
        ("-0.3", "-0.3", "", "0.1", None),
        ("47.3%", "47.3", "%", "0.1", None),
        ("47.3\\%", "47.3", "%", "0.1", None),
        ("47.3 ± 0.4", "47.3", "", "0.1", "0.4"),
        ("47.3±0.4%", "47.3", "%", "0.1", "0.4"),
        ("47.3 (0.4)", "47.3", "", "0.1", "0.4"),
        ("47.3_{±0.4}", "47.3", "", "0.1", "0.4"),
        ("47.3 [45.1, 49.2]", "47.3", "", "0.1", "2.05"),
        ("13450±551", "13450", "", "1", "551"),
        ("12.0k ± 0.3k", "12000", "", "100", "300"),
        (".873", "0.873", "", "0.001", None),
        ("2.1×", "2.1", "×", "0.1", None),
        ("2.1x", "2.1", "×", "0.1", None),
        ("**47.3**", "47.3", "", "0.1", None),
        ("\\textbf{47.3}", "47.3", "", "0.1", None),
        ("47.3†", "47.3", "", "0.1", None),
        ("47.3^{*}", "47.3", "", "0.1", None),
        ("+4.2", "4.2", "", "0.1", None),
        ("120ms", "120", "ms", "1", None),
    ],
)
def test_every_printed_form_of_the_contract_is_read(text, value, unit, resolution, spread):
    number = read_number(text)
    assert number is not None
    assert (number.value, number.unit, number.resolution) == (Decimal(value), unit, Decimal(resolution))
    assert number.spread == (None if spread is None else Decimal(spread))


@pytest.mark.parametrize(
    "text", ["", "–", "-", "n/a", "[9]", "UCB1", "0.84 (0.91)", "[45.1, 49.2]", "1 2", "47.3 BLEU"]
)
def test_a_cell_that_is_no_single_number_is_not_read(text):
    assert read_number(text) is None


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Table 3 shows that UCB1 and Qwen2.5-7B reach 47.3% (Smith et al., 2017)", ["47.3%"]),
        ("As in Tables 2 and 3, F1 of 91.3 and 92.7; Section 4.1 says 30%.", ["91.3", "92.7", "30%"]),
        ("from 100-200 steps on 256×256 images", ["100", "200"]),
        ("1.2k–3.4k steps", ["1.2k", "3.4k"]),
        ("arXiv:1706.03762 v2.0 (Vaswani, 2017) Smith (2017a) [3, 4] [1]–[3]. In 2017, 2000 steps.", ["2000"]),
        ("Table 2 (47.3) and Table 1: 36.5 points", ["47.3", "36.5"]),
        ("drops 5%–10%", ["5%", "10%"]),
        ("accuracy of 0.84 (vs 0.69) with ResNet-50, 5-fold", ["0.84", "0.69"]),
        ("a 12.3-point gain after 1,000-step runs", ["12.3", "1,000"]),
        ("2.1× the return", ["2.1×"]),
        ("rows 0.4 ± 0.1, 0.5 ± 0.1", ["0.4 ± 0.1", "0.5 ± 0.1"]),
        ("10-20 runs and x^2", ["10", "20"]),
        ("AIME 2024 score, GPT-4 45.2 in June 2023.", ["45.2"]),
        ("0.84 (0.91)", ["0.84", "0.91"]),
        ("by XX%", []),
    ],
)
def test_names_references_and_years_are_not_quantities(text, found):
    assert [number.text for number in read_numbers(text)] == found


@given(st.decimals(min_value=Decimal("-99999"), max_value=Decimal("99999"), places=3))
def test_a_plainly_printed_decimal_is_read_back_exactly(value):
    for text in (f"{value}", f"{value}%", f"{value} ± 0.004", f"${value}$"):
        number = read_number(text)
        assert number is not None
        assert number.value == value
        assert number.resolution == Decimal("0.001")


@given(st.text(alphabet="0123456789.,eE+-−–×x*^{}()[]±%kM \u2009⁻³·_UCB$\\", max_size=40))
def test_any_text_is_read_without_an_error_and_spans_are_true(text):
    end = 0
    for number in read_numbers(text):
        assert number.start >= end
        assert text[number.start : number.end] == number.text
        end = number.end
    one = read_number(text)
    assert one is None or text[one.start : one.end] == one.text


@given(st.decimals(min_value=Decimal("0.001"), max_value=Decimal("99999"), places=3), st.sampled_from(["", "%"]))
def test_every_spelling_reads_back_as_the_same_quantity(value, unit):
    for text in spellings(value, unit):
        number = read_number(text)
        assert number is not None, text
        assert number.value in {value, value / 100, value * 100}


def test_spellings_hold_the_usual_disguises():
    assert {"47.3", "47.3%", "0.473", ".473", "4.73e-1", "47.30"} <= spellings(Decimal("47.3"), "%")
    assert {"0.473", ".473", "47.3%", "47.3"} <= spellings(Decimal("0.473"), "")
    assert {"13,450", "13450", "13.45k", "1.345e4"} <= spellings(Decimal("13450"), "")
    assert {"-0.3", "−0.3", "0.3"} <= spellings(Decimal("-0.3"), "")


@pytest.mark.parametrize(
    "text", ["at 97.3 ± 2.1 now", "is 97.3 $\\pm$ 2.1 here", "(97.3 +/- 2.1), the", "97.3_{±2.1} and"]
)
def test_a_spread_in_running_text_stays_with_its_value(text):
    (number,) = read_numbers(text)
    assert (str(number.value), str(number.spread)) == ("97.3", "2.1")


def test_numbers_of_lines_are_no_quantities():
    assert read_numbers("Algorithm: 1: for each batch do 2: Sample 3: Update the policy") == ()
