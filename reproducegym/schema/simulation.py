"""What a simulation of many papers and attempts took."""

from typing import Annotated, Literal

from pydantic import Field

from reproducegym.schema.base import Frozen

__all__ = ["Lap", "Simulation", "SimulationOrder"]

Count = Annotated[int, Field(ge=0)]


class Lap(Frozen):
    """How far the work was: pieces that stood, how many of them this call had made, wall-clock seconds since it began,
    resident memory of its driver in MiB.

    Where a call goes on with what an earlier one left, `made` and `seconds` begin anew, and `done` goes on.
    """

    done: Count
    made: Count
    seconds: float
    driver_mib: float


class SimulationOrder(Frozen):
    """What was asked for. Calls of one order go on with one another."""

    papers: Count
    attempts: Count
    seed: Count
    executor: str
    parallel: Count
    faults: float


class Simulation(Frozen):
    """`simulation.json`, written at every lap: laps of both parts, of this call and of those that it goes on with.

    `tasks` and `attempts` are of this call: what it found or built, and what it made. `mean_reward` is over those that
    were scored; it says that the verifier worked, and nothing else.
    """

    schema_version: Literal[1]
    order: SimulationOrder
    tasks: Count
    attempts: Count
    builds: tuple[Lap, ...]
    runs: tuple[Lap, ...]
    mean_reward: float | None
