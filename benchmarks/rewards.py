"""100,000 tasks loaded, and verifications a second of the reward service, at artifact level and by re-execution."""

import asyncio
import contextlib
import multiprocessing
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from benchmarks.timing import Row, ended
from reproducegym.adapters.reward_client import AsyncRewardClient, Patience, Reward
from reproducegym.cli.places import all_tasks
from reproducegym.dataset import TaskSet, load_manifest
from reproducegym.pipeline.run import read_order

__all__ = ["TOKEN", "rows", "serving", "verified"]

_TASKS = 100_000
_EACH = 20
_TIMES = 3
TOKEN = "benchmark-token-0123"  # noqa: S105 - of a service that lives as long as a measurement
_ARTIFACTS = 1_000
_RUNS = 6
_ONE_LINE = {"reproduce.sh": 'echo condition > "$REPRODUCEGYM_OUT/metrics.csv"\n'}
_LOAD = """
import sys, time
from reproducegym import load_manifest
began = time.perf_counter()
tasks = load_manifest(sys.argv[1])
print(time.perf_counter() - began)
assert len(tasks) == 100_000
"""
_PLAIN = "import json, sys; assert len([json.loads(line) for line in open(sys.argv[1], 'rb')]) == 100_000"
_HF = (
    "import datasets, sys; assert datasets.Dataset.from_parquet(sys.argv[1], cache_dir=sys.argv[2]).num_rows == 100_000"
)


def rows(paper: Path, scratch: Path) -> list[Row]:
    """`paper` is a built one; the service's rows are missing where no Docker engine answers."""
    measured = _loading(paper, scratch)
    if (
        shutil.which("docker") is None
        or subprocess.run(["docker", "version"], capture_output=True, check=False).returncode
    ):
        return measured
    return [*measured, _artifacts(scratch), *_reexecutions(paper, scratch)]


def _loading(paper: Path, scratch: Path) -> list[Row]:
    rows_file = scratch / "tasks.jsonl"
    # In a process of its own: a child's largest size counts what its parent held when it was forked.
    writing = multiprocessing.get_context("spawn").Process(target=_write_many, args=(paper, scratch))
    writing.start()
    writing.join()
    found = []
    for name, floor, argv in (
        ("tasks.jsonl", "`json.loads` of every line", (_PLAIN, str(rows_file))),
        (
            "tasks.parquet",
            "Hugging Face `datasets`, untyped",
            (_HF, str(scratch / "tasks.parquet"), str(scratch / "hf")),
        ),
    ):
        rounds = [
            (ended([sys.executable, "-c", _LOAD, str(scratch / name)]), ended([sys.executable, "-c", *argv]))
            for _ in range(_TIMES)
        ]
        mine, theirs = (statistics.median(one.seconds for one in side) for side in zip(*rounds, strict=True))
        peaks = [max(one.peak_mib for one in side) for side in zip(*rounds, strict=True)]
        load = statistics.median(float(one.told) for one, _ in rounds)
        found.append(
            Row(
                f"load 100,000 tasks from {Path(name).suffix}, typed and checked, bar 2 s, 500 MB; in brackets the "
                f"whole program, against {floor}",
                f"{load:.2f} s ({mine:.2f} s), {peaks[0]:.0f} MiB",
                f"({theirs:.2f} s), {peaks[1]:.0f} MiB",
                f"({mine / theirs:.1f})",
            )
        )
    return found


def _write_many(paper: Path, scratch: Path) -> None:
    tasks = _many(load_manifest(paper))
    tasks.to_jsonl(scratch / "tasks.jsonl")
    tasks.to_parquet(scratch / "tasks.parquet")


def _many(base: TaskSet) -> TaskSet:
    """Tasks of papers that do not exist, with words as long as those of real ones."""
    made = []
    for number in range(_TASKS):
        task, paper = base[number % len(base)], f"paper-{number // _EACH:05d}"
        claim, version = f"c{number % _EACH:03d}_{task.claim_id[5:]}", f"{number:016x}"
        made.append(
            replace(
                task,
                paper_id=paper,
                paper_sha256=f"{number // _EACH:064x}",
                task_id=f"{paper}.{claim}",
                claim_id=claim,
                claim_uid=f"clm_{version}",
                spec_hash=version,
                contract_hash=version,
                task_digest=f"{number:064x}",
                statement=f"{task.statement} ({number})",
                task_dir=f"{paper}/03-task/{claim}/{version}",
            )
        )
    return TaskSet(tuple(made))


