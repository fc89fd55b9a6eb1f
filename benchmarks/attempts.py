"""Attempts: what one costs beyond its container, and how many a minute this machine makes, with an agent of no work."""

import datetime
import os
import secrets
import shutil
import subprocess
import time
from pathlib import Path

from benchmarks.timing import Row, command, paired
from reproducegym.adapters.executors.local import LocalExecutor
from reproducegym.cli.batching import work_on
from reproducegym.cli.bench import SlotWork
from reproducegym.pipeline.attempts.slots import Slot
from reproducegym.sandbox.docker import DockerSandbox
from reproducegym.schema.batch import Batch, BatchTask

__all__ = ["rows"]

_TIMES = 7
_PARALLEL = 8
_ATTEMPTS = 80
_IMAGE = "reproducegym/base"
_FLOOR = ["docker", "run", "--rm", "--network", "none", _IMAGE, "true"]


def rows(paper: Path) -> list[Row]:
    """Attempts at the first task of a built paper on Docker; none where no engine answers."""
    if (
        shutil.which("docker") is None
        or subprocess.run(["docker", "version"], capture_output=True, check=False).returncode
    ):
        return []
    work = _work(paper, _TIMES + 1)
    work.check()
    slots = iter([Slot(work.batch.tasks[0], number + 1) for number in range(_TIMES + 1)])
    ours, bare, ratio = paired(lambda: work(next(slots)), command(_FLOOR), _TIMES)
    overhead = Row(
        "one attempt, agent `noop`, from the order to the score on disk (against `docker run … true`)",
        f"{1000 * ours:.0f} ms ({1000 * (ours - bare):.0f} ms over)",
        f"{1000 * bare:.0f} ms",
        f"{ratio:.1f}",
    )
    work = _work(paper, _ATTEMPTS)
    began = time.perf_counter()
    made = _ATTEMPTS - work_on(work, LocalExecutor(_PARALLEL), new=True, each=lambda _stored: None).missing
    minute = 60 * made / (time.perf_counter() - began)
    left = sum(one.run_id.startswith(work.batch.batch_id) for one in DockerSandbox().standing())
    rate = Row(
        f"{_ATTEMPTS} attempts, agent `noop`, {_PARALLEL} at once on {os.cpu_count()} cores",
        f"{minute:.0f} a minute, {_ATTEMPTS - made} lost, {left} containers or volumes left",
        "–",
        "–",
    )
    return [overhead, rate]


def _work(paper: Path, attempts: int) -> SlotWork:
    """A batch of so many attempts at the paper's first task."""
    task = sorted((paper / "03-task").glob("*/*"))[0]
    batch = Batch(
        schema_version=1,
        batch_id=f"bench-{secrets.token_hex(6)}",
        begun=datetime.datetime.now(tz=datetime.UTC),
        agent="noop",
        sandbox="docker",
        attempts=attempts,
        tasks=(BatchTask(paper_id=paper.name, claim_id=task.parent.name, spec_hash=task.name),),
        assets=(),
        config=None,
    )
    return SlotWork(batch, paper.parent, 1)
