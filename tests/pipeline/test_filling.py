"""One slot of a batch: faults of the engine are met with another try, the agent's never, and what counts stays."""

import contextlib
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from small_task import HONEST, small_order

from reproducegym.adapters.executors.local import LocalExecutor
from reproducegym.errors import InfrastructureError, ModelUnavailableError, SandboxUnavailableError
from reproducegym.pipeline.attempts.filling import Bench, Filled, fill
from reproducegym.pipeline.attempts.slots import Slot, empty_slots, filled_slots
from reproducegym.pipeline.judging.rerun import Judge
from reproducegym.pipeline.store import PaperStore
from reproducegym.pipeline.store.batches import Batches
from reproducegym.schema.batch import Batch, BatchTask
from reproducegym.schema.config import RunConfig
from reproducegym.schema.run import AgentRecord

TASK = BatchTask(paper_id="small", claim_id="c001_small", spec_hash="5" * 16)
SLOT = Slot(TASK, 1)


class Flaky:
    """An agent under which the engine fails some times, and then does nothing."""

    name = "flaky"

    def __init__(self, failures: int) -> None:
        self.failures, self.calls = failures, 0
        self.mounts: dict[str, Path] = {}
        self.door: tuple[str, ...] = ()

    def run(self, task, box):
        self.calls += 1
        if self.calls <= self.failures:
            raise InfrastructureError("the engine went away")
        return AgentRecord(agent=self.name, outcome="finished", exit_code=0, detail="")


class Away:
    """A sandbox whose engine is away for a while."""

    name = "away"

    def __init__(self, judge: Judge, times: int) -> None:
        self.real, self.left = judge.sandbox, times

    def image_id(self, image):
        if self.left:
            self.left -= 1
            raise SandboxUnavailableError("no Docker engine answers")
        return self.real.image_id(image)

    def create(self, spec):
        return self.real.create(spec)


class Waits(list[float]):
    """Notes how long it was asked to wait; does not."""

    def __call__(self, seconds: float) -> bool:
        self.append(seconds)
        return True


def bench(agent: Flaky, judge: Judge, waits: Waits) -> Bench:
    config = RunConfig(retries=2, retry_wait_s=5.0, longest_attempt_s=60.0)
    return Bench(agent, judge, config, lambda: datetime.now(tz=UTC), waits)


def kept(filled: Filled) -> list[tuple[int, float | None]]:
    return [(one.result.attempt, one.result.reward) for one in filled.stored]


def test_faults_of_the_engine_are_tried_again_and_each_is_kept_and_listed(judge: Judge, tmp_path: Path):
    agent, waits = Flaky(2), Waits()
    filled = fill(Batches(tmp_path), "b", SLOT, small_order(), bench(agent, judge, waits))
    assert kept(filled) == [(1, None), (2, None), (3, 0.0)]
    assert waits == [5.0, 10.0]
    lines = PaperStore(tmp_path, "small").attempt_lines()
    assert [(line.slot, line.tried, line.failure_kind) for line in lines] == [
        (1, 1, "infra"),
        (1, 2, "infra"),
        (1, 3, "agent"),
    ]


def test_what_an_agent_earns_stands_even_if_it_is_nothing(judge: Judge, tmp_path: Path):
    agent, waits = Flaky(0), Waits()
    batches = Batches(tmp_path)
    assert kept(fill(batches, "b", SLOT, small_order(), bench(agent, judge, waits))) == [(1, 0.0)]
    assert fill(batches, "b", SLOT, small_order(), bench(agent, judge, waits)).stored == ()
    assert (agent.calls, waits) == (1, [])
    assert kept(fill(batches, "another", SLOT, small_order(), bench(agent, judge, waits))) == [(2, 0.0)]


def test_a_slot_stays_empty_after_the_last_try_and_is_the_one_that_is_missing(judge: Judge, tmp_path: Path):
    agent, waits = Flaky(3), Waits()
    batches = Batches(tmp_path)
    filled = fill(batches, "b", SLOT, small_order(), bench(agent, judge, waits))
    assert [reward for _, reward in kept(filled)] == [None, None, None]
    batch = Batch(
        schema_version=1,
        batch_id="b",
        begun=datetime.now(tz=UTC),
        agent="noop",
        sandbox="auto",
        attempts=2,
        tasks=(TASK,),
        assets=(),
        config=None,
    )
    store = PaperStore(tmp_path, "small")
    assert empty_slots(batch, set(filled_slots(batch, "small", store.attempt_lines()))) == (SLOT, Slot(TASK, 2))
    assert kept(fill(batches, "b", SLOT, small_order(), bench(agent, judge, waits))) == [(4, 0.0)]
    assert empty_slots(batch, set(filled_slots(batch, "small", store.attempt_lines()))) == (Slot(TASK, 2),)
    assert store.attempt_lines()[-1].tried == 4


