"""Cells from which a hidden one of their line is worked out are masked too: averages, groups, differences, F1."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_paper import read_paper, spec, table

from reproducegym.pipeline.exposure.masking import MASK, mask
from reproducegym.schema.spec import ClaimSpec


def claim(value: str) -> ClaimSpec:
    """A claim that hides one number, printed as it is given."""
    target = (
        spec()
        .targets[0]
        .model_copy(update={"value": Decimal(value), "derivation": None, "provenance": (), "no_effect": None})
    )
    return spec(targets=(target,), probe_plans=())


def rows_of(heads: list[str], rows: dict[str, list[str]], value: str) -> dict[str, list[str]]:
    """How the rows of a table read to the agent, by their labels."""
    paper = read_paper(tables=(table("t1", "1", heads, rows, "Table 1: Regret.", 200.0),), paragraphs=(), figures=())
    lines = [line.strip("| ").split(" | ") for line in mask(paper, claim(value)).paper_md.splitlines() if "|" in line]
    return {line[0]: line[1:] for line in lines[2:]}


def test_a_row_whose_average_is_hidden_keeps_none_of_its_parts() -> None:
    rows = {
        "UCB1": ["43.3", "62.7", "80.0", "30.1", "41.0", "51.4"],
        "Thompson": ["10.0", "26.2", "60.1", "3", "2", "1"],
    }
    seen = rows_of(["A", "B", "C", "D", "E", "Avg."], rows, "51.4")
    assert seen["UCB1"] == [MASK] * 6
    assert seen["Thompson"] == rows["Thompson"]


def test_an_average_that_weighs_unevenly_still_tells() -> None:
    rows = {"UCB1": ["50.0", "52.0", "51.4", "1000"], "Thompson": ["10.0", "26.2", "17.9", "2000"]}
    seen = rows_of(["A", "B", "Mean", "Steps"], rows, "51.4")
    assert seen["UCB1"] == [MASK, MASK, MASK, "1000"], "the set-up number stays"


def test_an_unnamed_sum_hides_its_parts_and_other_lines_stay() -> None:
    rows = {"UCB1": ["40.1", "57.2", "97.3"], "Thompson": ["12.0", "11.0", "23.0"]}
    seen = rows_of(["Regret", "Cost", "All"], rows, "97.3")
    assert seen == {"UCB1": [MASK, MASK, MASK], "Thompson": rows["Thompson"]}


def test_the_average_over_rows_of_one_inner_name_hides_just_those() -> None:
    base = table("t1", "1", ["Regret"], {}, "Table 1: Regret.", 200.0)
    printed = {
        ("P1", "UCB1"): "0.86",
        ("P1", "Greedy"): "0.66",
        ("P2", "UCB1"): "0.90",
        ("P2", "Greedy"): "0.85",
        ("P3", "UCB1"): "0.72",
        ("P3", "Greedy"): "0.50",
        ("All", "UCB1"): "0.83",
        ("All", "Greedy"): "0.71",
    }
    one = table("t1", "1", ["Regret"], {"x": ["1"]}, "Table 1: Regret.", 200.0)
    body = next(cell for cell in one.cells if cell.kind == "body")
    cells = tuple(
        body.model_copy(update={"row": index + 1, "row_path": path, "text": text})
        for index, (path, text) in enumerate(printed.items())
    )
    paper = read_paper(tables=(base.model_copy(update={"cells": cells}),), paragraphs=(), figures=())
    paper_md = mask(paper, claim("0.83")).paper_md
    for path, text in printed.items():
        shown = MASK if path[1] == "UCB1" else text
        assert f"| {path[0]} / {path[1]} | {shown} |" in paper_md


def test_the_two_numbers_of_a_hidden_gain_go_with_it() -> None:
    rows = {"UCB1": ["40.0", "45.2", "5.2"], "Thompson": ["30.0", "31.0", "1.0"]}
    seen = rows_of(["Base", "Ours", "Gain"], rows, "5.2")
    assert seen == {"UCB1": [MASK, MASK, MASK], "Thompson": rows["Thompson"]}


def test_precision_and_recall_go_with_a_hidden_f1() -> None:
    rows = {"UCB1": ["60.0", "7.1", "80.0", "68.6"], "Thompson": ["30.0", "3.0", "31.0", "30.5"]}
    seen = rows_of(["Precision", "Seconds", "Recall", "F1"], rows, "68.6")
    assert seen["UCB1"] == [MASK, "7.1", MASK, MASK]


@pytest.mark.parametrize("summary", ["Avg.", "All", "Overall", "µ"])
@given(values=st.lists(st.integers(101, 999).map(lambda n: Decimal(n) / 10), min_size=2, max_size=7))
def test_no_row_gives_its_hidden_average_away(summary: str, values: list[Decimal]) -> None:
    mean = (sum(values, Decimal(0)) / len(values)).quantize(Decimal("0.1"))
    heads = [f"Set {'ABCDEFG'[index]}" for index in range(len(values))]
    seen = rows_of([*heads, summary], {"UCB1": [str(one) for one in values] + [str(mean)]}, str(mean))
    assert seen["UCB1"][-1] == MASK
    assert MASK in seen["UCB1"][:-1]
