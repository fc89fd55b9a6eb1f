"""`reproducegym clean`: shows what stands of sandboxes and attempts, and removes what dead runs left."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer
from pydantic import JsonValue
from rich.table import Table

from reproducegym.cli.options import AsJson, Runs, given
from reproducegym.cli.voice import answer, say, stderr
from reproducegym.cli.wiring import backends
from reproducegym.errors import NotFoundError
from reproducegym.nodes.equipped import PROGRAMS
from reproducegym.nodes.ssh import CONNECTIONS
from reproducegym.pipeline.judging.rerun import STAGED
from reproducegym.pipeline.run import TRACED
from reproducegym.pipeline.store import PaperStore, papers
from reproducegym.ports import Standing
from reproducegym.scratch import abandoned, sweep

__all__ = ["clean"]


def clean(
    context: typer.Context,
    runs: Runs = Path("runs"),
    show: Annotated[bool, typer.Option("--show", help="Only show; remove nothing.")] = False,
    as_json: AsJson = False,
) -> None:
    """Show containers, volumes and directories of all runs, and remove those whose owner is dead or whose time is over.

    What lives is left alone. Of an attempt whose run was killed the trace is kept, below 04-run/lost.

    Example: reproducegym clean
    """
    if "--runs" in given(context) and not runs.is_dir():
        raise NotFoundError(f"--runs {runs}: there is no such directory; name the one that holds your papers")
    standing: dict[str, tuple[Standing, ...]] = {}
    removed: dict[str, JsonValue] = {}
    for backend in backends():
        availability = backend.availability()
        removed[backend.name] = None
        if not availability.works:
            say(f"{backend.name}: not available ({availability.detail})")
            continue
        standing[backend.name] = backend.standing()
        removed[backend.name] = 0 if show else backend.reap()
    if any(standing.values()):
        stderr.print(_table(standing))
    lost = [(store, found) for store in _stores(runs) if (found := store.lost_attempts(datetime.now(tz=UTC)))]
    for _, directories in lost:
        for directory in directories:
            say(f"attempt of a dead run: {directory}")
    removed["attempts"] = 0 if show else sum(store.clear_lost(datetime.now(tz=UTC)) for store, _ in lost)
    if show:
        removed["submissions"] = 0
        say(f"submissions: {sum(1 for _ in abandoned(STAGED))} leftovers; nothing was removed")
    else:
        removed["submissions"] = sweep(STAGED, TRACED, CONNECTIONS, PROGRAMS)
        for name, count in removed.items():
            if count is not None:
                say(f"{name}: removed {count} leftovers")
    if as_json:
        shown: list[JsonValue] = [
            {"backend": backend, **{name: getattr(one, name) for name in Standing.__dataclass_fields__}}
            for backend, things in standing.items()
            for one in things
        ]
        answer({"standing": shown, "removed": removed})


def _stores(runs: Path) -> tuple[PaperStore, ...]:
    return tuple(PaperStore(runs, name) for name in papers(runs))


def _table(standing: dict[str, tuple[Standing, ...]]) -> Table:
    drawn = Table("backend", "what", "name", "run", "state")
    for backend, things in standing.items():
        for one in things:
            state = "its owner is dead" if one.dead else "its time is over" if one.expired else "in use"
            drawn.add_row(backend, one.kind, one.name, one.run_id, state)
    return drawn
