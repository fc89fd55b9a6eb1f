"""`reproducegym serve-tasks`: built tasks as an environment of OpenEnv."""

from pathlib import Path
from typing import Annotated

import typer

from reproducegym.cli.options import ConfigFile, PaperDirectory, Runs, SandboxChoice, SandboxName
from reproducegym.cli.serving_tasks import application
from reproducegym.cli.voice import say

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
    served = application(paper, runs, sandbox, config, sessions=sessions, parallel=parallel)
    import uvicorn

    say(f"serving on http://{host}:{port}")
    uvicorn.run(served, host=host, port=port, ws_max_size=_MESSAGE_BYTES, log_level="warning")
