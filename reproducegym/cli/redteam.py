"""`reproducegym redteam`: throws scripted cheats at a task and fails when one of them pays."""

from pathlib import Path
from typing import Annotated

import typer
from pydantic import JsonValue
from rich.table import Table
from rich.text import Text

from reproducegym.cli import wiring
from reproducegym.cli.assets import places_of_all, with_assets
from reproducegym.cli.options import (
    AsJson,
    Assets,
    ClaimId,
    ConfigFile,
    EveryTask,
    PaperDirectory,
    Runs,
    SandboxChoice,
    SandboxName,
    SpecHash,
    TaskDirectory,
)
from reproducegym.cli.places import all_tasks, find_task
from reproducegym.cli.voice import answer, say, stderr, warn
from reproducegym.errors import InfrastructureError, MisuseError
from reproducegym.pipeline.attacking.attacks import attacks
from reproducegym.pipeline.attacking.forgery import Attack
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
    every: EveryTask = False,
    asset: Assets = None,
    sandbox: SandboxName = SandboxChoice.AUTO,
    config: ConfigFile = None,
    as_json: AsJson = False,
) -> int:
    """Attack a task with typed numbers, remembered values, malformed tables, links, spies, bombs and planted verdicts.

    Exit code 1 when an attack earns anything, or the reference solution less than 0.9.

    Example: reproducegym redteam --claim-id c003_ucb1_return --attack typed_numbers
    """
    if every and (claim_id is not None or task_dir is not None):
        raise MisuseError("--all takes every task; leave --claim-id and --task-dir out")
    if every:
        places = all_tasks(paper=paper, runs=runs)
    else:
        places = (find_task(claim_id=claim_id, spec_hash=spec_hash, task_dir=task_dir, paper=paper, runs=runs),)
    settings = wiring.config(config)
    solver = None if reference is None else wiring.agent(reference, settings)
    orders = [(place.store, read_order(place.store, place.claim_id, place.spec_hash)) for place in places]
    ready = list(zip([order for _, order in orders], places_of_all(asset, orders), strict=True))
    judge = wiring.judge(sandbox, settings)
    tables = []
    for order, found in ready:
        chosen = _chosen(attacks(order.spec, order.contract), attack or [])
        tables.append(red_team(order, chosen, with_assets(judge, found), solver, _progress))
        stderr.print(_rich(tables[-1]))
    if as_json:
        shown: list[JsonValue] = [table.model_dump(mode="json") for table in tables]
        answer({"tables": shown} if every else tables[0].model_dump(mode="json"))
    return max(_exit_code(table) for table in tables)


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
    drawn = Table(title=f"Red team on {table.task_id} ({table.evidence_level}, {table.sandbox})", title_justify="left")
    drawn.add_column("#")
    drawn.add_column("attack")
    drawn.add_column("trick")
    drawn.add_column("level")
    drawn.add_column("reward", justify="right")
    drawn.add_column("why", overflow="fold", max_width=70)
    for attack in table.attacks:
        reward = "null" if attack.reward is None else f"{attack.reward:.2f}"
        style = "" if attack.reward == 0 else "yellow" if attack.knows else "bold red"
        why = f"knows {attack.knows}; {attack.why}" if attack.knows else attack.why
        cells = (attack.number, attack.name, attack.trick, attack.evidence_level, Text(reward, style=style), why[:160])
        drawn.add_row(*(Text(cell) if isinstance(cell, str) else cell for cell in cells))
    return drawn


def _exit_code(table: AttackTable) -> int:
    paying, unjudged = table.paying(), table.unjudged()
    oracle = "none" if table.oracle == "none" else f"{table.oracle:.2f}"
    say(
        f"{table.task_id}: oracle {oracle}, gameability {table.gameability:.2f}, {len(table.attacks)} attacks; "
        f"those that know more than the paper earn {table.informed:.2f}, "
        f"reward.sh alone (level artifact) pays {table.external:.2f}"
    )
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
