"""Times calls and commands in pairs, A B A B, so that a machine whose speed drifts does not decide."""

import os
import resource
import statistics
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

__all__ = ["Ended", "Row", "command", "ended", "paired", "seconds"]


@dataclass(frozen=True)
class Row:
    """One line of docs/benchmarks.md; `ratio` is ours over the peer's, the median of all pairs."""

    what: str
    ours: str
    peer: str
    ratio: str


def seconds(work: Callable[[], object]) -> float:
    """Wall seconds of one call."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def command(argv: Sequence[str]) -> Callable[[], object]:
    """A command as a call that fails when the command does."""

    def run() -> None:
        subprocess.run(argv, check=True, capture_output=True)

    return run


def paired(ours: Callable[[], object], peer: Callable[[], object], times: int) -> tuple[float, float, float]:
    """Medians of both, and the median ratio of the pairs, after one warm-up of each."""
    ours(), peer()
    pairs = [(seconds(ours), seconds(peer)) for _ in range(times)]
    return (
        statistics.median(a for a, _ in pairs),
        statistics.median(b for _, b in pairs),
        statistics.median(a / b for a, b in pairs),
    )


def child_peak_mib() -> float:
    """The largest resident size of any child so far, in MiB."""
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024


@dataclass(frozen=True, slots=True)
class Ended:
    """Wall seconds and the largest resident size of a program and its children, in MiB, and what it told on stdout."""

    seconds: float
    peak_mib: float
    told: str


def ended(argv: Sequence[str]) -> Ended:
    """Run a command to its good end; ru_maxrss of wait4 is the largest of it and the children it waited for."""
    began = time.perf_counter()
    with subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as program:
        told = program.stdout.read() if program.stdout else ""
        _, status, usage = os.wait4(program.pid, 0)
        program.returncode = os.waitstatus_to_exitcode(status)
    if program.returncode != 0:
        raise subprocess.CalledProcessError(program.returncode, argv)
    return Ended(time.perf_counter() - began, usage.ru_maxrss / 1024, told)
