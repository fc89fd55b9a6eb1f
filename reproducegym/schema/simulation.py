"""What a simulation of many papers and attempts took."""

from typing import Annotated, Literal

from pydantic import Field

from reproducegym.schema.base import Frozen

__all__ = ["Lap", "Simulation"]

Count = Annotated[int, Field(ge=0)]


class Lap(Frozen):
    """How far the work was: pieces done, wall-clock seconds since it began, resident memory of the driver in MiB."""

    done: Count
    seconds: float
    driver_mib: float


class Simulation(Frozen):
    """`simulation.json`: sizes as ordered, and laps of both parts. `attempts` are those made by this call.

    `mean_reward` is over those that were scored; it says that the verifier worked, and nothing else.
    """

    schema_version: Literal[1]
    papers: Count
    tasks: Count
    attempts: Count
    executor: str
    parallel: Count
    faults: float
    builds: tuple[Lap, ...]
    runs: tuple[Lap, ...]
    mean_reward: float | None
