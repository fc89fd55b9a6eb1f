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
from pathlib import Path
from typing import TYPE_CHECKING

from reproducegym.cli.environments import drawer
from reproducegym.errors import MisuseError

if TYPE_CHECKING:
    from fastapi import FastAPI

__all__ = ["CAPACITY", "EPISODES", "IDLE_S", "REWARD", "TORCH", "app"]

REWARD = "REPRODUCEGYM_AUDITOR_REWARD"
EPISODES = "REPRODUCEGYM_AUDITOR_EPISODES"
CAPACITY = "REPRODUCEGYM_AUDITOR_CAPACITY"
IDLE_S = "REPRODUCEGYM_AUDITOR_IDLE_S"
TORCH = "REPRODUCEGYM_AUDITOR_TORCH"


def app() -> "FastAPI":
    """The application of this process.

    Raises:
        MisuseError: a variable says what it may not, or the extra `openenv` is not installed.
    """
    try:
        from reproducegym.adapters.auditor_server.app import auditor_app
        from reproducegym.adapters.auditor_server.episodes import Episodes, Limits
    except ModuleNotFoundError as error:
        raise MisuseError(
            f"the server needs {error.name}; install it with: pip install 'reproducegym[openenv]'"
        ) from error
    limits = Limits(capacity=int(_number(CAPACITY, 1024)), idle_s=_number(IDLE_S, 1800))
    torch = os.environ.get(TORCH, "0")
    if torch not in ("0", "1"):
        raise MisuseError(f"{TORCH}={torch} is neither 0 nor 1")
    drawn = drawer(os.environ.get(REWARD, "executed"), torch=torch == "1")
    return auditor_app(drawn, Episodes(_file(), drawn, limits), limits)


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
