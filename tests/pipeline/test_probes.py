"""Stories of the extra re-runs that a claim admits."""

from decimal import Decimal

import pytest
from compiler_paper import PROTOCOL, candidate, cell_point, condition, paper, ucb_against_greedy

from reproducegym.pipeline.compiling.spec import compile_claim
from reproducegym.pipeline.config_file import load_config
from reproducegym.pipeline.exposure.hidden import secrets_of
from reproducegym.pipeline.probing.resistance import memory_resistant
from reproducegym.pipeline.proving.proof import prove
from reproducegym.ports import ReadPaper
from reproducegym.schema.claim import Candidate, ProtocolNumber
from reproducegym.schema.spec import ClaimSpec

CONFIG = load_config(None)


def compiled(source, claim) -> ClaimSpec:
    outcome = compile_claim(source, claim, CONFIG)
    assert isinstance(outcome, ClaimSpec), outcome
    assert all(check.passed for check in prove(outcome))
    return outcome


def plan(spec, name):
    (found,) = [one for one in spec.probe_plans if one.name == name]
    return found


def choice(spec, name):
    (only,) = plan(spec, name).choices
    return only


def with_budget(name: str, value: str):
    number = ProtocolNumber(name=name, value=Decimal(value), unit="", quote=f"{value} {name}", page=1)
    return ucb_against_greedy(protocol=PROTOCOL.model_copy(update={"numbers": (number,)}), budget_knob=name)


def test_the_null_probe_gives_the_treatments_label_the_baselines_switches():
    spec = compiled(*ucb_against_greedy())
    null = plan(spec, "null")
    assert [(one.label, one.switches["method"]) for one in null.conditions] == [("ucb", "Greedy"), ("greedy", "Greedy")]
    (expect,) = null.expectations
    assert (expect.metric, expect.value, null.choices[0].knobs) == ("regret_difference", 0.0, {})
    assert expect.abs < 12.8 / 2


@pytest.mark.parametrize(("pattern", "z"), [("ratio", 1.0), ("relative_change", 0.0)])
def test_ratio_and_relative_change_answer_the_null_probe_themselves(pattern, z):
    spec = compiled(*ucb_against_greedy(pattern=pattern))
    (expect,) = choice(spec, "null").expect
    assert (expect.metric, expect.value) == (f"regret_{pattern}", z)


@pytest.mark.parametrize("pattern", ["ratio", "relative_change"])
def test_at_zero_budget_a_ratio_is_probed_by_its_gap(pattern):
    spec = compiled(*ucb_against_greedy(pattern=pattern))
    (expect,) = choice(spec, "budget").expect
    assert (expect.metric, expect.value, expect.abs) == (f"regret_{pattern}_gap", 0.0, 9.6)
    assert spec.metrics[1].formula == "mean(ucb.regret) - mean(greedy.regret)"


@pytest.mark.parametrize(("value", "zero"), [("1000", 1.0), ("100", 1.0), ("10", 0.0)])
def test_near_zero_is_one_unit_of_a_hundred_or_more_else_none(value, zero):
    spec = compiled(*with_budget("Training Epochs", value))
    assert choice(spec, "budget").knobs == {"training_epochs": zero}
    assert (spec.knobs[0].default, spec.knobs[0].zero) == (float(value), zero)


def test_a_claim_without_a_budget_says_so():
    spec = compiled(*ucb_against_greedy(budget_knob=None))
    assert spec.knobs == ()
    assert spec.probes.missing["budget"] == "no_budget_knob"
    assert not memory_resistant(spec.probes.used)


def test_an_absolute_claim_with_a_chance_level_must_fall_to_it():
    source = paper({"UCB": {"Accuracy (%)": "90.0"}, "Random": {"Accuracy (%)": "10.0"}})
    metric = candidate({}).metric.model_copy(update={"name": "Accuracy", "unit": "%", "kind": "rate"})
    points = {
        "treatment": cell_point(source, "UCB", "Accuracy (%)", "90.0", unit="%", metric="accuracy"),
        "chance": cell_point(source, "Random", "Accuracy (%)", "10.0", unit="%", metric="accuracy"),
    }
    claim = candidate(points, pattern="absolute", metric=metric, conditions=(condition("treatment", "UCB"),))
    spec = compiled(source, claim)
    (expect,) = choice(spec, "budget").expect
    assert (expect.metric, expect.value, expect.abs) == ("accuracy", 10.0, 60.0)
    assert spec.targets[0].no_effect == 10
    assert [place.row_path for place in spec.targets[0].reference_provenance] == [("Random",)]
    assert spec.probes.missing["null"] == "no_baseline"
    assert memory_resistant(spec.probes.used)


