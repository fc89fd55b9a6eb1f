"""A claim over more conditions than a re-run holds is run and scored on a few of them, drawn for each verification."""

from decimal import Decimal
from functools import cache
from itertools import pairwise
from random import Random

import pytest
from compiler_paper import candidate, cell_point, condition, paper
from hypothesis import given
from hypothesis import strategies as st

from reproducegym.pipeline.compiling.contract import contract_of
from reproducegym.pipeline.compiling.sampling import strata
from reproducegym.pipeline.compiling.spec import compile_claim
from reproducegym.pipeline.config_file import load_config
from reproducegym.pipeline.exposure.hidden import secrets_of
from reproducegym.pipeline.judging.draw import plan_runs
from reproducegym.pipeline.proving.proof import prove
from reproducegym.pipeline.proving.rehearsal import resists_memory
from reproducegym.pipeline.task import brief
from reproducegym.schema.base import canonical_json
from reproducegym.schema.claim import MetricIdea
from reproducegym.schema.spec import ClaimSpec
from reproducegym.verifier.contract import load_contract
from reproducegym.verifier.score import Report, Run, score_runs

CONFIG = load_config(None)
SCORE = MetricIdea(name="Score", unit="", kind="score", direction="higher_is_better")
SCORES = {
    "A": "80.0 ± 0.4",
    "B": "70.0 ± 0.4",
    "C": "60.0 ± 0.4",
    "D": "50.0 ± 0.4",
    "E": "40.0 ± 0.4",
    "F": "30.0 ± 0.4",
}


def compiled(source, claim, hours: float) -> ClaimSpec:
    budget = CONFIG.verification.model_copy(update={"max_hours": hours})
    outcome = compile_claim(source, claim, CONFIG.model_copy(update={"verification": budget}))
    assert isinstance(outcome, ClaimSpec), outcome
    return outcome


@cache
def ordered(hours: float, *labels: str) -> ClaimSpec:
    scores = {label: SCORES[label] for label in labels or SCORES}
    source = paper({label: {"Score": text} for label, text in scores.items()}, "A is before B, and so on.")
    parts = [
        cell_point(source, label, "Score", text.split()[0], spread=text.split()[-1], metric="score")
        for label, text in scores.items()
    ]
    conditions = tuple(condition("part", label) for label in scores)
    return compiled(source, candidate({"part": parts}, pattern="order", conditions=conditions, metric=SCORE), hours)


@cache
def averaged(hours: float) -> ClaimSpec:
    values = {"Easy": "40.0", "Plain": "36.0", "Steep": "30.0", "Hard": "22.0", "Odd": "20.0"}
    source = paper({"UCB": values})
    parts = [cell_point(source, "UCB", column, text, metric="score", dataset=column) for column, text in values.items()]
    claim = candidate({"part": parts}, pattern="mean", conditions=(condition("part", "UCB"),), metric=SCORE)
    return compiled(source, claim, hours)


def judged(spec: ClaimSpec, values: dict[str, float], seed: int = 7) -> Report:
    """A verification of scores by label: without the budget all of them are one."""
    contract, draw = contract_of(spec), Random(seed)
    switches = {tuple(one.switches.items()): values[one.label] for one in spec.conditions}
    runs = []
    for plan in plan_runs(contract, draw.randrange):
        starved = plan.knobs != contract.knobs
        lines = ["condition,score"]
        for one in plan.conditions:
            level = 1.0 if starved else switches[tuple(one.switches.items())]
            lines.append(f"{one.label},{level + draw.gauss(0, 0.05)!r}")
        table = ("\n".join(lines) + "\n").encode()
        runs.append(Run(plan.purpose, plan.index, plan.seed, plan.labels, "ok", "", table, plan.choice))
    return score_runs(load_contract(canonical_json(contract)), runs)


def test_an_order_that_fits_is_run_whole():
    spec = ordered(8.0)
    assert (spec.evidence_level, spec.samples, spec.drawn()) == ("reexecute", (), (spec,))
    assert b"drawn after you end" not in brief(spec, paper({"A": {"Score": "1"}}), "none", 8.0)["task.md"]


