"""`reproducegym regrade`: scores stored attempts again with the contract as it is now, without agent or sandbox."""

from pathlib import Path
from typing import Annotated

import typer
from pydantic import JsonValue

from reproducegym.cli import wiring
from reproducegym.cli.options import (
    AsJson,
    AtOnce,
    EveryTask,
    ExecutorChoice,
    ExecutorName,
    PaperDirectory,
    RayAddress,
    Runs,
)
from reproducegym.cli.places import find_attempt
from reproducegym.cli.regrade_one import regraded
from reproducegym.cli.regrading import RegradeWork, all_pieces, journalled, regrade_all
from reproducegym.cli.rewards import reward_line
from reproducegym.cli.voice import answer, counted, say, told, warn
from reproducegym.errors import MisuseError, ReproduceGymError
from reproducegym.pipeline.store import PaperStore, open_paper, papers
from reproducegym.ports import Executor

__all__ = ["regrade"]


def regrade(
    attempts: Annotated[
        list[Path] | None,
        typer.Argument(help="Attempts, runs/<paper>/04-run/<claim>/<hash>/<NNN>.", readable=False, show_default=False),
    ] = None,
    every: EveryTask = False,
    paper: PaperDirectory = None,
    runs: Runs = Path("runs"),
    journal: Annotated[
        Path | None,
        typer.Option(
            "--journal",
            help="With --all: a file with a line for each attempt; what stands in it is not regraded again.",
            readable=False,
            show_default=False,
        ),
    ] = None,
    write: Annotated[bool, typer.Option("--write", help="Put the new result in place of the stored one.")] = False,
    parallel: AtOnce = 1,
    executor: ExecutorName = ExecutorChoice.LOCAL,
    ray_address: RayAddress = None,
    as_json: AsJson = False,
) -> int:
    """Score stored verification runs again and say whether anything changed; with --all those of all attempts.

    An attempt that cannot be regraded does not keep the others from it; the exit code is the first such failure's.

    Example: reproducegym regrade runs/optimism-small-budgets/04-run/c003_ucb1_return/*/001
    """
    if every is bool(attempts) or (journal is not None and not every):
        raise MisuseError("name attempts, or take --all (with --paper, or --runs for all papers, and --journal)")
    if every:
        at = wiring.executor(executor, parallel, wiring.config(None), ray_address)
        return _all(paper, runs, at, journal, write=write, as_json=as_json)
    rows: list[JsonValue] = []
    failures: list[dict[str, JsonValue]] = []
    for directory in attempts or []:
        try:
            rows.append(_row(directory, write=write))
        except ReproduceGymError as error:
            failures.append(told(error))
            rows.append({"attempt_dir": str(directory), "error": failures[-1]})
    if as_json:
        answer({"attempts": rows, "error": failures[0]} if failures else {"attempts": rows})
    return int(str(failures[0]["exit_code"])) if failures else 0


def _all(
    paper: Path | None, runs: Path, executor: Executor, journal: Path | None, *, write: bool, as_json: bool
) -> int:
    """Regrade everything that the journal does not hold, and sum up; memory does not grow with the attempts."""
    stores = [open_paper(paper)] if paper is not None else [PaperStore(runs, name) for name in papers(runs)]
    out = stores[0].out if stores else runs
    done = journalled(journal)
    sums = {"attempts": 0, "changed": 0, "failed": 0, "before": len(done)}
    pieces = (piece for piece in all_pieces(stores) if piece not in done)
    for line in regrade_all(pieces, RegradeWork(out, write), executor, journal):
        sums["attempts"] += 1
        sums["changed"] += line.changed
        sums["failed"] += line.error is not None
        where = f"{line.paper_id}/{line.claim_id}/{line.spec_hash}/{line.attempt:03d}"
        if line.error is not None:
            warn(f"{where}: {line.error}")
        elif line.changed:
            say(f"{where}: changed from {_told(line.before)} to {_told(line.after)}")
    earlier = f", {sums['before']} stood in the journal" if done else ""
    say(f"{counted(sums['attempts'], 'attempt')} regraded: {sums['changed']} changed, {sums['failed']} failed{earlier}")
    if as_json:
        answer(dict(sums))
    return 1 if sums["failed"] else 0


def _told(reward: float | None) -> str:
    return "no reward" if reward is None else f"{reward:.3f}"


def _row(directory: Path, *, write: bool) -> dict[str, JsonValue]:
    """Regrade one attempt, say the outcome, and give it as the answer tells it."""
    place = find_attempt(directory)
    graded = regraded(place)
    if write and graded.changed:
        task = place.task
        new = {"result.json": graded.after.to_json().encode()}
        task.store.update_attempt(task.claim_id, task.spec_hash, place.number, new)
    before, after = reward_line(graded.before), reward_line(graded.after)
    say(f"{directory}: " + (f"changed from {before} to {after}" if graded.changed else f"unchanged, {after}"))
    return {
        "attempt_dir": str(directory),
        "changed": graded.changed,
        "written": write and graded.changed,
        "before": graded.before.model_dump(mode="json"),
        "after": graded.after.model_dump(mode="json"),
    }
