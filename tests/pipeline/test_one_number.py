"""One remembered number under every label: a plain value with a printed baseline is held apart from it."""

import pytest
from compiler_paper import candidate, cell_point, condition, paper, ucb_against_greedy

from reproducegym.pipeline.compiling.contract import contract_of
from reproducegym.pipeline.compiling.spec import compile_claim
from reproducegym.pipeline.config_file import load_config
from reproducegym.pipeline.proving.proof import prove
from reproducegym.pipeline.proving.rehearsal import rehearse, resists_memory
from reproducegym.schema.base import canonical_json
from reproducegym.schema.claim import MetricIdea
from reproducegym.schema.spec import ClaimSpec
from reproducegym.verifier.contract import load_contract
from reproducegym.verifier.score import score_artifact

CONFIG = load_config(None)


def accuracies(treatment: str, baseline: str, *, run_baseline: bool = True) -> ClaimSpec:
    """A plain accuracy over 100 000 questions, beside a baseline; no spread is printed."""
    source = paper({"UCB": {"Accuracy (%)": treatment}, "Greedy": {"Accuracy (%)": baseline}})
    points = {
        "treatment": cell_point(source, "UCB", "Accuracy (%)", treatment, unit="%", metric="accuracy"),
        "baseline": cell_point(source, "Greedy", "Accuracy (%)", baseline, unit="%", metric="accuracy"),
    }
    conditions = (condition("treatment", "UCB"), condition("baseline", "Greedy"))[: 1 + run_baseline]
    metric = MetricIdea(name="Accuracy", unit="%", kind="rate", direction="higher_is_better")
    spec = compile_claim(
        source, candidate(points, pattern="absolute", metric=metric, conditions=conditions), load_config(None)
    )
    assert isinstance(spec, ClaimSpec), spec
    return spec


def earned(spec: ClaimSpec, values: dict[str, float]) -> float:
    """What a table of these values by label earns, each seed a little apart."""
    (column,) = spec.required_outputs.columns
    rows = [
        f"{label},{seed},{value + seed * 1e-6!r}" for seed in range(spec.seeds.count) for label, value in values.items()
    ]
    table = "\n".join([f"condition,seed,{column.name}", *rows]) + "\n"
    return score_artifact(load_contract(canonical_json(contract_of(spec))), table.encode()).reward


def test_one_number_for_all_conditions_earns_nothing_and_the_task_resists_memory():
    spec = compile_claim(*ucb_against_greedy(pattern="absolute"), CONFIG)
    assert isinstance(spec, ClaimSpec)
    assert earned(spec, {"ucb": 47.3, "greedy": 47.3}) == 0
    assert earned(spec, {"ucb": 47.3, "greedy": 60.1}) == 1
    assert {check.name for check in rehearse(spec, contract_of(spec)) if check.detail} == {"attack_by_knobs"}
    assert resists_memory(spec, contract_of(spec))
    assert all(check.passed for check in prove(spec))


@pytest.mark.parametrize(("treatment", "baseline"), [("80.0", "60.0"), ("60.0", "80.0"), ("52.0", "12.0")])
def test_it_holds_without_a_printed_spread_and_whichever_of_the_two_is_larger(treatment: str, baseline: str):
    spec = accuracies(treatment, baseline)
    assert earned(spec, {"ucb": float(treatment), "greedy": float(treatment)}) == 0
    assert earned(spec, {"ucb": float(treatment), "greedy": float(baseline)}) == 1
    # a wider gap than the paper's is no fault of the reproduction
    wider = float(baseline) + (float(baseline) - float(treatment)) / 10
    assert earned(spec, {"ucb": float(treatment), "greedy": wider}) == 1
    assert all(check.passed for check in prove(spec))


def test_a_gap_that_noise_hides_or_that_is_not_run_is_not_paid_for():
    hidden, alone = accuracies("80.0", "77.0"), accuracies("80.0", "60.0", run_baseline=False)
    assert [metric.role for metric in hidden.metrics if metric.name == "accuracy_difference"] == ["diagnostic"]
    assert [one.label for one in alone.conditions] == ["ucb"]
    assert [target.metric for target in (*hidden.targets, *alone.targets)] == ["accuracy", "accuracy"]


def test_the_gap_makes_no_claim_fall_and_widens_nothing():
    for baseline in ("77.0", "70.0", "60.0"):
        beside, alone = (accuracies("80.0", baseline, run_baseline=run) for run in (True, False))
        assert beside.targets[0].tolerance == alone.targets[0].tolerance
