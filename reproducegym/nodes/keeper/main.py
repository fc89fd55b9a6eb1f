"""Answers one question, and ends."""

from __future__ import annotations

import errno
import json
import sys
from collections.abc import Callable, Mapping
from types import MappingProxyType

from reproducegym.nodes.keeper.files import get, put
from reproducegym.nodes.keeper.ground import Asked, RefusedError, tell
from reproducegym.nodes.keeper.jobs import follow, logs, poll, start, stop
from reproducegym.nodes.keeper.leases import lease
from reproducegym.nodes.keeper.looking import probe
from reproducegym.nodes.keeper.runs import beat, listing, open_run, remove

__all__ = ["main"]

_COMMANDS: Mapping[str, Callable[[Asked], None]] = MappingProxyType(
    {
        "probe": probe,
        "open": open_run,
        "beat": beat,
        "list": listing,
        "remove": remove,
        "lease": lease,
        "start": start,
        "poll": poll,
        "logs": logs,
        "follow": follow,
        "stop": stop,
        "put": put,
        "get": get,
    }
)


def main() -> None:
    """Read the question, do it, answer; what the node refuses is an answer too."""
    asked = json.loads(sys.stdin.buffer.readline())
    try:
        _COMMANDS[asked["command"]](asked)
    except RefusedError as error:
        tell(refused=str(error))
    except OSError as error:
        place = f" ({error.filename})" if error.filename else ""
        advice = "; free some space there" if error.errno in (errno.ENOSPC, errno.EDQUOT) else ""
        tell(refused=f"{error.strerror or error}{place}{advice}")
