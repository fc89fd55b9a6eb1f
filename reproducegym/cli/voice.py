"""How commands speak: words to stderr, answers to stdout, and one line for every failure."""

import contextlib
import errno
import json
import os
import sys
import tempfile
import traceback
from collections.abc import Callable, Mapping

import typer
from pydantic import JsonValue
from rich.console import Console
from rich.markup import escape

from reproducegym.errors import ReproduceGymError, StorageError

__all__ = ["answer", "guarded", "say", "stderr", "stdout", "warn"]

_INTERRUPTED = 130
_STOPPED = "stopped; nothing is left running"
stderr = Console(stderr=True, highlight=False)
stdout = Console(highlight=False)


def say(line: str) -> None:
    """One line of words for people, on stderr; never folded, so that it can be searched."""
    stderr.print(escape(line), soft_wrap=True)


def warn(line: str) -> None:
    """A line that people should not miss."""
    stderr.print(f"[yellow]{escape(line)}[/yellow]", soft_wrap=True)


def answer(value: Mapping[str, JsonValue]) -> None:
    """The machine-readable answer of a command: one JSON object on stdout."""
    try:
        print(json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False), flush=True)
    except BrokenPipeError:
        _forget_stdout()


def guarded(command: Callable[[], object]) -> int:
    """Run a command to its exit code; whatever it raises becomes one line on stderr."""
    try:
        code = command()
        sys.stdout.flush()
        if code == _INTERRUPTED:  # Typer's reading of Ctrl-C
            return _fail(_STOPPED, _INTERRUPTED)
    except ReproduceGymError as error:
        return _fail(str(error), error.exit_code)
    except typer.TyperException as error:
        return _fail(f"{error.format_message()} (see --help)", error.exit_code)
    except typer.Exit as error:
        return error.exit_code
    except SystemExit as error:
        return _fail(_STOPPED, _signal_code(error))
    except (KeyboardInterrupt, typer.Abort):
        return _fail(_STOPPED, _INTERRUPTED)
    except BrokenPipeError:
        _forget_stdout()
        return 0
    except OSError as error:
        return _fail(_storage_line(error), StorageError.exit_code)
    except Exception as error:  # noqa: BLE001 - the outermost boundary: a defect of ours, told in one line
        return _fail(_defect_line(error), 1)
    return code if isinstance(code, int) else 0


def _fail(line: str, code: int) -> int:
    with contextlib.suppress(BrokenPipeError):
        stderr.print(f"[bold red]error:[/bold red] {escape(' '.join(line.split()))}", soft_wrap=True)
    return code


def _signal_code(error: SystemExit) -> int:
    return error.code if isinstance(error.code, int) else 1


def _storage_line(error: OSError) -> str:
    where = f"{error.filename}: " if error.filename else ""
    what = error.strerror or str(error)
    hint = {
        errno.ENOSPC: "free some space or choose another place with --out",
        errno.EACCES: "choose a place that you may write with --out, or change its permissions",
        errno.EROFS: "choose a writable place with --out",
    }
    advice = hint.get(error.errno or 0)
    return f"{where}{what}; {advice}" if advice else f"{where}{what}"


def _defect_line(error: Exception) -> str:
    """A line on an unexpected exception; the traceback goes to a file."""
    summary = f"unexpected {type(error).__name__}: {error}"
    try:
        handle, path = tempfile.mkstemp(prefix="reproducegym-", suffix=".traceback.txt")
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(traceback.format_exc())
    except OSError as storage:
        return f"{summary} (a defect of ReproduceGym; its traceback could not be written: {storage.strerror})"
    return f"{summary} (a defect of ReproduceGym; the traceback is in {path}, please report it)"


def _forget_stdout() -> None:
    """The reader of stdout has gone: whatever is still buffered must not raise again at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
