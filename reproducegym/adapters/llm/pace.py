"""How fast an endpoint is asked: so many calls at once, and none before a time that it named."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

__all__ = ["Pace"]


class Pace:
    """Turns for calls, shared by all threads: when one is rate-limited, all wait."""

    def __init__(self, at_once: int, now: Callable[[], float], sleep: Callable[[float], None]) -> None:
        self._turns = threading.BoundedSemaphore(at_once)
        self._now, self._sleep = now, sleep
        self._not_before = 0.0
        self._lock = threading.Lock()

    @contextmanager
    def turn(self) -> Iterator[None]:
        """One call's turn; waits until there is one."""
        with self._turns:
            with self._lock:
                wait = self._not_before - self._now()
            if wait > 0:
                self._sleep(wait)
            yield

    def pause(self, seconds: float) -> None:
        """No new call for so long."""
        with self._lock:
            self._not_before = max(self._not_before, self._now() + seconds)
