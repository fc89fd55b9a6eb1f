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
from reproducegym.schema.batch import Batch, BatchTask

__all__ = ["rows"]

_TIMES = 7
_PARALLEL = 8
_ATTEMPTS = 80
_IMAGE = "reproducegym/base"
_FLOOR = ["docker", "run", "--rm", "--network", "none", _IMAGE, "true"]
_ALL = ["docker", "ps", "-aq", "--filter", "label=reproducegym.run"]


def rows(paper: Path) -> list[Row]:
    """Attempts at the first task of a built paper on Docker; none where no engine answers."""
    if (
        shutil.which("docker") is None
        or subprocess.run(["docker", "version"], capture_output=True, check=False).returncode
    ):
        return []
    ours, bare, ratio = paired(lambda: _made(paper, 1, 1), command(_FLOOR), _TIMES)
    overhead = Row(
        "one attempt, agent `noop`, from the order to the score on disk (against `docker run … true`)",
        f"{1000 * ours:.0f} ms ({1000 * (ours - bare):.0f} ms over)",
        f"{1000 * bare:.0f} ms",
        f"{ratio:.1f}",
    )
    began = time.perf_counter()
    made = _made(paper, _ATTEMPTS, _PARALLEL)
    minute = 60 * made / (time.perf_counter() - began)
    left = len(subprocess.run(_ALL, capture_output=True, text=True, check=True).stdout.split())
    rate = Row(
        f"{_ATTEMPTS} attempts, agent `noop`, {_PARALLEL} at once on {os.cpu_count()} cores",
        f"{minute:.0f} a minute, {_ATTEMPTS - made} lost, {left} containers left",
        "–",
        "–",
    )
    return [overhead, rate]


def _made(paper: Path, attempts: int, parallel: int) -> int:
    """How many valid attempts a batch of so many made."""
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
    worked = work_on(SlotWork(batch, paper.parent, 1), LocalExecutor(parallel))
    return attempts - worked.missing
