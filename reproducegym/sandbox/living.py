"""Knows every sandbox of this process that still lives, so that Ctrl-C and SIGTERM leave none behind, in any thread."""

import contextlib
import signal
import threading
from collections.abc import Callable, Iterator
from types import FrameType

__all__ = ["destroyed_on_signals", "first_interrupt", "go_on_ending", "living"]

_lock = threading.RLock()
_signals: list[int] = []
_destroyers: dict[int, tuple[int, Callable[[], None]]] = {}
_next_key = iter(range(2**62))


def living(destroy: Callable[[], None]) -> Callable[[], None]:
    """Register a sandbox; the returned call destroys it, the first time only.

    Raises:
        SystemExit: a signal is ending the program, in this call or the returned one: no sandbox begins any more, and
            what was killed on the way never reads as the work's own end, in whatever thread it ran.
    """
    with _lock:
        go_on_ending()
        key = next(_next_key)
        _destroyers[key] = (threading.get_ident(), destroy)

    def once() -> None:
        with _lock:
            found = _destroyers.pop(key, None)
        try:
            if found is not None:
                found[1]()
        finally:
            go_on_ending()

    return once


def go_on_ending() -> None:
    """Nothing, unless a signal has come: its exception may be lost on the way, or have missed a sandbox half made.

    Raises:
        SystemExit: a signal is ending the program.
    """
    if _signals:
        raise SystemExit(128 + _signals[0])


@contextlib.contextmanager
def destroyed_on_signals() -> Iterator[None]:
    """Within it Ctrl-C, SIGTERM and SIGHUP destroy the sandboxes of all threads and end the program by an exception.

    The exception (KeyboardInterrupt, or SystemExit with 128 + the signal's number) unwinds the main thread, which
    destroys its own sandboxes on the way. Handlers that a caller has set stay as they are, and outside the main
    thread nothing is changed: who works in threads enters this in the main thread first.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    ours: list[signal.Signals] = []
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) in (signal.SIG_DFL, signal.default_int_handler):
            signal.signal(number, _end)
            ours.append(number)
    try:
        yield
    finally:
        if ours:
            _signals.clear()
        for number in ours:
            signal.signal(number, signal.default_int_handler if number is signal.SIGINT else signal.SIG_DFL)


@contextlib.contextmanager
def first_interrupt(call: Callable[[], None]) -> Iterator[None]:
    """Within it the first Ctrl-C does no more than this call; the next one ends the program, as outside."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.getsignal(signal.SIGINT)

    def once(_number: int, _frame: FrameType | None) -> None:
        signal.signal(signal.SIGINT, before)
        call()

    signal.signal(signal.SIGINT, once)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _end(number: int, _frame: FrameType | None) -> None:
    """Destroy what other threads hold, so that they end too, then unwind this one."""
    here = threading.get_ident()
    with _lock:
        _signals.append(number)
        others = [key for key, (thread, _) in _destroyers.items() if thread != here]
        found = [_destroyers.pop(key)[1] for key in others]
    try:
        for destroy in found:
            destroy()
    finally:
        if number == signal.SIGINT:
            raise KeyboardInterrupt
        raise SystemExit(128 + number)
