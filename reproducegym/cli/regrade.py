"""`reproducegym regrade`: scores stored attempts again with the contract as it is now, without agent or sandbox."""

from pathlib import Path
from typing import Annotated

import typer
from pydantic import JsonValue

from reproducegym.cli.options import AsJson
from reproducegym.cli.places import AttemptPlace, find_attempt
from reproducegym.cli.rewards import reward_line
from reproducegym.cli.voice import answer, say, told
from reproducegym.errors import ReproduceGymError, TamperedError
from reproducegym.pipeline.judging.regrade import Regraded
from reproducegym.pipeline.judging.regrade import regrade as regrade_attempt
from reproducegym.pipeline.run import read_order

__all__ = ["regrade"]


def regrade(
    attempts: Annotated[
        list[Path],
        typer.Argument(help="Attempts, runs/<paper>/04-run/<claim>/<hash>/<NNN>.", readable=False, show_default=False),
    ],
    write: Annotated[bool, typer.Option("--write", help="Put the new result in place of the stored one.")] = False,
    as_json: AsJson = False,
) -> int:
    """Score stored verification runs again and say whether anything changed.

    An attempt that cannot be regraded does not keep the others from it; the exit code is the first such failure's.

    Example: reproducegym regrade runs/optimism-small-budgets/04-run/c003_ucb1_return/*/001
    """
    rows: list[JsonValue] = []
    failures: list[dict[str, JsonValue]] = []
    for directory in attempts:
        try:
            rows.append(_row(directory, write=write))
        except ReproduceGymError as error:
            failures.append(told(error))
            rows.append({"attempt_dir": str(directory), "error": failures[-1]})
    if as_json:
        answer({"attempts": rows, "error": failures[0]} if failures else {"attempts": rows})
    return int(str(failures[0]["exit_code"])) if failures else 0


def _row(directory: Path, *, write: bool) -> dict[str, JsonValue]:
    """Regrade one attempt, say the outcome, and give it as the answer tells it."""
    place = find_attempt(directory)
    graded = _regraded(place)
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


def _regraded(place: AttemptPlace) -> Regraded:
    task = place.task
    order = read_order(task.store, task.claim_id, task.spec_hash)
    stored = task.store.read_result(task.claim_id, task.spec_hash, place.number)
    if (stored.task_id, stored.spec_hash, stored.attempt) != (order.entry.task_id, task.spec_hash, place.number):
        there = task.store.attempt_directory(task.claim_id, task.spec_hash, place.number)
        whose = f"attempt {stored.attempt} at {stored.task_id} {stored.spec_hash}"
        raise TamperedError(f"{there}/result.json is of another attempt: {whose}")
    files = task.store.read_attempt(task.claim_id, task.spec_hash, place.number)
    return regrade_attempt(
        files, order.contract, order.contract_json, order.entry.contract_hash, order.samples, order.spec.audit
    )
