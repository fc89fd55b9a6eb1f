"""A bank of servers: every step one job arrives, is sent to a server at once, and waits for the work before it."""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

__all__ = ["LOAD", "POLICIES", "SERVERS", "STEPS", "BankRun", "run_bank"]

SERVERS = 10
LOAD = 0.8
STEPS = 20_000
LATE = 1.0

Policy = Callable[[list[float], int, Random], int]
"""Remaining work of each server, number of the job, randomness → the server that the job is sent to."""


@dataclass(frozen=True)
class BankRun:
    """Mean wait in mean service times, and the share of jobs in percent that wait longer than one."""

    mean_wait: float
    late_jobs: float


def _random(work: list[float], job: int, rng: Random) -> int:
    return rng.randrange(len(work))


def _round_robin(work: list[float], job: int, rng: Random) -> int:
    return job % len(work)


def _two_choices(work: list[float], job: int, rng: Random) -> int:
    one, other = rng.randrange(len(work)), rng.randrange(len(work))
    return one if work[one] <= work[other] else other


def _least_work(work: list[float], job: int, rng: Random) -> int:
    return work.index(min(work))


POLICIES: dict[str, Policy] = {
    "Random": _random,
    "Round robin": _round_robin,
    "Two choices": _two_choices,
    "Least work": _least_work,
}


def run_bank(policy: str, seed: int, *, load: float = LOAD, servers: int = SERVERS, steps: int = STEPS) -> BankRun:
    """One run from an empty bank; the random numbers of a policy depend on nothing but the seed."""
    rng = Random(seed)
    choose = POLICIES[policy]
    work = [0.0] * servers
    waits = []
    for job in range(steps):
        gap = rng.expovariate(load * servers)
        work = [left - gap if left > gap else 0.0 for left in work]
        server = choose(work, job, rng)
        waits.append(work[server])
        work[server] += rng.expovariate(1.0)
    return BankRun(sum(waits) / steps, 100.0 * sum(wait > LATE for wait in waits) / steps)
