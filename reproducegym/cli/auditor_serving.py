"""Makes the auditor's application in each process that serves it; what it is made of travels in the environment.

| variable | for |
| --- | --- |
| `REPRODUCEGYM_AUDITOR_REWARD` | `executed` (the default) or `classic` |
| `REPRODUCEGYM_AUDITOR_EPISODES` | the file of HTTP episodes, which all workers share |
| `REPRODUCEGYM_AUDITOR_CAPACITY` | episodes, and sessions of one worker, in progress at once |
| `REPRODUCEGYM_AUDITOR_IDLE_S` | seconds after which an idle one is forgotten |
| `REPRODUCEGYM_AUDITOR_TORCH` | 1 adds projects of PyTorch to executed episodes; 0, the default, does not |
"""

import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from reproducegym.cli.environments import drawer
from reproducegym.cli.voice import guarded
from reproducegym.errors import MisuseError

if TYPE_CHECKING:
    from fastapi import FastAPI

__all__ = ["CAPACITY", "EPISODES", "IDLE_S", "MESSAGE_BYTES", "REWARD", "TORCH", "app", "serve_space", "space_app"]

REWARD = "REPRODUCEGYM_AUDITOR_REWARD"
EPISODES = "REPRODUCEGYM_AUDITOR_EPISODES"
CAPACITY = "REPRODUCEGYM_AUDITOR_CAPACITY"
IDLE_S = "REPRODUCEGYM_AUDITOR_IDLE_S"
TORCH = "REPRODUCEGYM_AUDITOR_TORCH"
MESSAGE_BYTES = 1 << 20
"""The greatest message of a session."""


def app() -> "FastAPI":
    """The application of this process.

    Raises:
        MisuseError: a variable says what it may not, or the extra `openenv` is not installed.
    """
    capacity, idle_s = int(_number(CAPACITY, 1024)), _number(IDLE_S, 1800)
    torch = os.environ.get(TORCH, "0")
    if torch not in ("0", "1"):
        raise MisuseError(f"{TORCH}={torch} is neither 0 nor 1")
    drawn = drawer(os.environ.get(REWARD, "executed"), torch=torch == "1")
    try:
        from reproducegym.adapters.auditor_server.app import auditor_app
        from reproducegym.adapters.auditor_server.episodes import Episodes, Limits
    except ModuleNotFoundError as error:
        raise MisuseError(
            f"the server needs {error.name}; install it with: pip install 'reproducegym[openenv]'"
        ) from error
    limits = Limits(capacity=capacity, idle_s=idle_s)
    return auditor_app(drawn, Episodes(_file(), drawn, limits), limits)


def space_app() -> "FastAPI":
    """The application that a Space names; where a variable says what it may not, that line and exit code 2."""
    made: list[FastAPI] = []
    _or_leave(lambda: made.append(app()))
    return made[0]


def serve_space(app: "FastAPI") -> None:
    """Serve it on all addresses, or on HOST; PORT names the port, 7860 where it does not."""
    import uvicorn

    ports: list[int] = []
    _or_leave(lambda: ports.append(_port()))
    host = os.environ.get("HOST", "0.0.0.0")  # noqa: S104 - a container is reached from outside
    uvicorn.run(app, host=host, port=ports[0], ws_max_size=MESSAGE_BYTES)


def _or_leave(what: Callable[[], None]) -> None:
    code = guarded(what)
    if code:
        raise SystemExit(code)


def _port() -> int:
    text = os.environ.get("PORT", "7860")
    if not (text.isascii() and text.isdecimal() and int(text) < 1 << 16):
        raise MisuseError(f"PORT={text} is no port; one is a number from 0 to 65535")
    return int(text)


def _file() -> Path:
    """The file of episodes; where none is named, one that the workers of the same parent find too."""
    named = os.environ.get(EPISODES)
    return Path(named) if named else Path(tempfile.gettempdir()) / f"reproducegym-auditor-{os.getuid()}-{os.getppid()}"


def _number(name: str, default: float) -> float:
    text = os.environ.get(name)
    try:
        number = default if text is None else float(text)
    except ValueError as error:
        raise MisuseError(f"{name}={text} is no number") from error
    if not 0 < number < 1e9:
        raise MisuseError(f"{name}={text} is not greater than 0")
    return number
