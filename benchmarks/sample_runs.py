"""Verifications of a sample paper's solutions and cheats without a sandbox, many of them from few runs.

What an honest program writes for a condition depends on its seed, switches, knobs and columns alone. So each is run
once under each of some seeds, kept, and put together for every verification anew: other seeds, labels and order.
A cheat that goes by places or labels has to run every time.
"""

import csv
import hashlib
import io
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

from benchmarks.sample_tasks import SampleTask, files_digest
from reproducegym.pipeline.assets.copies import ASSETS, run_mounts
from reproducegym.pipeline.judging.draw import SEED_BELOW, PlannedRun, plan_runs
from reproducegym.schema.base import canonical_json
from reproducegym.verifier.contract import load_contract
from reproducegym.verifier.score import Report, Run, score_runs

__all__ = ["RunPool", "Verification", "verifications"]

_ROOT = Path(__file__).resolve().parent.parent
KEPT = _ROOT / "build" / "sample-runs"
_PATH = f"{Path(sys.executable).parent}:{os.environ.get('PATH', '')}"
_PLAIN = {"PATH": _PATH, "LANG": "C.UTF-8", "PYTHONDONTWRITEBYTECODE": "1"}
_SECONDS = 600

Table = tuple[tuple[str, ...], ...]
"""A metrics.csv: the header, then its rows; in place of a label stands the place of the condition, "0", "1", …"""


@dataclass(frozen=True)
class Verification:
    """One submission judged once, and the runs on which that stands."""

    task: SampleTask
    report: Report
    runs: tuple[Run, ...]


class RunPool:
    """Runs of one submission: the directory of an agent, whose `solve.sh` leaves it in a workspace.

    With `slots` each condition is run under so many seeds at most, kept in `build/sample-runs` for the next time, and
    every run of a verification has another one of these seeds; with None every run is made anew. `alone` gives each
    condition of a run a seed of its own, as a program does that draws new random numbers for each: two conditions with
    the same switches then differ, which they don't where a seed decides all.
    """

    def __init__(self, agent: Path, slots: int | None, *, alone: bool = False) -> None:
        self._agent, self._slots, self._alone = agent, slots, alone
        self._digest = files_digest(agent)

    def verify(self, task: SampleTask, draw: int) -> Verification:
        """Judge the submission once; the same `draw` gives the same seeds, labels and orders."""
        rng = Random(f"{task.spec.claim_uid} {draw}")  # noqa: S311 - a sample, no secret
        plans = [_with_assets(plan, task) for plan in plan_runs(task.contract, rng.randrange)]
        with self._workspace(task) as workspace:
            seeds = self._seeds(plans, rng)
            runs = tuple(self._run(plan, task, workspace, own) for plan, own in zip(plans, seeds, strict=True))
        return Verification(task, score_runs(load_contract(canonical_json(task.contract)), runs), runs)

    def _seeds(self, plans: Sequence[PlannedRun], rng: Random) -> Iterator[list[int]]:
        """For each run the kept seeds of its conditions; runs of one purpose share none if there are enough."""
        every = [_seed(slot) for slot in range(self._slots or 0)]
        left: dict[str, list[int]] = {}
        for plan in plans:
            needed = len(plan.conditions) if self._alone else 1
            if self._slots is None:
                yield []
                continue
            if len(left.get(plan.purpose, [])) < needed:
                left[plan.purpose] = rng.sample(every, len(every))
            drawn = [left[plan.purpose].pop() for _ in range(needed)]
            yield drawn if self._alone else drawn * len(plan.conditions)

    def _run(self, plan: PlannedRun, task: SampleTask, workspace: Callable[[], Path], seeds: list[int]) -> Run:
        table = _started(plan, task, workspace()) if self._slots is None else self._kept(plan, task, workspace, seeds)
        text = None if table is None else _under_labels(table, [one.label for one in plan.conditions])
        outcome = "nonzero_exit" if table is None else "ok"
        return Run(plan.purpose, plan.index, plan.seed, plan.labels, outcome, "", text, plan.choice)

    def _kept(
        self, plan: PlannedRun, task: SampleTask, workspace: Callable[[], Path], seeds: list[int]
    ) -> Table | None:
        """A run put together from one of each condition, under these seeds."""
        whole: list[tuple[str, ...]] = []
        for place, (condition, seed) in enumerate(zip(plan.conditions, seeds, strict=True)):
            table = self._single(replace(plan, conditions=(condition,), seed=seed), task, workspace)
            if table is None:
                return None
            whole += [*([] if whole else table[:1]), *((str(place), *row[1:]) for row in table[1:])]
        return tuple(whole)

    def _single(self, plan: PlannedRun, task: SampleTask, workspace: Callable[[], Path]) -> Table | None:
        """A run of one condition, made now if it is not kept yet."""
        asked = json.loads(task.input_files["outputs.json"])
        columns = [column["name"] for column in asked["columns"]]
        kind = [self._digest, columns, asked["step_column"], plan.conditions[0].switches, plan.knobs, plan.seed]
        kind += [plan.asset] if task.places else []
        path = KEPT / f"{hashlib.sha256(json.dumps(kind, sort_keys=True).encode()).hexdigest()[:32]}.json"
        if not path.exists():
            table = _started(plan, task, workspace())
            path.parent.mkdir(parents=True, exist_ok=True)
            partial = path.with_suffix(f".{os.getpid()}.{threading.get_ident()}")
            partial.write_text(json.dumps(table), "utf-8")
            partial.replace(path)
        kept = json.loads(path.read_text("utf-8"))
        return None if kept is None else tuple(map(tuple, kept))

    @contextmanager
    def _workspace(self, task: SampleTask) -> Iterator[Callable[[], Path]]:
        """Gives a workspace in which the agent has worked on the task, made at the first call."""
        made: list[Path] = []
        with tempfile.TemporaryDirectory() as scratch:

            def workspace() -> Path:
                if not made:
                    root = Path(scratch) / "workspace"
                    for name, content in task.input_files.items():
                        path = root / "input_files" / name
                        path.parent.mkdir(parents=True, exist_ok=True)
                        path.write_bytes(content)
                    agent = Path(scratch) / "agent"
                    shutil.copytree(self._agent, agent, ignore=shutil.ignore_patterns("__pycache__"))
                    assets = {"REPRODUCEGYM_ASSETS": str(_offered(task, Path(scratch) / "assets"))}
                    _call(["bash", str(agent / "solve.sh")], root, {**_PLAIN, **assets} if task.places else _PLAIN)
                    made.append(root)
                return made[0]

            yield workspace


