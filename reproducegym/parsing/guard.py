"""Reads a paper in a child process: a page that crashes or stalls MuPDF, or wants too much memory, costs only itself.

The child is forked, so nothing is loaded twice; what it costs is in docs/benchmarks.md. It says which page it is at
before it touches it. When it dies there, the next child leaves that page out and says so in the warnings. It holds
the reading end of a pipe that nobody writes to: when we die, in whatever way, that end hangs up and it is ended.
"""

import contextlib
import faulthandler
import fcntl
import multiprocessing
import os
import pickle
import re
import resource
import signal
import sys
import time
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from types import MappingProxyType
from typing import Generic, TypeVar

from reproducegym.errors import UnreadablePaperError

__all__ = ["Limits", "Progress", "read_in_child"]

T = TypeVar("T")
_NO_PAGE = 0
_GIB = 1024**3
_PDF_ADVICE = "print it to a new PDF and try that"


@dataclass(frozen=True, slots=True)
class Limits:
    """What one paper may use: CPU seconds at one page and outside of pages, wall seconds in all, bytes of memory.

    `lost_pages` is how many pages may be left out because they broke a limit.
    """

    page_s: float = 15.0
    whole_s: float = 60.0
    total_s: float = 900.0
    memory: int = 2 * _GIB
    lost_pages: int = 3


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a reader is. `lost` holds the pages that it must not touch, with the reason in words.

    Call `at_page(number)` before work on a page, `at_whole()` before work on the whole document.
    """

    lost: Mapping[int, str]
    at_page: Callable[[int], None]
    at_whole: Callable[[], None]


@dataclass(frozen=True, slots=True)
class _Answer(Generic[T]):
    value: T


@dataclass(frozen=True, slots=True)
class _Raised:
    error: Exception
    trace: str


@dataclass(frozen=True, slots=True)
class _OutOfMemory:
    """The child was refused memory outside of the work that can be left out."""


@dataclass(frozen=True, slots=True)
class _Died:
    """The child ended without an answer; `page` is None when it was at no page."""

    page: int | None
    why: str


class _ChildTraceback(Exception):  # noqa: N818 - shown as the cause of what the child raised
    def __str__(self) -> str:
        return f'\n"""\n{self.args[0]}"""'


def read_in_child(read: Callable[[Progress], T], origin: str, limits: Limits, *, advice: str = _PDF_ADVICE) -> T:
    """What `read` gives, read in a child process within the limits; `advice` says what to do when it breaks them.

    Raises:
        UnreadablePaperError: it broke a limit at more pages than may be left out, or outside of any page.
        Exception: whatever `read` raises.
    """
    lost: dict[int, str] = {}
    until = time.monotonic() + limits.total_s
    while True:
        outcome = _one_child(read, lost, limits, until)
        if isinstance(outcome, _Answer):
            return outcome.value
        if isinstance(outcome, _Raised):
            raise outcome.error from _ChildTraceback(outcome.trace)
        if isinstance(outcome, _OutOfMemory):
            raise UnreadablePaperError(
                f"{origin} needs more than {limits.memory / _GIB:g} GiB of memory; give the pages of the paper alone"
            )
        if outcome.page is None or outcome.page in lost or len(lost) >= limits.lost_pages:
            place = "it" if outcome.page is None else f"page {outcome.page}"
            raise UnreadablePaperError(f"{origin} cannot be read: {place} {outcome.why}; {advice}")
        lost[outcome.page] = outcome.why


def _one_child(
    read: Callable[[Progress], T], lost: Mapping[int, str], limits: Limits, until: float
) -> _Answer[T] | _Raised | _OutOfMemory | _Died:
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe(duplex=False)
    watched, held = context.Pipe(duplex=False)
    for stream in (sys.stdout, sys.stderr):
        stream.flush()

    def begin() -> None:
        ours.close()
        held.close()
        _end_when_hung_up(watched)
        _child(read, dict(lost), limits, theirs)

    child = context.Process(target=begin, daemon=True)
    child.start()
    theirs.close()
    watched.close()
    page: int | None = None
    try:
        while ours.poll(max(0.0, until - time.monotonic())):
            said: int | _Answer[T] | _Raised | _OutOfMemory = ours.recv()
            if not isinstance(said, int):
                return said
            page = said or None
        return _Died(None, f"took longer than {limits.total_s:g} s")
    except (EOFError, ConnectionResetError):
        child.join()
        return _Died(page, _why(child.exitcode, page, limits))
    finally:
        child.kill()
        child.join()
        child.close()
        ours.close()
        held.close()


def _why(code: int | None, page: int | None, limits: Limits) -> str:
    if code == -signal.SIGPROF:
        return f"took longer than {limits.whole_s if page is None else limits.page_s:g} s"
    if code == -signal.SIGKILL:
        return "was killed, most likely because the machine ran out of memory"
    name = signal.Signals(-code).name if code is not None and code < 0 else f"exit code {code}"
    return f"crashed what reads it ({name})"


def _end_when_hung_up(watched: Connection) -> None:
    """Let the kernel end this process, whatever C code it is in, when the other end of the pipe is closed."""
    signal.signal(signal.SIGIO, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGIO])
    fcntl.fcntl(watched, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(watched, fcntl.F_SETFL, fcntl.fcntl(watched, fcntl.F_GETFL) | os.O_ASYNC)
    if watched.poll():  # it was closed before we asked for the signal
        sys.exit(1)


def _inherited() -> int:
    """Bytes of data that this process has from the one that it was forked from: no reader asked for them."""
    told = re.search(r"^VmData:\s+(\d+) kB$", Path("/proc/self/status").read_text("ascii"), re.MULTILINE)
    return 1024 * int(told[1]) if told else 0


def _child(read: Callable[[Progress], T], lost: Mapping[int, str], limits: Limits, pipe: Connection) -> None:
    faulthandler.disable()  # the parent tells of a crash, in one line
    for number in (signal.SIGTERM, signal.SIGPROF):
        signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    most = limits.memory + _inherited()
    soft = most if hard == resource.RLIM_INFINITY else min(most, hard)
    resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    def at(page: int, seconds: float) -> None:
        pipe.send(page)
        signal.setitimer(signal.ITIMER_PROF, seconds)

    progress = Progress(
        MappingProxyType(lost),
        lambda page: at(page, limits.page_s),
        lambda: at(_NO_PAGE, limits.whole_s),
    )
    with contextlib.suppress(BrokenPipeError):  # the parent is gone; nobody wants the answer
        try:
            progress.at_whole()
            answer: _Answer[T] | _Raised | _OutOfMemory = _Answer(read(progress))
        except MemoryError:
            answer = _OutOfMemory()
        except Exception as error:  # noqa: BLE001 - raised again by the parent
            answer = _Raised(_sendable(error), traceback.format_exc())
        pipe.send(answer)


def _sendable(error: Exception) -> Exception:
    """The error itself where it survives the way to the parent, else one that says the same."""
    try:
        pickle.loads(pickle.dumps(error))  # noqa: S301 - our own bytes
    except Exception:  # noqa: BLE001 - any class may fail in its own way
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error
