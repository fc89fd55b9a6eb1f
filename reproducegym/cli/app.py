"""Where the program starts: signals are ours before anything heavy loads, and every end has an exit code."""

import json
import os
import signal
import sys
from pathlib import Path
from types import FrameType
from typing import NoReturn

__all__ = ["main", "script"]

_JSON = "--json"


def main() -> NoReturn:
    """The installed program `reproducegym`."""
    _leave("reproducegym", None)


def script(command: str) -> NoReturn:
    """One command as a program of its own: `python run.py …` is `reproducegym run …`."""
    _leave(f"python {Path(sys.argv[0]).name}", command)


def _leave(name: str, command: str | None) -> NoReturn:
    """Run the program, or one command of it, on this process's arguments and end the process with its exit code.

    While it loads, a signal ends it at once: nothing is running yet. After that a signal also removes all sandboxes.
    """
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _stop_loading)
    from reproducegym.cli.commands import start
    from reproducegym.cli.voice import guarded
    from reproducegym.sandbox.living import destroyed_on_signals

    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    with destroyed_on_signals():
        code = guarded(lambda: start(command, sys.argv[1:], name), as_json=_JSON in sys.argv[1:])
        _ignore_signals()
    _ignore_signals()  # the context has given them their own meaning back
    raise SystemExit(code)


def _ignore_signals() -> None:
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)


def _stop_loading(number: int, frame: FrameType | None) -> NoReturn:
    line = "stopped; nothing is left running"
    sys.stderr.write(f"error: {line}\n")
    if _JSON in sys.argv[1:]:
        told = {"error": {"kind": "Stopped", "message": line, "exit_code": 128 + number}}
        sys.stdout.write(json.dumps(told, indent=2) + "\n")
    sys.stderr.flush()
    sys.stdout.flush()
    # Not an exception: unwinding a half-done import would print a traceback of somebody else's module.
    os._exit(128 + number)
