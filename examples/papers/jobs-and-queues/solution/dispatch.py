"""Our own simulation of the server bank, by the moment at which each server will be free."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from random import Random

__all__ = ["POLICIES", "Waits", "simulate"]

Choose = Callable[[list[float], int, Random], int]
"""When each server will be free, number of the job, randomness → a server."""


@dataclass(frozen=True)
class Waits:
    """Mean wait of a job, and the share of jobs in percent that wait longer than one mean service time."""

    mean: float
    late: float


def _any(free: list[float], job: int, rng: Random) -> int:
    return int(rng.random() * len(free))


def _in_turn(free: list[float], job: int, rng: Random) -> int:
    return job % len(free)


def _better_of_two(free: list[float], job: int, rng: Random) -> int:
    return min(_any(free, job, rng), _any(free, job, rng), key=free.__getitem__)


def _earliest(free: list[float], job: int, rng: Random) -> int:
    return min(range(len(free)), key=free.__getitem__)


POLICIES: dict[str, Choose] = {
    "random": _any,
    "round robin": _in_turn,
    "two choices": _better_of_two,
    "least work": _earliest,
}


def simulate(policy: str, rng: Random, *, load: float, servers: int, jobs: int) -> Waits:
    """Send so many jobs (one at least) to an empty bank; without load nobody waits."""
    free = [0.0] * max(1, servers)
    now, total, late, count = 0.0, 0.0, 0, max(1, jobs)
    for job in range(count):
        now += -math.log(1.0 - rng.random()) / (load * len(free)) if load > 0 else math.inf
        if now == math.inf:
            return Waits(0.0, 0.0)
        server = POLICIES[policy](free, job, rng)
        wait = max(0.0, free[server] - now)
        total += wait
        late += wait > 1.0
        free[server] = now + wait - math.log(1.0 - rng.random())
    return Waits(total / count, 100.0 * late / count)
