"""`reproducegym serve-verifier`: rewards by HTTP, for trainers."""

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from reproducegym.cli import wiring
from reproducegym.cli.options import Assets, ConfigFile, Runs, SandboxChoice, SandboxName
from reproducegym.cli.voice import counted, say, warn
from reproducegym.dataset import load_manifest
from reproducegym.errors import MisuseError, StorageError
from reproducegym.pipeline.directories import make_directory
from reproducegym.pipeline.locks import locked

__all__ = ["TOKEN", "serve_verifier"]

TOKEN = "REPRODUCEGYM_SERVICE_TOKEN"  # noqa: S105 - the name of a variable
_SHORTEST = 16
_BACKLOG = 1024
_ENDING_S = 60.0


def serve_verifier(
    runs: Runs = Path("runs"),
    state: Annotated[
        Path,
        typer.Option("--state", help="Directory of the queue; one service at a time uses it.", readable=False),
    ] = Path("runs/.rewards"),
    host: Annotated[str, typer.Option("--host", help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="Port; 0 takes a free one.")] = 8420,
    parallel: Annotated[int, typer.Option("--parallel", min=1, max=256, help="Verifications at once.")] = 2,
    queue: Annotated[int, typer.Option("--queue", min=1, help="Verifications that may wait.")] = 256,
    submission_mib: Annotated[int, typer.Option("--submission-mib", min=1, help="Largest submission.")] = 64,
    tries: Annotated[int, typer.Option("--tries", min=1, max=100, help="How often a fault of ours is tried.")] = 3,
    patience: Annotated[
        float,
        typer.Option("--patience", min=0, help="Seconds that Ctrl-C lets verifications go on."),
    ] = 30.0,
    details: Annotated[
        bool, typer.Option("--details", help="Tell clients reasons, which can hint at hidden numbers.")
    ] = False,
    asset: Assets = None,
    sandbox: SandboxName = SandboxChoice.AUTO,
    config: ConfigFile = None,
) -> None:
    """Verify submissions that come by HTTP, in fresh sandboxes; the token stands in REPRODUCEGYM_SERVICE_TOKEN.

    Example: REPRODUCEGYM_SERVICE_TOKEN=$(openssl rand -hex 32) reproducegym serve-verifier --runs runs
    """
    token = os.environ.pop(TOKEN, "")
    if len(token) < _SHORTEST or not token.isascii() or not token.isprintable() or " " in token:
        raise MisuseError(f"set {TOKEN} to a secret of {_SHORTEST} or more characters, as `openssl rand -hex 32` gives")
    try:
        import uvicorn

        from reproducegym.adapters.reward_service.app import Limits, Service, reward_app
        from reproducegym.adapters.reward_service.ledger import Ledger
        from reproducegym.adapters.reward_service.workers import Trying
        from reproducegym.cli.verifying import Scoring, ServedTasks
    except ModuleNotFoundError as error:
        raise MisuseError(
            f"the service needs {error.name}; install it with: pip install 'reproducegym[service]'"
        ) from error
    from reproducegym.pipeline.assets.card import read_places
    from reproducegym.ports import CopyLimits

    tasks = load_manifest(runs)
    settings = wiring.config(config)
    make_directory(state)
    with locked(state / "lock", f"the queue {state}", wait=False):
        judge = wiring.judge(sandbox, settings)
        size = submission_mib * 2**20
        files = CopyLimits(max_files=settings.sandbox.submission_files, max_bytes=size, max_file_bytes=size)
        served = ServedTasks(tasks)
        scoring = Scoring(served, tasks.runs or runs, judge, read_places(tuple(asset or ())), files)
        ledger = Ledger(state / "queue.sqlite", queue)
        service = Service(
            token=token,
            tasks=served,
            ledger=ledger,
            scorer=scoring,
            trying=Trying(at_once=parallel, tries=tries),
            limits=Limits(body_bytes=2 * size + 2**20, files=files, patience_s=patience),
            engine=lambda: judge.sandbox.availability().works,
            details=details,
        )
        with _listening(host, port) as sock:
            left = ledger.count("queued")
            where = f"http://{host}:{sock.getsockname()[1]}"
            say(f"serving rewards of {counted(len(tasks), 'task')} on {where}; stop with Ctrl-C")
            for task in tasks.quarantined:
                warn(f"not served, in quarantine: {task.task_id}: {task.quarantine}")
            if left:
                say(f"{counted(left, 'verification')} of an earlier service go on")
            app, workers = reward_app(service)
            server = uvicorn.Server(uvicorn.Config(app, log_level="error", timeout_graceful_shutdown=5))
            try:
                server.run(sockets=[sock])
            finally:
                workers.stop(_ENDING_S)  # a signal has destroyed their sandboxes: they put back what they had
        ledger.close()


@contextmanager
def _listening(host: str, port: int) -> Iterator[socket.socket]:
    """A socket that listens.

    Raises:
        StorageError: the address cannot be had.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as sock:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            sock.bind((host, port))
            sock.listen(_BACKLOG)  # whoever reads the line below may come at once
        except OSError as error:
            raise StorageError(f"cannot listen on {host}:{port}: {error.strerror}; choose another --port") from error
        yield sock
