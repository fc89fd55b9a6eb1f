"""Makes the application of paper tasks in the process that serves it.

| variable | for |
| --- | --- |
| `REPRODUCEGYM_RUNS` | directory of built papers, `runs` by default |
| `REPRODUCEGYM_SESSIONS` | sessions open at once, 64 by default |
"""

import os
from pathlib import Path
from typing import TYPE_CHECKING

from reproducegym.cli import wiring
from reproducegym.cli.options import SandboxChoice
from reproducegym.cli.voice import counted, say
from reproducegym.errors import MisuseError

if TYPE_CHECKING:
    from fastapi import FastAPI

__all__ = ["app", "application"]


def app() -> "FastAPI":
    """The application, as the environment says.

    Raises:
        MisuseError: a variable says what it may not, or the extra `openenv` is not installed.
        NotFoundError: there is no built paper.
    """
    sessions = os.environ.get("REPRODUCEGYM_SESSIONS", "64")
    if not sessions.isdecimal() or int(sessions) < 1:
        raise MisuseError(f"REPRODUCEGYM_SESSIONS={sessions} is not a number greater than 0")
    runs = Path(os.environ.get("REPRODUCEGYM_RUNS", "runs"))
    return application(None, runs, SandboxChoice.AUTO, None, sessions=int(sessions), parallel=2)


def application(
    paper: Path | None, runs: Path, sandbox: SandboxChoice, config: Path | None, *, sessions: int, parallel: int
) -> "FastAPI":
    """The application of one paper's tasks, or of all below `runs`; says what is left out."""
    try:
        from reproducegym.adapters.tasks_server.app import tasks_app
        from reproducegym.adapters.tasks_server.environment import Offered
    except ModuleNotFoundError as error:
        raise MisuseError(
            f"the server needs {error.name}; install it with: pip install 'reproducegym[openenv]'"
        ) from error
    from reproducegym.adapters.exporters.kept import carried
    from reproducegym.adapters.trainers.judging import InProcessVerifier
    from reproducegym.cli.export import built_papers
    from reproducegym.ports import CopyLimits

    settings = wiring.config(config)
    built, left_out = carried(built_papers(paper, runs), "this server")
    for one in left_out:
        say(f"left out {one.task_id}: it {one.why}")
    orders = {one.order.entry.task_id: one.order for one in built}
    offered = {
        name: Offered(name, order.instructions, order.input_files, order.contract.evidence_level)
        for name, order in orders.items()
    }
    size = settings.sandbox.submission_mib * 2**20
    limits = CopyLimits(max_files=settings.sandbox.submission_files, max_bytes=size, max_file_bytes=size)
    verifier = InProcessVerifier(orders, wiring.judge(sandbox, settings), parallel=parallel)
    say(f"{counted(len(offered), 'task')}, each at its own evidence level")
    return tasks_app(offered, verifier, limits, sessions=sessions)
