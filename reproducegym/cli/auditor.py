"""`reproducegym auditor`: serves the reproducibility auditor, and measures what scripted policies earn in it."""

import os
import socket
import tempfile
from pathlib import Path
from typing import Annotated

import typer

from reproducegym.cli.auditor_serving import CAPACITY, EPISODES, IDLE_S, REWARD
from reproducegym.cli.environments import RewardChoice, drawer
from reproducegym.cli.voice import say
from reproducegym.errors import MisuseError

__all__ = ["app"]

app = typer.Typer(
    help="The reproducibility auditor as an environment: serve it, measure policies in it.", no_args_is_help=True
)

_MESSAGE_BYTES = 1 << 20


@app.command("serve")
def serve(
    host: Annotated[str, typer.Option(help="Address to listen on; 0.0.0.0 is all of this machine's.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port; 0 takes a free one.")] = 7860,
    workers: Annotated[int, typer.Option(min=1, max=64, help="Processes that serve.")] = 1,
    reward: Annotated[RewardChoice, typer.Option(help="How episodes are drawn and judged.")] = RewardChoice.executed,
    capacity: Annotated[int, typer.Option(min=1, help="Episodes, and sessions of a worker, at once.")] = 1024,
    idle: Annotated[float, typer.Option(min=1, help="Seconds after which an idle episode is forgotten.")] = 1800,
) -> None:
    """Serve the environment: OpenEnv sessions on /ws, and plain HTTP episodes on /reset, /step and /state.

    Example: reproducegym auditor serve --port 7860 --reward classic
    """
    try:
        import uvicorn
    except ModuleNotFoundError as error:
        raise MisuseError(
            f"the server needs {error.name}; install it with: pip install 'reproducegym[openenv]'"
        ) from error
    drawer(reward)
    with tempfile.TemporaryDirectory(prefix="reproducegym-auditor-") as place:
        os.environ.update(
            {
                REWARD: reward,
                EPISODES: str(Path(place) / "episodes.sqlite"),
                CAPACITY: str(capacity),
                IDLE_S: str(idle),
            }
        )
        taken = _free_port(host) if port == 0 else port
        say(f"serving on http://{host}:{taken} (reward {reward}); stop it with Ctrl-C")
        uvicorn.run(
            "reproducegym.cli.auditor_serving:app",
            factory=True,
            host=host,
            port=taken,
            workers=workers,
            ws_max_size=_MESSAGE_BYTES,
            log_level="warning",
        )


def _free_port(host: str) -> int:
    with socket.socket() as probe:
        probe.bind((host, 0))
        return int(probe.getsockname()[1])