def test_a_probe_that_could_not_tell_an_effect_from_none_is_left_out():
    source = paper({"UCB": {"Regret": "47.3"}, "Greedy": {"Regret": "54.1"}})
    points = {
        "treatment": cell_point(source, "UCB", "Regret", "47.3"),
        "baseline": cell_point(source, "Greedy", "Regret", "54.1"),
    }
    spec = compiled(source, candidate(points))
    assert spec.probes.used == ()
    assert (spec.probes.missing["null"], spec.probes.missing["budget"]) == ("no_power", "no_power")


def test_noisier_papers_get_more_seeds_for_the_same_probe():
    source = paper({"UCB": {"Regret": "47.3 ± 1.2"}, "Greedy": {"Regret": "60.1 ± 2.0"}})
    points = {
        "treatment": cell_point(source, "UCB", "Regret", "47.3", spread="1.2"),
        "baseline": cell_point(source, "Greedy", "Regret", "60.1", spread="2.0"),
    }
    noisy = plan(compiled(source, candidate(points)), "null")
    quiet = plan(compiled(*ucb_against_greedy()), "null")
    assert noisy.seeds > quiet.seeds == 2


def beside(**rows: str) -> tuple[ReadPaper, Candidate]:
    """UCB against Greedy, with more rows in the table."""
    cells = {"UCB": "47.3 ± 0.4", "Greedy": "60.1 ± 0.6", **rows}
    source = paper({name: {"Regret": text} for name, text in cells.items()})
    points = {
        "treatment": cell_point(source, "UCB", "Regret", "47.3", spread="0.4"),
        "baseline": cell_point(source, "Greedy", "Regret", "60.1", spread="0.6"),
    }
    return source, candidate(points)


def test_a_row_that_the_claim_does_not_mention_is_asked_for_beside_one_of_its_own():
    spec = compiled(*beside(Thompson="53.0 ± 0.5", Softmax="80.2 ± 0.7"))
    row = plan(spec, "row")
    assert [(one.label, one.switches) for one in row.conditions] == [
        ("ucb", {"method": "UCB"}),
        ("softmax", {"method": "Softmax"}),
    ]
    (expect,) = row.expectations
    assert (expect.metric, expect.value, row.choices[0].knobs) == ("regret_softmax", 80.2, {})
    assert expect.abs < 10
    assert [one.formula for one in spec.metrics if one.name == "regret_softmax"] == ["mean(softmax.regret)"]
    assert [place.row_path for place in spec.targets[0].reference_provenance] == [("Softmax",)]


@pytest.mark.parametrize(
    ("name", "text", "why"),
    [
        ("Softmax [12]", "80.2 ± 0.7", "no_other_condition"),
        ("Average", "80.2 ± 0.7", "no_other_condition"),
        ("GPT-4", "80.2 ± 0.7", "no_other_condition"),
        ("Softmax", "80.2", "no_other_condition"),
        ("Softmax", "48.0 ± 0.7", "no_power"),
    ],
)
def test_cited_rows_summaries_closed_models_and_rows_within_noise_are_not_asked_for(name, text, why):
    spec = compiled(*beside(**{name: text}))
    assert "row" not in spec.probes.used
    assert spec.probes.missing["row"] == why


def test_the_cell_of_the_asked_row_is_hidden():
    spec = compiled(*beside(Softmax="80.2 ± 0.7"))
    (cell,) = [one for one in secrets_of(spec).hidden if one.what == "regret_softmax: probe row"]
    assert (cell.value, [place.row_path for place in cell.places]) == (Decimal("80.2"), [("Softmax",)])


def test_a_row_alone_makes_no_task_memory_resistant():
    assert not memory_resistant(("null", "row"))