@contextlib.contextmanager
def serving(runs: Path, state: Path, *options: str) -> Iterator[tuple[str, "subprocess.Popen[bytes]"]]:
    """The service as a user starts it: its address and its process, ended afterwards."""
    log = state.with_suffix(".log")
    argv = [sys.executable, "-m", "reproducegym", "serve-verifier", "--runs", str(runs), "--state", str(state)]
    with log.open("wb") as stream:
        process = subprocess.Popen(
            [*argv, *(() if "--port" in options else ("--port", "0")), *options],
            env={**os.environ, "REPRODUCEGYM_SERVICE_TOKEN": TOKEN, "COLUMNS": "300"},
            stdout=stream,
            stderr=stream,
        )
    try:
        while (found := re.search(r"on (http://\S+);", log.read_text())) is None:
            if process.poll() is not None:
                raise RuntimeError(log.read_text())
            time.sleep(0.05)
        yield found[1], process
    finally:
        process.terminate()
        process.wait(60)


def verified(
    url: str, task: str, files: Mapping[str, bytes | str], count: int, at_once: int
) -> tuple[list[Reward], float]:
    """So many verifications of one submission, each of its own, and the wall seconds of all."""

    async def all_of_them() -> list[Reward]:
        gate = asyncio.Semaphore(at_once)
        async with AsyncRewardClient(url, TOKEN, patience=Patience(total_s=3600)) as client:

            async def one() -> Reward:
                async with gate:
                    return await client.verify(task, files)

            return list(await asyncio.gather(*(one() for _ in range(count))))

    began = time.perf_counter()
    rewards = asyncio.run(all_of_them())
    return rewards, time.perf_counter() - began


def _artifacts(scratch: Path) -> Row:
    """Repository audits: what is scored is a table of findings, and nothing is run."""
    out = scratch / "audits"
    build = [sys.executable, "-m", "reproducegym", "build", "--family", "repo-audit", "--n", "2", "--seed", "7"]
    subprocess.run([*build, "--out", str(out)], check=True, capture_output=True)
    task = load_manifest(out)[0].task_id
    files = {"output/findings.csv": "rule,file,line\n"}
    with serving(out, scratch / "artifacts") as (url, _process):
        verified(url, task, files, 20, 8)
        rewards, seconds = verified(url, task, files, _ARTIFACTS, 32)
    if {(one.valid, one.evidence_level) for one in rewards} != {(True, "artifact")}:
        raise RuntimeError("a submission was not scored at artifact level")
    return Row(
        f"reward service, level `artifact`: {_ARTIFACTS} submissions, 32 at once, on {os.cpu_count()} cores, bar 20/s",
        f"{_ARTIFACTS / seconds:.0f} verifications/s",
        "–",
        "–",
    )


def _reexecutions(paper: Path, scratch: Path) -> list[Row]:
    """A submission that writes one line: what is measured is sandboxes, started and removed again."""
    with tempfile.NamedTemporaryFile("w", suffix=".toml", dir=scratch, delete=False) as config:
        text = (Path(__file__).resolve().parent.parent / "config" / "default.toml").read_text()
        config.write(re.sub(r"(?m)^(min_seeds|policy_seeds|max_seeds) = \d+", r"\1 = 3", text))
    runs = scratch / "three"
    shutil.copytree(paper / "00-parse", runs / paper.name / "00-parse")
    build = [sys.executable, "-m", "reproducegym", "build", "--paper", str(runs / paper.name), "--config", config.name]
    subprocess.run([*build, "--max-claims", "3"], check=True, capture_output=True)
    place = all_tasks(paper=None, runs=runs)[0]
    order = read_order(place.store, place.claim_id, place.spec_hash)
    each = order.contract.seeds + sum(probe.seeds for probe in order.contract.probes)
    if order.contract.seeds != 3:
        raise RuntimeError(f"the task has {order.contract.seeds} seeds, not 3")
    return [
        row
        for backend in ("docker", "namespaces")
        for row in _sandboxes(runs, scratch / f"again-{backend}", order.entry.task_id, each, backend)
    ]


def _sandboxes(runs: Path, state: Path, task: str, each: int, backend: str) -> list[Row]:
    with serving(runs, state, "--parallel", "2", "--sandbox", backend) as (url, _process):
        verified(url, task, _ONE_LINE, 1, 1)
        rewards, seconds = verified(url, task, _ONE_LINE, _RUNS, _RUNS)
    if {(one.reward, one.failure_kind, one.evidence_level) for one in rewards} != {(0.0, "agent", "reexecute")}:
        raise RuntimeError("a submission was not run again")
    what = (
        f"reward service, level `reexecute`, {backend}, m = 3, {each} runs each with probes, {_RUNS} that write a line"
    )
    starts, whole = f"{_RUNS * each / seconds:.1f} starts/s", f"{_RUNS / seconds:.2f} verifications/s"
    return [
        Row(f"{what}, on {os.cpu_count()} cores, bar 3 sandbox starts/s", starts, "–", "–"),
        Row(f"{what}: verifications", whole, "–", "–"),
    ]
