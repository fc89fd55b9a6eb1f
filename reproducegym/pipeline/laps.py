"""Counts where the time of a build went, by step; the clock is the caller's."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Literal

__all__ = ["Lap", "Laps"]

Lap = Literal["check", "parse", "read", "extract", "compile", "render", "prove", "write", "host model", "plant"]


class Laps:
    """Seconds by step, in the order in which the steps first began; steps do not nest."""

    def __init__(self, clock: Callable[[], float] | None = None) -> None:
        """Take a clock in seconds; without one nothing is counted."""
        self._clock = clock
        self._seconds: dict[Lap, float] = {}

    @contextmanager
    def step(self, name: Lap) -> Iterator[None]:
        """Count what happens inside to a step."""
        if self._clock is None:
            yield
            return
        began = self._clock()
        try:
            yield
        finally:
            self._seconds[name] = self._seconds.get(name, 0.0) + self._clock() - began

    def seconds(self) -> dict[Lap, float]:
        """What was counted so far, to the millisecond."""
        return {name: round(spent, 3) for name, spent in self._seconds.items()}