@pytest.mark.parametrize("hours", [1.2, 0.8])
def test_one_that_does_not_fit_is_re_executed_on_drawn_conditions(hours: float):
    spec = ordered(hours)
    assert spec.evidence_level == "reexecute"
    assert len(spec.samples) > 1
    assert {one.label for sample in spec.samples for one in sample.conditions} == set("abcdef")
    (size,) = {len(sample.conditions) for sample in spec.samples}
    assert 2 <= size < 6
    for one in spec.drawn():
        runs = one.seeds.count + sum(plan.seeds for plan in one.probe_plans)
        assert runs * one.run_budget_s <= hours * 3600
    assert spec.probes.missing["row"] == "cells_are_drawn"


def test_a_sample_is_scored_on_the_printed_cells_of_its_conditions():
    spec = ordered(0.8)
    honest = {label.lower(): float(text.split()[0]) for label, text in SCORES.items()}
    for one in spec.drawn():
        printed = sorted((honest[condition.label] for condition in one.conditions), reverse=True)
        smallest = min(above - below for above, below in pairwise(printed))
        assert one.targets[0].value == Decimal(str(smallest))
        assert judged(one, honest).reward == 1
        turned = one.conditions[0].label, one.conditions[-1].label
        swapped = honest | {turned[0]: honest[turned[1]], turned[1]: honest[turned[0]]}
        assert judged(one, swapped).reward == 0
        assert judged(one, dict.fromkeys(honest, 80.0)).reward == 0


def test_remembered_numbers_are_rehearsed_on_the_samples():
    spec = ordered(1.2)
    assert {"null", "budget"} <= set(spec.probes.used)
    assert resists_memory(spec, contract_of(spec))


def test_the_agent_is_told_that_runs_hold_some_conditions_and_not_which():
    spec = ordered(0.8)
    files = brief(spec, paper({"A": {"Score": "1"}}), "none", 0.8)
    assert f"each run is given {len(spec.samples[0].conditions)} of them".encode() in files["task.md"]
    assert (
        f"`REPRODUCEGYM_BUDGET_S` | wall-clock seconds of this run | {spec.run_budget_s}".encode() in files["task.md"]
    )
    assert all(f'"label": "{label}"'.encode() in files["conditions.json"] for label in "abcdef")


def test_what_samples_expect_is_hidden():
    spec = ordered(0.8)
    hidden = {one.value for one in secrets_of(spec).hidden}
    assert {target.value for sample in spec.samples for target in sample.targets} <= hidden


def test_a_mean_over_data_sets_gives_each_of_them_as_a_switch():
    spec = averaged(0.2)
    assert spec.samples
    assert [one.switches["data_set"] for one in spec.conditions] == ["Easy", "Plain", "Steep", "Hard", "Odd"]
    assert [column.name for column in spec.required_outputs.columns] == ["score"]
    values = dict(zip((one.label for one in spec.conditions), (40.0, 36.0, 30.0, 22.0, 20.0), strict=True))
    for one in spec.drawn():
        drawn = [values[condition.label] for condition in one.conditions]
        assert float(one.targets[0].value) == pytest.approx(sum(drawn) / len(drawn))
        assert judged(one, values).reward == 1
        assert judged(one, {label: value - 5 for label, value in values.items()}).reward == 0
    assert all(check.passed for check in prove(spec))


def test_what_has_no_conditions_to_spare_is_replayed():
    spec = ordered(0.8, "A", "B", "C")
    assert (spec.evidence_level, spec.samples) == ("replay", ())


@given(st.lists(st.integers(0, 99), min_size=4, max_size=15), st.data())
def test_every_sample_has_one_of_each_stratum_and_every_condition_stands_in_some(numbers: list[int], data):
    values = [Decimal(number) for number in numbers]
    drawn = data.draw(st.integers(2, len(values) - 1))
    samples = strata(values, drawn)
    assert samples == strata(values, drawn)
    assert {place for sample in samples for place in sample} == set(range(len(values)))
    ranks = {place: rank for rank, place in enumerate(sorted(range(len(values)), key=lambda at: (-values[at], at)))}
    bounds = [number * len(values) // drawn for number in range(drawn + 1)]
    for sample in samples:
        assert list(sample) == sorted(set(sample))
        for low, high in pairwise(bounds):
            assert sum(low <= ranks[place] < high for place in sample) == 1
