"""A real Ray of this machine: bounded, in order, and whatever is killed, every slot is filled exactly once."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from batch_checks import assert_each_slot_once, in_progress, lines, owners, wait_for
from sample_paper import ROOT, call, command_line

from reproducegym.adapters.executors.on_ray import RayExecutor
from reproducegym.cli.batching import work_on
from reproducegym.cli.bench import SlotWork
from reproducegym.errors import InfrastructureError, NotFoundError
from reproducegym.pipeline.config_file import load_config
from reproducegym.schema.batch import Batch, BatchTask

# Ray reads them when it is imported, as wiring has it: nothing is told to anybody, and it listens on loopback alone.
os.environ.update({"RAY_USAGE_STATS_ENABLED": "0", "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0"})
os.environ["RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO"] = "0"
ray = pytest.importorskip("ray")


@pytest.fixture(scope="module")
def cluster() -> Iterator[str]:
    """The address of a small Ray on loopback, with one thing of its own."""
    context = ray.init(
        address="local",
        num_cpus=4,
        resources={"bench": 2.0},
        object_store_memory=100 * 2**20,
        include_dashboard=False,
        log_to_driver=False,
        logging_level="ERROR",
        _node_ip_address="127.0.0.1",
    )
    ray.cloudpickle.register_pickle_by_value(sys.modules[__name__])  # its workers cannot import a test
    assert context.address_info["gcs_address"].startswith("127.0.0.1:")
    yield context.address_info["gcs_address"]
    ray.shutdown()


def executor(parallel: int, retries: int = 2, **more: object) -> RayExecutor:
    return RayExecutor(parallel, load_config(None).ray.model_copy(update={"retries": retries, **more}))


def test_a_cluster_that_is_not_there_is_one_line():
    with pytest.raises(InfrastructureError, match=r"127.0.0.1:9 does not answer: .*refused"):
        list(RayExecutor(1, load_config(None).ray, "127.0.0.1:9").as_done(abs, [1]))


class Noted:
    """Work that leaves a note while it is at it; told to, it kills its own worker the first time."""

    def __init__(self, place: Path) -> None:
        self.place = place

    def __call__(self, item: int) -> int:
        note = self.place / f"{item}.now"
        note.touch()
        (self.place / f"{item}.{time.time_ns()}.most").write_text(str(len(list(self.place.glob("*.now")))))
        time.sleep(0.1)
        note.unlink()
        if item == 3 and len(list(self.place.glob("3.*.most"))) == 1:
            os.kill(os.getpid(), signal.SIGKILL)
        if item == 100:
            os.kill(os.getpid(), signal.SIGKILL)
        if item == 101:
            raise NotFoundError("there is no item 101")
        return item * item


def test_pieces_end_in_order_within_the_bound_and_survive_the_death_of_a_worker(cluster: str, tmp_path: Path):
    assert list(executor(2).map(Noted(tmp_path), range(8))) == [item * item for item in range(8)]
    at_once = [int(note.read_text()) for note in tmp_path.glob("*.most")]
    assert max(at_once) <= 2
    assert len(at_once) == 9  # number 3 was begun twice


def test_what_a_node_has_of_its_own_bounds_too(cluster: str, tmp_path: Path):
    assert sorted(executor(4, resources={"bench": 2.0}).as_done(Noted(tmp_path), range(4, 7))) == [16, 25, 36]
    assert {note.read_text() for note in tmp_path.glob("*.most")} == {"1"}


def test_an_error_of_the_work_is_itself_and_a_worker_that_always_dies_is_the_engines(cluster: str, tmp_path: Path):
    with pytest.raises(NotFoundError, match="no item 101"):
        list(executor(2).as_done(Noted(tmp_path), [101]))
    with pytest.raises(InfrastructureError, match="died 2 times"):
        list(executor(2, retries=1).as_done(Noted(tmp_path), [100]))


def test_of_a_batch_no_slot_is_lost_or_filled_twice_when_a_worker_is_killed(cluster: str, paper: Path, slow: str):
    batch = Batch(
        schema_version=1,
        batch_id="story",
        begun=datetime.now(tz=UTC),
        agent=slow,
        sandbox="namespaces",
        attempts=4,
        tasks=tuple(
            BatchTask(paper_id=paper.name, claim_id=task.parent.name, spec_hash=task.name)
            for task in sorted(paper.glob("03-task/*/*"))
        ),
        assets=(),
        config=None,
    )
    killed: list[int] = []

    def kill_one() -> None:
        wait_for(lambda: owners(paper))
        killed.append(owners(paper).pop())
        os.kill(killed[0], signal.SIGKILL)

    killer = threading.Thread(target=kill_one)
    killer.start()
    worked = work_on(SlotWork(batch, paper.parent, 1), executor(3), new=True, each=lambda _stored: None)
    killer.join()
    assert killed
    assert killed[0] != os.getpid()
    assert worked.failure is None
    assert worked.missing == 0
    assert_each_slot_once(paper, 8)
    assert len(lines(paper)) == 8


def test_a_batch_whose_driver_is_killed_is_resumed_on_the_same_cluster_and_regraded_there(
    cluster: str, paper: Path, slow: str
):
    on_ray = ("--executor", "ray", "--ray-address", cluster, "--parallel", "2")
    asked = ("run.py", "--paper", paper, "--all", "--agent", slow, "--sandbox", "namespaces", "--attempts", "2")
    driver = subprocess.Popen(
        command_line(*asked, *on_ray), cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    wait_for(lambda: in_progress(paper))
    driver.kill()
    driver.wait()
    done = call("run.py", "--runs", paper.parent, "--resume", "last", *on_ray)
    assert done.returncode == 0, done.stderr
    assert_each_slot_once(paper, 4)
    assert len(lines(paper)) == 4
    one = sorted(paper.glob("04-run/c*/*/001/result.json"))[0]
    one.write_text(one.read_text().replace('"reward": 0.0', '"reward": 1.0').replace('"failed"', '"reproduced"'))
    env = {name: value for name, value in os.environ.items() if name != "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"}
    graded = call("reproducegym", "regrade", "--all", "--runs", paper.parent, "--write", "--json", *on_ray, env=env)
    assert json.loads(graded.stdout) == {"attempts": 4, "changed": 1, "failed": 0, "before": 0}, graded.stderr
    assert json.loads(one.read_text())["reward"] == 0.0
