"""Attempts on disk: a list that mends itself, and attempts in the making whose run is dead."""

import os
import threading
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from batch_checks import wait_for

from reproducegym.errors import StorageError
from reproducegym.owner import Owner
from reproducegym.pipeline.store import PaperStore
from reproducegym.pipeline.store.running import owned
from reproducegym.schema.batch import AttemptLine, InProgress, Origin
from reproducegym.schema.run import AgentRecord, Result, Timings

NOW = datetime(2026, 5, 4, 12, 0, tzinfo=UTC)
TASK = ("c001_x", "a" * 16)


def result(number: int, reward: float | None = 0.0) -> Result:
    return Result(
        schema_version=1,
        task_id="p.c001_x",
        paper_id="p",
        claim_id=TASK[0],
        spec_hash=TASK[1],
        contract_hash="c" * 16,
        task_digest="d" * 64,
        attempt=number,
        reward=reward,
        reward_valid=reward is not None,
        failure_kind="agent" if reward == 0 else "infra",
        failure_detail="",
        verdict="failed" if reward == 0 else "invalid",
        evidence_level="reexecute",
        sandbox="namespaces",
        image="none",
        agent=AgentRecord(agent="noop", outcome="finished", exit_code=0, detail=""),
        report=None,
        submission_sha256=None,
        reproducegym_version="0",
        timings=Timings(agent_s=1.0, copy_out_s=0.0, verify_s=2.0, total_s=3.0),
    )


def origin(slot: int) -> Origin:
    return Origin(schema_version=1, batch_id="b", slot=slot, tried=1, run_id="r", host="h", begun=NOW)


def added(store: PaperStore, slot: int, reward: float | None = 0.0) -> int:
    with store.begin_attempt(*TASK) as begun:
        return store.add_attempt(
            begun,
            lambda number: {
                "result.json": result(number, reward).to_json().encode(),
                "origin.json": origin(slot).to_json().encode(),
            },
        )


@pytest.fixture
def store(tmp_path: Path) -> PaperStore:
    return PaperStore(tmp_path, "p")


def index(store: PaperStore) -> Path:
    return store.root / "04-run" / "index.jsonl"


@pytest.mark.parametrize("harm", ["torn", "missing", "gone", "foreign", "extra"])
def test_a_list_that_disagrees_with_the_directories_is_made_anew(store: PaperStore, harm: str):
    for slot in (1, 2, 3):
        added(store, slot)
    whole = index(store).read_bytes()
    first, second, third = whole.splitlines(keepends=True)
    harmed = {
        "torn": first + second + third[:40],
        "missing": first + third,
        "gone": None,
        "foreign": first + second + b'{"schema_version":9}\n',
        "extra": whole + third.replace(b'"attempt":3', b'"attempt":4'),
    }[harm]
    index(store).unlink()
    if harmed is not None:
        index(store).write_bytes(harmed)
    assert [line.slot for line in store.attempts_seen().lines] == [1, 2, 3]
    assert (index(store).read_bytes() if index(store).exists() else None) == harmed
    assert [line.slot for line in store.attempt_lines()] == [1, 2, 3]
    assert index(store).read_bytes() == whole


@pytest.mark.parametrize(
    ("file", "put", "said"),
    [
        ("result.json", b"{", "001/result.json is not JSON"),
        ("result.json", None, "001/result.json is missing"),
        ("result.json", b'{"schema_version": 2}', "001/result.json was written by a newer reproducegym"),
        ("result.json", result(3).to_json().encode(), "001/result.json is of attempt 3 at c001_x"),
        ("origin.json", b"", "001/origin.json is not JSON"),
    ],
)
def test_a_damaged_attempt_counts_for_nobody_and_is_told(store: PaperStore, file: str, put: bytes | None, said: str):
    for slot in (1, 2):
        added(store, slot)
    listed, damaged = index(store).read_bytes(), store.attempt_directory(*TASK, 1) / file
    damaged.unlink()
    if put is not None:
        damaged.write_bytes(put)
    seen = store.attempts_seen()
    assert index(store).read_bytes() == listed
    told: list[str] = []
    assert (tuple(store.each_attempt(told.append)), tuple(told)) == seen
    assert [line.slot for line in seen.lines] == [line.slot for line in store.attempt_lines()] == [2]
    (line,) = seen.damaged
    assert said in line
    assert [AttemptLine.from_json(line).slot for line in index(store).read_text().splitlines()] == [2]


