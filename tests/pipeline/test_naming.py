"""Stories of names that the formula grammar reads and that give nothing away."""

import re
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reproducegym.pipeline.printed.naming import name_of, unique_names
from reproducegym.verifier.formula import parse_formula


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("UCB1", "ucb1"),
        ("Oat-Zero-7B", "oat_zero_7b"),
        ("ε-greedy", "epsilon_greedy"),
        ("Optimal pulls (%)", "optimal_pulls_percent"),
        ("Ablação λ", "ablacao_lambda"),
        ("𝜀-greedy", "epsilon_greedy"),
        ("7B base", "condition_7b_base"),
        ("seed", "seed_condition"),
        ("→", "condition"),
        ("", "condition"),
        ("w" * 90, "w" * 40),
        ("a very long label that goes on and on and on", "a_very_long_label_that_goes_on_and_on"),
    ],
)
def test_a_label_becomes_a_readable_name(text, name):
    assert name_of(text, (), "condition") == name


@pytest.mark.parametrize("text", ["top 47.3 run", "top 47.3% run", "top 0.473 run", "top −47.3 run", "top 4730% run"])
def test_a_hidden_number_is_left_out_in_every_unit(text):
    assert name_of(text, (Decimal("47.3"),), "condition") == "top_run"


def test_digits_inside_a_name_are_no_hidden_number():
    assert name_of("UCB1", (Decimal(1),), "condition") == "ucb1"


def test_equal_names_are_told_apart_by_letters():
    assert unique_names(["greedy", "greedy", "greedy_b", "greedy"]) == ("greedy", "greedy_b", "greedy_b_b", "greedy_c")


@given(texts=st.lists(st.text(max_size=60), min_size=1, max_size=4), hidden=st.lists(st.decimals(-99, 99, places=1)))
def test_any_text_becomes_a_name_that_a_formula_can_read(texts, hidden):
    names = unique_names(name_of(text, hidden, "metric") for text in texts)
    assert len(set(names)) == len(texts)
    for name in names:
        assert re.fullmatch(r"[a-z][a-z0-9_]{0,63}", name)
        parse_formula(f"mean({name}.{name})", conditions=names, columns=names, step_column=False)
