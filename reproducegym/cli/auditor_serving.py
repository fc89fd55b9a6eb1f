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
import socket
import tempfile
from collections.abc import Callable, Iterator
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
    """Serve it on all addresses, or on HOST, at the ports that PORT and ALSO_PORT name: 7860 where PORT does not."""
    import uvicorn

    found: list[socket.socket] = []
    _or_leave(lambda: found.extend(_listening()))
    uvicorn.Server(uvicorn.Config(app, ws_max_size=MESSAGE_BYTES)).run(sockets=found)


def _or_leave(what: Callable[[], None]) -> None:
    code = guarded(what)
    if code:
        raise SystemExit(code)


def _listening() -> Iterator[socket.socket]:
    """What listens at each port.

    Raises:
        MisuseError: a variable names no port, or none that is free.
    """
    host = os.environ.get("HOST", "0.0.0.0")  # noqa: S104 - a container is reached from outside
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for name, text in (("PORT", os.environ.get("PORT", "7860")), ("ALSO_PORT", os.environ.get("ALSO_PORT", ""))):
        if not text and name == "ALSO_PORT":
            return
        if not (text.isascii() and text.isdecimal() and int(text) < 1 << 16):
            raise MisuseError(f"{name}={text} is no port; one is a number from 0 to 65535")
        try:
            yield socket.create_server((host, int(text)), family=family)
        except OSError as error:
            raise MisuseError(f"nothing can listen on port {text} of {host}: {error.strerror}; set {name}") from error


def _file() -> Path:
    """The file of episodes; where none is named, one that the workers of the same parent find too, and nobody else.

    Files of parents that are gone are removed.

    Raises:
        MisuseError: the directory for it is another user's.
    """
    named = os.environ.get(EPISODES)
    if named:
        return Path(named)
    place = Path(tempfile.gettempdir()) / f"reproducegym-auditor-{os.getuid()}"
    place.mkdir(mode=0o700, exist_ok=True)
    if place.is_symlink() or place.stat().st_uid != os.getuid():
        raise MisuseError(f"{place} is another user's; name a file of your own in {EPISODES}")
    for old in place.iterdir():
        parent = old.name.partition(".")[0]
        if parent.isdecimal() and not _lives(int(parent)):
            old.unlink(missing_ok=True)
    return place / f"{os.getppid()}.sqlite"


def _lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _number(name: str, default: float) -> float:
    text = os.environ.get(name)
    try:
        number = default if text is None else float(text)
    except ValueError as error:
        raise MisuseError(f"{name}={text} is no number") from error
    if not 0 < number < 1e9:
        raise MisuseError(f"{name}={text} is not greater than 0")
    return number
