"""Measures a simulation while it goes on: every lap is on the disk as soon as it is over."""

import resource
import time
from collections.abc import Callable
from pathlib import Path

from pydantic import ValidationError

from reproducegym.cli.batching import Tally
from reproducegym.cli.voice import warn
from reproducegym.pipeline.files import read_file, write_file
from reproducegym.schema.simulation import Lap, Simulation, SimulationOrder

__all__ = ["Record", "Watch"]

_LAPS = 10


class Watch:
    """Notes time and memory of this process at the first piece, at every tenth and at the end; `keep` gets each lap."""

    def __init__(self, pieces: int, keep: Callable[[Lap], None], now: Callable[[], float] = time.monotonic) -> None:
        self._every, self._keep, self._now, self._began = max(1, pieces // _LAPS), keep, now, now()
        self._done, self._made, self._told = 0, 0, 0

    def begin(self, done: int) -> None:
        """So many pieces stand already."""
        self._done = done

    def one_more(self, *, made: bool) -> None:
        """One more piece is done: it was made now, or found to stand."""
        self._done += 1
        self._made += made
        if made and (self._made == 1 or self._done % self._every == 0):
            self._lap()

    def end(self) -> None:
        """No more are made now: what was made since the last lap is one."""
        if self._made > self._told:
            self._lap()

    def _lap(self) -> None:
        self._told = self._made
        seconds = round(self._now() - self._began, 2)
        self._keep(Lap(done=self._done, made=self._made, seconds=seconds, driver_mib=_resident_mib()))


class Record:
    """`simulation.json` in the making; it begins with the laps of earlier calls of the same order.

    Raises:
        StorageError: the file cannot be read, or later on, written.
    """

    def __init__(self, out: Path, order: SimulationOrder) -> None:
        self.file = out / "simulation.json"
        before = self._before(order)
        self.told = Simulation(
            schema_version=1,
            order=order,
            tasks=0,
            attempts=0,
            builds=() if before is None else before.builds,
            runs=() if before is None else before.runs,
            mean_reward=None,
        )

    def builds(self, papers: int) -> Watch:
        """Watches so many papers being built."""
        return Watch(papers, lambda lap: self._put(self.told.model_copy(update={"builds": (*self.told.builds, lap)})))

    def runs(self, attempts: int) -> Watch:
        """Watches so many attempts being made."""

        def keep(lap: Lap) -> None:
            self._put(self.told.model_copy(update={"attempts": lap.made, "runs": (*self.told.runs, lap)}))

        return Watch(attempts, keep)

    def found(self, tasks: int) -> None:
        """So many tasks there are."""
        self._put(self.told.model_copy(update={"tasks": tasks}))

    def made(self, tally: Tally) -> None:
        """What this call made, at its end."""
        mean = tally.rewards / tally.scored if tally.scored else None
        self._put(self.told.model_copy(update={"attempts": tally.scored, "mean_reward": mean}))

    def _put(self, told: Simulation) -> None:
        self.told = told
        write_file(self.file, told.to_json().encode())

    def _before(self, order: SimulationOrder) -> Simulation | None:
        """What earlier calls of this order measured; a file that does not fit is named and written anew."""
        data = read_file(self.file)
        if data is None:
            return None
        try:
            found = Simulation.from_json(data)
        except ValidationError:
            warn(f"{self.file} is no record of a simulation as this version writes it; it is begun anew")
            return None
        return found if found.order == order else None


def _resident_mib() -> float:
    """Memory of this process that stands in RAM."""
    pages = int(Path("/proc/self/statm").read_text("utf-8").split()[1])
    return round(pages * resource.getpagesize() / 2**20, 1)
