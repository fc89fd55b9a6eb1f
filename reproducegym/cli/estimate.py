"""`reproducegym estimate`: how long attempts will take, what they will cost, and how often to look at long runs."""

import secrets
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Column, Table

from reproducegym.cli import wiring
from reproducegym.cli.options import (
    AsJson,
    AtOnce,
    Attempts,
    ClaimIds,
    ConfigFile,
    EveryTask,
    PaperDirectory,
    Runs,
    SpecHash,
    TaskDirectories,
)
from reproducegym.cli.places import find_tasks
from reproducegym.cli.voice import answer, say, stderr, warn
from reproducegym.pipeline.attempts.estimate import estimate_batch, estimate_task
from reproducegym.pipeline.run import read_order
from reproducegym.schema.estimate import BatchEstimate, TaskEstimate

__all__ = ["estimate"]


def estimate(
    claim_id: ClaimIds = None,
    spec_hash: SpecHash = None,
    task_dir: TaskDirectories = None,
    every: EveryTask = False,
    paper: PaperDirectory = None,
    runs: Runs = Path("runs"),
    agent: Annotated[
        str | None,
        typer.Option("--agent", help="Go by attempts of this agent, as results name it.", show_default=False),
    ] = None,
    attempts: Attempts = 1,
    parallel: AtOnce = 1,
    config: ConfigFile = None,
    as_json: AsJson = False,
) -> None:
    """Say how long a batch may take by its budgets, and how long and how dear it will be by attempts that were made.

    Example: reproducegym estimate --paper runs/optimism-small-budgets --all --attempts 8 --parallel 4
    """
    places = find_tasks(
        claim_ids=claim_id or [], spec_hash=spec_hash, task_dirs=task_dir or [], every=every, paper=paper, runs=runs
    )
    sandboxes = max(1, wiring.config(config).sandbox.parallel // parallel)
    seen = {store.root: store.attempts_seen() for store in {place.store.root: place.store for place in places}.values()}
    for counted in seen.values():
        for line in counted.damaged:
            warn(line)
    agents = sorted({line.agent for counted in seen.values() for line in counted.lines if line.reward_valid})
    if agent is not None and agent not in agents:
        warn(
            f"--agent {agent}: no attempt of it was scored here; those that were are of {', '.join(agents) or 'nobody'}"
        )
    tasks = [
        estimate_task(
            read_order(place.store, place.claim_id, place.spec_hash),
            seen[place.store.root].lines,
            agent=agent,
            sandboxes=sandboxes,
            randbelow=secrets.randbelow,
        )
        for place in places
    ]
    told = estimate_batch(tasks, attempts=attempts, parallel=parallel)
    stderr.print(_table(tasks))
    say(_line(told))
    if as_json:
        answer(told.model_dump(mode="json"))


def _table(tasks: list[TaskEstimate]) -> Table:
    drawn = Table(
        Column("task", overflow="fold", min_width=20),
        "cost",
        "agent",
        "runs",
        "look every",
        "at most",
        "so far (median)",
    )
    for task in tasks:
        one = task.measured
        dollars = "" if one is None or one.dollars is None else f", ${one.dollars:.2f}"
        measured = "–" if one is None else f"{_time(one.agent_s + one.verify_s)} of {one.attempts}{dollars}"
        needs = f"{task.cost}{', training' if task.requires_training else ''}{', GPU' if task.requires_gpu else ''}"
        runs = f"{task.runs} × {_time(task.run_budget_s)}"
        drawn.add_row(
            task.claim_id,
            needs,
            _time(task.agent_budget_s),
            runs,
            _time(task.poll_s),
            _time(task.longest_s),
            measured,
        )
    return drawn


def _line(told: BatchEstimate) -> str:
    made = told.attempts * len(told.tasks)
    expected = "not tried before" if told.expected_s is None else f"about {_time(told.expected_s)} by earlier attempts"
    cost = "cost unknown" if told.dollars is None else f"${told.dollars:.2f}"
    return f"{made} attempts, {told.parallel} at once: at most {_time(told.longest_s)}; {expected}; {cost}"


def _time(seconds: float) -> str:
    """`45 s`, `12 min`, `3.5 h`."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
