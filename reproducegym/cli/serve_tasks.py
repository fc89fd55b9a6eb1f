"""`reproducegym serve-tasks`: built tasks as an environment of OpenEnv."""

from pathlib import Path
from typing import Annotated

import typer

from reproducegym.cli import wiring
from reproducegym.cli.options import ConfigFile, PaperDirectory, Runs, SandboxChoice, SandboxName
from reproducegym.cli.voice import counted, say
from reproducegym.errors import MisuseError

__all__ = ["serve_tasks"]

_MESSAGE_BYTES = 64 << 20


def serve_tasks(
    paper: PaperDirectory = None,
    runs: Runs = Path("runs"),
    host: Annotated[str, typer.Option("--host", help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", min=1, max=65535, help="Port.")] = 8430,
    sessions: Annotated[int, typer.Option("--sessions", min=1, max=4096, help="Sessions open at once.")] = 64,
    parallel: Annotated[int, typer.Option("--parallel", min=1, max=256, help="Verifications at once.")] = 2,
    sandbox: SandboxName = SandboxChoice.AUTO,
    config: ConfigFile = None,
) -> None:
    """Serve built tasks to clients of OpenEnv: reset gives a task, a step takes the files and gives the reward.

    Example: reproducegym serve-tasks --runs runs --port 8430
    """
    try:
        import uvicorn

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
    app = tasks_app(offered, verifier, limits, sessions=sessions)
    say(f"{counted(len(offered), 'task')} on http://{host}:{port}, each at its own evidence level")
    uvicorn.run(app, host=host, port=port, ws_max_size=_MESSAGE_BYTES, log_level="warning")