def test_a_line_after_a_torn_one_is_not_lost(store: PaperStore):
    added(store, 1)
    index(store).write_bytes(index(store).read_bytes()[:-10])
    added(store, 2)
    assert [AttemptLine.from_json(line).slot for line in index(store).read_text().splitlines()] == [1, 2]


def test_a_regrade_is_listed(store: PaperStore):
    added(store, 1, None)
    assert not store.attempt_lines()[0].reward_valid
    store.update_attempt(*TASK, 1, {"result.json": result(1).to_json().encode()})
    assert store.attempt_lines()[0].reward == 0.0


def left(store: PaperStore, note: InProgress) -> Path:
    """An attempt in progress as a killed run leaves it."""
    directory = store.root / "04-run" / TASK[0] / TASK[1] / ".running-x"
    (directory / "trace").mkdir(parents=True)
    (directory / "workspace").mkdir()
    (directory / "owner.json").write_text(note.to_json())
    (directory / "trace" / "said.jsonl").write_text("a word\n")
    return directory


def test_of_a_dead_run_the_trace_is_kept_and_a_living_one_is_spared(store: PaperStore):
    living = owned(NOW, NOW + timedelta(hours=1), None, None)
    owner = Owner.this_process()
    later = living.model_copy(update={"owner": f"{owner.pid}:{owner.started - 1}:{owner.boot_id}"})
    directory = left(store, living)
    assert store.clear_lost(NOW + timedelta(days=9)) == 0  # it is asked, and lives
    (directory / "owner.json").write_text(later.to_json())
    assert store.clear_lost(NOW) == 1
    assert not directory.exists()
    assert [path.read_text() for path in store.root.glob("04-run/lost/c001_x/*/x/trace/said.jsonl")] == ["a word\n"]
    assert store.attempts(*TASK) == ()


def test_who_cannot_be_asked_has_its_time(store: PaperStore):
    elsewhere = owned(NOW, NOW + timedelta(hours=1), None, None).model_copy(
        update={"owner": "7:7:another-boot", "host": "another-machine"}
    )
    left(store, elsewhere)
    assert store.clear_lost(NOW) == 0
    assert store.clear_lost(NOW + timedelta(hours=2)) == 1


def test_who_cannot_be_asked_is_dead_after_a_long_silence_by_the_file_systems_own_clock(store: PaperStore):
    elsewhere = owned(NOW, datetime.now(tz=UTC) + timedelta(hours=1), None, None).model_copy(
        update={"owner": "7:7:another-boot", "host": "another-machine"}
    )
    added(store, 1)  # so that there is a lock file
    directory = left(store, elsewhere)
    assert store.clear_lost(NOW) == 0
    assert store.clear_lost(datetime.now(tz=UTC) + timedelta(minutes=20)) == 0  # our clock may be wrong
    long_ago = time.time() - 20 * 60
    os.utime(directory / "owner.json", (long_ago, long_ago))
    mute = elsewhere.model_copy(update={"beat_s": None})
    assert mute.to_json() == InProgress.from_json(mute.to_json()).to_json()
    assert store.lost_attempts(NOW) == (directory,)
    (directory / "owner.json").write_text(mute.to_json())  # an owner that never said so lives to its end
    os.utime(directory / "owner.json", (long_ago, long_ago))
    assert store.clear_lost(NOW) == 0
    (directory / "owner.json").write_text(elsewhere.to_json())
    os.utime(directory / "owner.json", (long_ago, long_ago))
    assert store.clear_lost(NOW) == 1


def test_an_owner_says_that_it_lives_as_long_as_it_works(store: PaperStore):
    note = owned(NOW, NOW, None, None).model_copy(update={"beat_s": 0.01})
    with store.begin_attempt(*TASK, note) as begun:
        place = begun.directory / "owner.json"
        os.utime(place, (0, 0))
        wait_for(lambda: place.stat().st_mtime > 0)
        place.unlink()
        time.sleep(0.05)
        assert not place.exists()
    assert not [thread for thread in threading.enumerate() if thread.name == "heartbeat"]


def test_nothing_of_an_attempt_that_cannot_be_written_stays(store: PaperStore):
    def full(number: int) -> dict[str, bytes]:
        raise StorageError("the disk is full")

    with pytest.raises(StorageError), store.begin_attempt(*TASK) as begun:
        store.add_attempt(begun, full)
    assert not (store.root / "04-run").exists()
