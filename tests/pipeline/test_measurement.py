"""What a paper's words say of a measurement: items of a rate, mean, median or best of its runs."""

from dataclasses import replace
from decimal import Decimal

import pytest
from compiler_paper import PROTOCOL, candidate, cell_point, paper

from reproducegym.pipeline.compiling.spec import compile_claim
from reproducegym.pipeline.config_file import load_config
from reproducegym.pipeline.targets.measurement import items_of
from reproducegym.schema.claim import ProtocolNumber, Rejected
from reproducegym.schema.paper import Caption, Place
from reproducegym.schema.spec import ClaimSpec

CONFIG = load_config(None)


def numbered(**numbers):
    named = [ProtocolNumber(name=name, value=Decimal(n), unit="", quote=str(n), page=1) for name, n in numbers.items()]
    return PROTOCOL.model_copy(update={"numbers": tuple(named)})


@pytest.mark.parametrize(
    "name", ["items", "n_items", "questions", "problems", "test_images", "test episodes", "Evaluation-Episodes", "item"]
)
def test_items_of_a_rate_by_any_of_their_names(name):
    assert items_of(numbered(**{"steps": 1000, name: 200})) == 200


@pytest.mark.parametrize("name", ["episodes", "images", "test_steps", "evaluation_seeds", "training_examples"])
def test_training_data_and_budgets_are_no_items(name):
    assert items_of(numbered(**{name: 200})) is None


def test_what_is_called_items_goes_first_and_two_counts_say_nothing():
    assert items_of(numbered(items=500, problems=30)) == 500
    assert items_of(numbered(questions=500, problems=30)) is None
    assert items_of(numbered(items="0.5")) is None


def compiled(caption="Table 1: Regret.", sentence="x", column="Regret", direction="lower_is_better", **metric):
    source = paper({"UCB": {column: "47.3"}, "Greedy": {column: "90.0"}}, sentence)
    (table,) = source.document.tables
    told = table.model_copy(
        update={"caption": Caption(text=caption, place=Place(page=1, bbox=(100.0, 80.0, 300.0, 90.0)))}
    )
    source = replace(source, document=source.document.model_copy(update={"tables": (told,)}))
    points = {
        "treatment": cell_point(source, "UCB", column, "47.3"),
        "baseline": cell_point(source, "Greedy", column, "90.0"),
    }
    claim = candidate(points)
    idea = claim.metric.model_copy(update={"direction": direction, **metric})
    return compile_claim(source, claim.model_copy(update={"metric": idea}), CONFIG)


@pytest.mark.parametrize(
    ("told", "wanted"),
    [
        ({}, "mean"),
        ({"caption": "Table 1: Median regret over 5 seeds."}, "median"),
        ({"caption": "Table 1: Regret, median of 10 independent runs."}, "median"),
        ({"caption": "Table 1: IQM of the regret across 10 runs."}, "iqm"),
        ({"caption": "Table 1: Mean and median regret over 5 seeds."}, "mean"),
        ({"column": "Median regret"}, "median"),
        ({"column": "Mean", "caption": "Table 1: Regret, best of 5 seeds."}, "mean"),
        ({"column": "Median", "caption": "Table 1: Human-normalised score over 57 games."}, "mean"),
        ({"caption": "Table 1: Median regret over all tasks and 5 seeds."}, "mean"),
        ({"sentence": "We report the median over 5 seeds."}, "median"),
        ({"sentence": "We report the median over 5 seeds in Table 2."}, "mean"),
        ({"caption": "Table 1: Regret; best values are bold."}, "mean"),
        ({"column": "Best (%)", "direction": "higher_is_better"}, "max"),
        ({"caption": "Table 1: Best score of 5 seeds.", "direction": "higher_is_better"}, "max"),
        ({"over_seeds": "iqm"}, "iqm"),
    ],
)
def test_runs_are_combined_as_the_paper_says(told, wanted):
    spec = compiled(**told)
    assert isinstance(spec, ClaimSpec), spec
    assert {metric.over_seeds for metric in spec.metrics} == {wanted}


def test_the_best_of_runs_where_less_is_better_is_beyond_a_contract():
    refused = compiled(caption="Table 1: Regret, best of 5 seeds.")
    assert isinstance(refused, Rejected)
    assert [reason.code for reason in refused.reasons] == ["formula_unsupported"]