class Talker(Flaky):
    """An agent that has said something when it breaks off."""

    def __init__(self, error: Exception) -> None:
        super().__init__(0)
        self.error = error

    def run(self, task, box):
        (task.trace / "said.jsonl").write_text("a word\n")
        task.bill.model = "a-model"
        raise self.error


def test_an_agent_whose_models_refuse_us_is_kept_unscored_and_ends_the_batch(judge: Judge, tmp_path: Path):
    agent, waits = Talker(ModelUnavailableError("the endpoint refuses the key")), Waits()
    filled = fill(Batches(tmp_path), "b", SLOT, small_order(), bench(agent, judge, waits))
    (stored,) = filled.stored
    assert (filled.failure, waits) == (agent.error, [])
    assert (stored.result.reward, stored.result.failure_kind) == (None, "infra")
    assert (stored.result.failure_detail, stored.result.agent.model) == ("the endpoint refuses the key", "a-model")
    assert (stored.directory / "trace" / "said.jsonl").read_text() == "a word\n"
    assert [line.failure_kind for line in PaperStore(tmp_path, "small").attempt_lines()] == ["infra"]


def test_what_an_agent_had_said_is_kept_also_where_a_defect_breaks_it_off(judge: Judge, tmp_path: Path):
    with pytest.raises(TypeError):
        fill(Batches(tmp_path), "b", SLOT, small_order(), bench(Talker(TypeError("oh")), judge, Waits()))
    kept = list(tmp_path.glob("small/04-run/lost/*/*/*/trace/said.jsonl"))
    assert [path.read_text() for path in kept] == ["a word\n"]
    assert (kept[0].parent.parent / "owner.json").is_file()
    assert not list(tmp_path.glob("small/04-run/c*"))


@pytest.mark.parametrize(("away", "made"), [(2, [(1, 0.0)]), (3, [])])
def test_an_engine_that_is_away_is_waited_for(judge: Judge, tmp_path: Path, away: int, made: list[tuple[int, float]]):
    gone = replace(judge, sandbox=Away(judge, away))
    filled = fill(Batches(tmp_path), "b", SLOT, small_order(), bench(Flaky(0), gone, Waits()))
    assert kept(filled) == made
    assert (filled.failure is None) is bool(made)
    assert list(tmp_path.glob("small/04-run/*/*/.running-*")) == []


class Worker(Flaky):
    """An agent that leaves an honest submission."""

    def run(self, task, box):
        box.put(HONEST)
        return super().run(task, box)


class AwayLater(Away):
    """A sandbox whose engine goes away as soon as the agent has ended, for some tries of a run."""

    boxes = 0

    @contextlib.contextmanager
    def create(self, spec):
        self.boxes += 1
        if self.boxes > 1 and self.left:
            self.left -= 1
            raise SandboxUnavailableError("no Docker engine answers")
        with self.real.create(spec) as box:
            yield box

    def image_id(self, image):
        return self.real.image_id(image)


@pytest.mark.parametrize(("away", "reward", "waited"), [(4, 1.0, [5.0]), (1000, None, [5.0, 10.0])])
def test_what_an_agent_left_is_judged_again_without_the_agent(
    judge: Judge, tmp_path: Path, away: int, reward: float | None, waited: list[float]
):
    agent, waits = Worker(0), Waits()
    gone = replace(judge, sandbox=AwayLater(judge, away), executor=LocalExecutor(1))
    filled = fill(Batches(tmp_path), "b", SLOT, small_order(), bench(agent, gone, waits))
    assert kept(filled) == [(1, reward)]
    assert filled.failure is None
    assert agent.calls == 1
    assert waits == waited


def test_a_stop_cuts_the_waiting_short(judge: Judge, tmp_path: Path):
    agent = Flaky(9)
    filled = fill(
        Batches(tmp_path), "b", SLOT, small_order(), replace(bench(agent, judge, Waits()), wait=lambda _: False)
    )
    assert len(filled.stored) == agent.calls == 1
