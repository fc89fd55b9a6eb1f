"""Shows how far models are: a live line on a terminal, elsewhere a line now and then."""

import atexit
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from rich.console import Console
from rich.status import Status

from reproducegym.schema.usage import UsageSummary

if TYPE_CHECKING:
    from reproducegym.adapters.llm.client import Progress

__all__ = ["Meter", "usage_line"]

_EVERY_S = 15.0


class Meter:
    """Takes every piece of progress, from any thread, and shows few of them."""

    def __init__(self, console: Console, say: Callable[[str], None], now: Callable[[], float] = time.monotonic) -> None:
        self._console, self._say, self._now = console, say, now
        self._status: Status | None = None
        self._said_at = now()
        self._lock = threading.Lock()

    def __call__(self, progress: "Progress") -> None:
        """Show it, or not."""
        line = f"models: {progress.done} of {progress.put} questions done, {progress.received / 1000:.1f} kB received"
        with self._lock:
            if self._console.is_terminal:
                self._live(line, ended=progress.done >= progress.put)
            elif progress.done < progress.put and self._now() - self._said_at >= _EVERY_S:
                self._said_at = self._now()
                self._say(line)

    def _live(self, line: str, *, ended: bool) -> None:
        if ended and self._status is not None:
            self._status.stop()
            self._status = None
        elif not ended and self._status is None:
            self._status = Status(line, console=self._console)
            self._status.start()
            atexit.register(self._status.stop)  # a program that is stopped meanwhile gives the cursor back
        elif self._status is not None:
            self._status.update(line)


def usage_line(summary: UsageSummary) -> str:
    """What models cost, in a few words."""
    tokens = summary.prompt_tokens + summary.completion_tokens
    cost = "" if summary.dollars is None else f", ${summary.dollars:.4f}"
    return f"{summary.calls} calls, {tokens} tokens, {summary.seconds:.1f} s{cost}"
