"""`reproducegym run`: an agent attempts a task in a sandbox, and what it leaves is run again and scored."""

from pathlib import Path
from typing import Annotated

import typer
from pydantic import JsonValue

from reproducegym.cli import wiring
from reproducegym.cli.assets import places_of, with_assets
from reproducegym.cli.options import (
    AgentName,
    AsJson,
    Assets,
    ClaimId,
    ConfigFile,
    PaperDirectory,
    Runs,
    SandboxChoice,
    SandboxName,
    SpecHash,
    TaskDirectory,
)
from reproducegym.cli.places import find_task
from reproducegym.cli.voice import answer, say, told, warn
from reproducegym.errors import InfrastructureError, ReproduceGymError
from reproducegym.pipeline.run import Stored, read_order, run_attempt
from reproducegym.schema.run import Result

__all__ = ["reward_line", "run"]


def run(
    claim_id: ClaimId = None,
    spec_hash: SpecHash = None,
    task_dir: TaskDirectory = None,
    paper: PaperDirectory = None,
    runs: Runs = Path("runs"),
    agent: AgentName = "noop",
    sandbox: SandboxName = SandboxChoice.AUTO,
    asset: Assets = None,
    attempts: Annotated[int, typer.Option("--attempts", min=1, help="How many new attempts to make.")] = 1,
    config: ConfigFile = None,
    as_json: AsJson = False,
) -> int:
    """Run an agent on a task, then run its reproduce.sh again under hidden seeds and score that.

    Exit code 0 means that every attempt was scored, whatever the reward; 12 that the engine failed.

    Example: reproducegym run --claim-id c003_ucb1_return
    --agent script:examples/papers/optimism-small-budgets/solution/solve.sh
    """
    place = find_task(claim_id=claim_id, spec_hash=spec_hash, task_dir=task_dir, paper=paper, runs=runs)
    settings = wiring.config(config)
    worker = wiring.agent(agent)
    order = read_order(place.store, place.claim_id, place.spec_hash)
    places = places_of(asset, place.store, order)
    judge = with_assets(wiring.judge(sandbox, settings), places)
    done: list[Stored] = []
    failure: ReproduceGymError | None = None
    for _ in range(attempts):
        try:
            stored = run_attempt(place.store, order, worker, judge)
        except ReproduceGymError as error:
            if not done:
                raise
            failure = error
            break
        say(f"attempt {stored.result.attempt}: {reward_line(stored.result)}; see {stored.directory}")
        for flag in stored.result.flags:
            say(f"look at {flag.flag}: {flag.note}")
        done.append(stored)
    problem = {} if failure is None else {"error": told(failure)}
    if as_json:
        rows: list[JsonValue] = [
            {**one.result.model_dump(mode="json"), "attempt_dir": str(one.directory)} for one in done
        ]
        answer({"task_id": order.entry.task_id, "attempts": rows, **problem})
    return _exit_code([one.result for one in done]) if failure is None else failure.exit_code


def reward_line(result: Result) -> str:
    """A result in words, with its evidence level where that is not the task's."""
    if result.evidence_detail:
        return f"{_earned(result)}, at level {result.evidence_level} only: {result.evidence_detail}"
    return _earned(result)


def _earned(result: Result) -> str:
    if result.reward is None:
        return f"not scored ({result.failure_kind}: {result.failure_detail})"
    why = f" ({result.failure_kind}: {result.failure_detail})" if result.failure_kind is not None else ""
    return f"reward {result.reward:.3f}, {result.verdict}{why}"


def _exit_code(results: list[Result]) -> int:
    kinds = {result.failure_kind for result in results if result.reward is None}
    if kinds:
        warn("some attempts are unscored (reward null); run again: only scored attempts count")
    return 0 if not kinds else InfrastructureError.exit_code if "infra" in kinds else 1