def verifications(pool: RunPool, tasks: Sequence[SampleTask], draws: range) -> list[Verification]:
    """Each task under each draw, on all cores."""
    orders = [(task, draw) for task in tasks for draw in draws]
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        return list(threads.map(lambda order: pool.verify(*order), orders))


def _seed(slot: int) -> int:
    return Random(f"slot {slot}").randrange(SEED_BELOW)  # noqa: S311 - a sample, no secret


def _offered(task: SampleTask, root: Path) -> Path:
    """The assets as an agent finds them."""
    for name, place in task.places.items():
        shutil.copytree(place, root / name)
    return root


def _with_assets(plan: PlannedRun, task: SampleTask) -> PlannedRun:
    """A run as it is planned for a task with assets: labels permuted where its probe asks, by its seed."""
    permuted = {str(probe.name): probe.asset for probe in task.spec.probe_plans}
    return replace(plan, asset=permuted.get(plan.purpose)) if task.spec.assets else plan


def _started(plan: PlannedRun, task: SampleTask, workspace: Path) -> Table | None:
    """One run as the verifier starts it; None where it failed."""
    with tempfile.TemporaryDirectory() as scratch, _assets(plan, task, Path(scratch) / "assets") as assets:
        out = Path(scratch) / "out"
        out.mkdir()
        shown = [{"label": one.label, "switches": one.switches} for one in plan.conditions]
        conditions, knobs = Path(scratch) / "conditions.json", Path(scratch) / "knobs.json"
        plain = {name: int(value) if float(value).is_integer() else value for name, value in plan.knobs.items()}
        conditions.write_text(json.dumps({"conditions": shown}), "utf-8")
        knobs.write_text(json.dumps({"knobs": plain}), "utf-8")
        environment = {
            **_PLAIN,
            **assets,
            "REPRODUCEGYM_SEED": str(plan.seed),
            "REPRODUCEGYM_OUT": str(out),
            "REPRODUCEGYM_BUDGET_S": str(_SECONDS),
            "REPRODUCEGYM_CONDITIONS": str(conditions),
            "REPRODUCEGYM_KNOBS": str(knobs),
        }
        if _call(["bash", "reproduce.sh"], workspace, environment) != 0 or not (out / "metrics.csv").exists():
            return None
        head, *rows = csv.reader(io.StringIO((out / "metrics.csv").read_text("utf-8")))
    places = {one.label: str(place) for place, one in enumerate(plan.conditions)}
    return tuple(head), *((places[row[0]], *row[1:]) for row in rows)


@contextmanager
def _assets(plan: PlannedRun, task: SampleTask, root: Path) -> Iterator[dict[str, str]]:
    """The variable that says where a run finds its assets, with the label files that are its own."""
    if not task.spec.assets:
        yield {}
        return
    probed = frozenset(probe.asset for probe in task.spec.probe_plans if probe.asset is not None)
    with run_mounts(task.spec.assets, task.places, probed, plan.asset, plan.seed) as mounts:
        for inside, place in sorted(mounts.items()):
            target = root / Path(inside).relative_to(ASSETS)
            if place.is_dir():
                shutil.copytree(place, target)
            else:
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(place, target)
        yield {"REPRODUCEGYM_ASSETS": str(root)}


def _call(argv: list[str], directory: Path, environment: dict[str, str]) -> int:
    done = subprocess.run(argv, cwd=directory, env=environment, capture_output=True, check=False, timeout=_SECONDS)
    return done.returncode


def _under_labels(table: Table, labels: Sequence[str]) -> bytes:
    text = io.StringIO()
    head, *rows = table
    csv.writer(text, lineterminator="\n").writerows([head, *([labels[int(row[0])], *row[1:]] for row in rows)])
    return text.getvalue().encode()
