"""Shows how far models and attempts are: live on a terminal, elsewhere a line now and then."""

import atexit
import threading
import time
from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING, Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.status import Status

from reproducegym.schema.usage import UsageSummary

if TYPE_CHECKING:
    from reproducegym.adapters.llm import client

__all__ = ["Board", "Meter", "usage_line"]

_EVERY_S = 15.0


class Meter:
    """Takes every piece of progress, from any thread, and shows few of them."""

    def __init__(self, console: Console, say: Callable[[str], None], now: Callable[[], float] = time.monotonic) -> None:
        self._console, self._say, self._now = console, say, now
        self._status: Status | None = None
        self._said_at = now()
        self._lock = threading.Lock()

    def __call__(self, progress: "client.Progress") -> None:
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


class Board:
    """A bar that shows how many attempts of a batch are valid, while one is entered and on a terminal; else nothing."""

    def __init__(self, console: Console, wanted: int, valid: int) -> None:
        self._live = console.is_terminal
        columns = (BarColumn(), MofNCompleteColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
        self._bar = Progress(*columns, TextColumn("left"), TimeRemainingColumn(), console=console, transient=True)
        self._row = self._bar.add_task("valid attempts", total=wanted, completed=valid)
        self._rewards: list[float] = []

    def __enter__(self) -> Self:
        if self._live:
            self._bar.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._live:
            self._bar.stop()

    def add(self, reward: float | None) -> None:
        """Count an attempt that has ended; an unscored one (None) does not move the bar."""
        if reward is not None:
            self._rewards.append(reward)
            mean = sum(self._rewards) / len(self._rewards)
            self._bar.update(self._row, advance=1, description=f"valid attempts, mean reward {mean:.2f}")

    def ending(self) -> None:
        """Say that no further attempt begins."""
        self._bar.update(self._row, description="ending: attempts in progress are finished and kept")
