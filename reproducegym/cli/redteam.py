"""`reproducegym redteam`: throws scripted cheats at a task and fails when one of them pays."""

from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from reproducegym.cli import wiring
from reproducegym.cli.options import (
    AsJson,
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
from reproducegym.cli.voice import answer, say, stderr, warn
from reproducegym.errors import InfrastructureError, MisuseError
from reproducegym.pipeline.attacks import Attack, attacks
from reproducegym.pipeline.redteam import AttackOutcome, AttackTable, red_team
from reproducegym.pipeline.run import read_order

__all__ = ["redteam"]

_ORACLE_FLOOR = 0.9


def redteam(
    claim_id: ClaimId = None,
    spec_hash: SpecHash = None,
    task_dir: TaskDirectory = None,
    paper: PaperDirectory = None,
    runs: Runs = Path("runs"),
    reference: Annotated[
        str | None, typer.Option("--reference", help="A reference solution, script:FILE.", show_default=False)
    ] = None,
    attack: Annotated[
        list[str] | None, typer.Option("--attack", help="Only this attack; may be repeated.", show_default=False)
    ] = None,
    sandbox: SandboxName = SandboxChoice.AUTO,
    config: ConfigFile = None,
    as_json: AsJson = False,
) -> int:
    """Attack a task with typed numbers, remembered values, malformed tables, links and planted verdicts.

    Exit code 1 when an attack earns anything, or the reference solution less than 0.9.

    Example: reproducegym redteam --claim-id c003_ucb1_return --attack typed_numbers
    """
    place = find_task(claim_id=claim_id, spec_hash=spec_hash, task_dir=task_dir, paper=paper, runs=runs)
    settings = wiring.config(config)
    solver = None if reference is None else wiring.agent(reference)
    order = read_order(place.store, place.claim_id, place.spec_hash)
    chosen = _chosen(attacks(order.spec, order.contract), attack or [])
    judge = wiring.judge(sandbox, settings)
    table = red_team(order, chosen, judge, solver, _progress)
    if as_json:
        answer(table.model_dump(mode="json"))
    stderr.print(_rich(table))
    return _exit_code(table)


def _chosen(known: tuple[Attack, ...], names: list[str]) -> tuple[Attack, ...]:
    """All attacks, or those that were named.

    Raises:
        MisuseError: a name is unknown; the message lists all.
    """
    unknown = set(names) - {attack.name for attack in known}
    if unknown:
        listed = ", ".join(attack.name for attack in known)
        raise MisuseError(f"--attack {sorted(unknown)[0]}: unknown; known are {listed}")
    return tuple(attack for attack in known if not names or attack.name in names)


def _progress(outcome: AttackOutcome) -> None:
    earned = "not judged" if outcome.reward is None else f"{outcome.reward:.2f}"
    say(f"{outcome.number:>4} {outcome.name}: {earned}")


def _rich(table: AttackTable) -> Table:
    drawn = Table(title=f"Red team on {table.task_id} ({table.sandbox})", title_justify="left")
    drawn.add_column("#")
    drawn.add_column("attack")
    drawn.add_column("trick")
    drawn.add_column("reward", justify="right")
    drawn.add_column("why", overflow="fold", max_width=70)
    for attack in table.attacks:
        reward = "null" if attack.reward is None else f"{attack.reward:.2f}"
        style = "" if attack.reward == 0 else "bold red"
        cells = (attack.number, attack.name, attack.trick, Text(reward, style=style), attack.why[:160])
        drawn.add_row(*(Text(cell) if isinstance(cell, str) else cell for cell in cells))
    return drawn


def _exit_code(table: AttackTable) -> int:
    paying, unjudged = table.paying(), table.unjudged()
    oracle = "none" if table.oracle == "none" else f"{table.oracle:.2f}"
    say(f"oracle {oracle}, gameability {table.gameability:.2f}, {len(table.attacks)} attacks")
    if paying:
        warn(f"these attacks pay: {', '.join(attack.name for attack in paying)}")
        return 1
    if table.oracle != "none" and table.oracle < _ORACLE_FLOOR:
        warn(f"the reference solution earns {oracle}, less than {_ORACLE_FLOOR}")
        return 1
    if unjudged:
        warn(f"these attacks could not be judged: {', '.join(attack.name for attack in unjudged)}")
        return InfrastructureError.exit_code
    return 0
