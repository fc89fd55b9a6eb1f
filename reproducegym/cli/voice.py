"""How commands speak: words to stderr, answers to stdout, and one line for every failure."""

import contextlib
import errno
import json
import os
import shutil
import sys
import tempfile
import traceback
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

import typer
from pydantic import JsonValue
from rich.console import Console
from rich.markup import escape

from reproducegym.errors import ReproduceGymError, StorageError

__all__ = ["Explained", "answer", "counted", "guarded", "problem", "say", "stderr", "stdout", "told", "warn"]

_INTERRUPTED = 130
_STOPPED = "stopped; nothing is left running"
_HINTS: Mapping[int | None, str] = MappingProxyType(
    {
        errno.ENOSPC: "free some space",
        errno.EDQUOT: "free some space",
        errno.EACCES: "change its permissions, or name another path",
        errno.EROFS: "choose a writable place",
    }
)
stderr = Console(stderr=True, highlight=False, emoji=False)
stdout = Console(highlight=False, emoji=False)


class Explained(int):
    """An exit code whose reason the command has told already."""


def say(line: str) -> None:
    """One line of words for people, on stderr; never folded, so that it can be searched."""
    stderr.print(escape(line), soft_wrap=True)


def warn(line: str) -> None:
    """A line that people should not miss."""
    stderr.print(f"[yellow]{escape(line)}[/yellow]", soft_wrap=True)


def counted(number: int, noun: str) -> str:
    """`1 page`, `2 pages`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def answer(value: Mapping[str, JsonValue]) -> None:
    """The machine-readable answer of a command: one JSON object on stdout."""
    try:
        print(json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False), flush=True)
    except BrokenPipeError:
        _forget_stdout()
    except OSError as error:
        _forget_stdout()
        raise StorageError(f"the answer cannot be written to standard output: {error.strerror}") from error


def problem(kind: str, message: str, exit_code: int) -> dict[str, JsonValue]:
    """A failure as the machine-readable answers tell it."""
    return {"kind": kind, "message": _in_one_line(message), "exit_code": exit_code}


def told(error: ReproduceGymError) -> dict[str, JsonValue]:
    """Say a failure that does not end the command, and give it as the answers tell it."""
    _print_error(str(error))
    return problem(type(error).__name__, str(error), error.exit_code)


def guarded(command: Callable[[], object], *, as_json: bool = False) -> int:
    """Run a command to its exit code; whatever it raises becomes one line on stderr.

    With `as_json` the failure is also the answer on stdout: `{"error": {"kind": …, "message": …, "exit_code": …}}`.
    """
    try:
        code = command()
        sys.stdout.flush()
        if isinstance(code, Explained) or code != _INTERRUPTED:  # Typer's reading of Ctrl-C
            return code if isinstance(code, int) else 0
        failure = _Failure("Stopped", _STOPPED, _INTERRUPTED)
    except typer.Exit as error:
        return error.exit_code
    except BrokenPipeError:
        _forget_stdout()
        return 0
    except BaseException as error:  # noqa: BLE001 - the outermost boundary: every end is told in one line
        failure = _failure(error)
    _print_error(failure.line)
    if as_json:
        with contextlib.suppress(StorageError):  # standard output itself is what failed, and that is said
            answer({"error": problem(*failure)})
    return failure.exit_code


class _Failure(NamedTuple):
    kind: str
    line: str
    exit_code: int


def _failure(error: BaseException) -> _Failure:
    if isinstance(error, ReproduceGymError):
        return _Failure(type(error).__name__, str(error), error.exit_code)
    if isinstance(error, typer.TyperException):
        said = error.format_message() or "no command was named"
        return _Failure("MisuseError", f"{said} (see --help)", error.exit_code)
    if isinstance(error, SystemExit):
        return _Failure("Stopped", _STOPPED, error.code if isinstance(error.code, int) else 1)
    if isinstance(error, KeyboardInterrupt | typer.Abort):
        return _Failure("Stopped", _STOPPED, _INTERRUPTED)
    if isinstance(error, OSError):
        return _Failure("StorageError", _storage_line(error), StorageError.exit_code)
    return _Failure("Defect", _defect_line(error), 1)


def _print_error(line: str) -> None:
    with contextlib.suppress(BrokenPipeError):
        stderr.print(f"[bold red]error:[/bold red] {escape(_in_one_line(line))}", soft_wrap=True)


def _in_one_line(text: str) -> str:
    return " ".join(text.split())


def _storage_line(error: OSError) -> str:
    """A line on a failure that no store named: of the temporary directory, or of a path that a user gave."""
    number, what = error.errno, error.strerror or str(error)
    names = [os.fsdecode(name) for name in (error.filename2, error.filename) if isinstance(name, str | bytes)]
    if isinstance(error, shutil.Error) and isinstance(error.args[0], list):
        source, made, what = error.args[0][0]
        names = [str(made), str(source)]
        number = errno.ENOSPC if os.strerror(errno.ENOSPC) in what else None
        what = os.strerror(errno.ENOSPC) if number else what
    temporary = tempfile.gettempdir()
    within = [name for name in names if Path(name).is_relative_to(temporary)]
    if (within or not names) and number in (errno.ENOSPC, errno.EDQUOT):
        place = within[0] if within else temporary
        return f"{place}: {what}; free some space in {temporary} or set TMPDIR to another directory"
    where = f"{names[-1]}: " if names else ""
    advice = _HINTS.get(number, "")
    return f"{where}{what}; {advice}" if advice else f"{where}{what}"


def _defect_line(error: BaseException) -> str:
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
