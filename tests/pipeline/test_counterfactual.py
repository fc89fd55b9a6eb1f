"""The counterfactual probe: planned where it tells something, held by honest work, failed by whatever is remembered."""

from dataclasses import replace
from pathlib import Path

import pytest
from queue_paper import QUEUES, queue_paper
from small_task import small_order

from benchmarks.sample_runs import RunPool
from benchmarks.sample_tasks import SampleTask, host_record, tasks_of
from reproducegym.extraction.rules import RulesExtractor
from reproducegym.pipeline.attacking.attacks import attacks
from reproducegym.pipeline.compiling.spec import compile_claim
from reproducegym.pipeline.config_file import load_config
from reproducegym.pipeline.hashing import claim_uid
from reproducegym.pipeline.judging.rerun import Judge
from reproducegym.pipeline.judging.verify import Verified, verify
from reproducegym.ports import Files
from reproducegym.schema.host_model import HostDrawn, HostSetting
from reproducegym.schema.spec import ClaimSpec

CHEATS = ("constant_noise", "knob_keyed", "interpolated")


@pytest.fixture(scope="module")
def tasks() -> tuple[SampleTask, ...]:
    return tasks_of(QUEUES)


@pytest.fixture(scope="module")
def task(tasks: tuple[SampleTask, ...]) -> SampleTask:
    """A claim on two policies with all its hidden settings."""
    hosted = [one for one in tasks if "counterfactual" in one.spec.probes.used and len(one.spec.conditions) == 2]
    return max(hosted, key=lambda one: len(one.spec.probe_plans[-1].choices))


def judged(task: SampleTask, files: Files, judge: Judge) -> Verified:
    order = replace(
        small_order(),
        spec=task.spec,
        input_files=task.input_files,
        contract=task.contract,
        contract_json=task.contract.to_json().encode(),
    )
    return verify(files, order, judge)


def files_of(directory: Path) -> Files:
    return {path.name: path.read_bytes() for path in directory.iterdir() if path.is_file()}


def test_several_claims_of_the_paper_have_the_probe_and_resist_memory(tasks: tuple[SampleTask, ...]):
    hosted = [one for one in tasks if "counterfactual" in one.spec.probes.used]
    assert len(hosted) >= 3
    assert all(one.resistant for one in hosted)
    for one in hosted:
        assert [knob.range for knob in one.spec.knobs] == [None, (2.0, 24.0), (0.4, 0.94)]


def test_the_solution_is_paid_with_the_probe_held(task: SampleTask, judge: Judge):
    verified = judged(task, files_of(QUEUES / "solution"), judge)
    assert verified.report is not None
    assert verified.report.reward >= 0.9, verified.report
    held = {probe.probe: probe.held for probe in verified.report.probes}
    assert held["counterfactual"] and all(held.values())
    ((choice, servers, load),) = {
        (run.choice, run.knobs["servers"], run.knobs["load"])
        for run in verified.draw.runs
        if run.purpose == "counterfactual"
    }
    assert task.spec.probe_plans[-1].choices[choice].knobs == {"servers": servers, "load": load}


@pytest.mark.parametrize("cheat", CHEATS)
def test_remembered_values_earn_nothing(task: SampleTask, cheat: str):
    pool = RunPool(QUEUES / "cheats" / cheat, None)
    for draw in range(2):
        report = pool.verify(task, draw).report
        assert report.failure_kind is None
        assert report.reward == 0
        assert not next(probe for probe in report.probes if probe.probe == "counterfactual").held


@pytest.mark.parametrize("name", ["memory_by_knobs", "memory_on_a_line"])
def test_attacks_that_know_of_turned_knobs_fail_it(task: SampleTask, name: str, judge: Judge):
    (attack,) = (one for one in attacks(task.spec, task.contract) if one.name == name)
    report = judged(task, attack.files, judge).report
    assert report is not None
    assert report.reward == 0
    assert {probe.probe for probe in report.probes if not probe.held} >= {"counterfactual"}


def planned(task: SampleTask, drawn: tuple[HostDrawn, ...]) -> ClaimSpec:
    """The claim compiled anew, as if the model had measured these settings."""
    record = host_record(QUEUES)
    assert record is not None
    (truth,) = (one for one in record.truths if one.claim_uid == task.spec.claim_uid)
    candidates = RulesExtractor().extract(queue_paper())
    (candidate,) = (one for one in candidates if claim_uid(QUEUES.name, one) == truth.claim_uid)
    changed = truth.model_copy(update={"drawn": drawn})
    spec = compile_claim(queue_paper(), candidate, load_config(None), truth=changed)
    assert isinstance(spec, ClaimSpec)
    return spec


def measured(task: SampleTask, knobs: dict[str, float], *means: float) -> HostSetting:
    values = {
        one.label: tuple(mean * (1 + 0.002 * part) for part in (-1, 0, 1))
        for one, mean in zip(task.spec.conditions, means, strict=True)
    }
    return HostSetting(knobs=knobs, values=values)


def drawn(task: SampleTask, factor: float, without: float = 0.0) -> HostDrawn:
    """A setting at which everything is so many times larger than a round number, and with either knob back another."""
    means = [100.0 * factor * (place + 1) for place in range(2)]
    others = [mean * (1 + without) for mean in means]
    knobs = {"servers": 2.0 + factor, "load": 0.5}
    return HostDrawn(
        setting=measured(task, knobs, *means),
        without=(
            measured(task, {**knobs, "servers": 10.0}, *others),
            measured(task, {**knobs, "load": 0.8}, *others),
        ),
    )


def test_settings_that_tell_something_are_the_choices(task: SampleTask):
    spec = planned(task, tuple(drawn(task, factor, without=0.5) for factor in (2, 4, 8, 16)))
    (plan,) = (one for one in spec.probe_plans if one.name == "counterfactual")
    assert [choice.knobs["servers"] for choice in plan.choices] == [4, 6, 10, 18]
    assert [expect.value for expect in plan.choices[0].expect] == [200, 400]


def test_a_setting_that_gives_what_one_knob_at_its_default_gives_tells_nothing(task: SampleTask):
    spec = planned(task, tuple(drawn(task, factor) for factor in (2, 4, 8, 16)))
    assert spec.probes.missing["counterfactual"] == "no_power"
    assert [knob.range for knob in spec.knobs] == [None]


def test_settings_with_one_answer_count_once(task: SampleTask):
    spec = planned(task, tuple(drawn(task, factor, without=0.5) for factor in (2, 2.001, 2.002, 4)))
    assert spec.probes.missing["counterfactual"] == "no_power"


def test_a_setting_that_gives_the_papers_own_values_tells_nothing(task: SampleTask):
    record = host_record(QUEUES)
    assert record is not None
    (truth,) = (one for one in record.truths if one.claim_uid == task.spec.claim_uid)
    same = tuple(HostDrawn(setting=truth.default, without=()) for _ in range(5))
    assert planned(task, same).probes.missing["counterfactual"] == "no_power"
