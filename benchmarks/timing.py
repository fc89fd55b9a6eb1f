"""Times calls and commands in pairs, A B A B, so that a machine whose speed drifts does not decide."""

import statistics
import subprocess
import sys
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


@dataclass(frozen=True, slots=True)
class Ended:
    """Wall seconds and the largest resident size of a program and its children, in MiB, and what it told on stdout."""

    seconds: float
    peak_mib: float
    told: str


_ALONE = """
import os, resource, subprocess, sys, time
began = time.perf_counter()
code = subprocess.run(sys.argv[1:], stderr=subprocess.DEVNULL).returncode
told = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
os.write(2, " ".join(map(str, told)).encode())
sys.exit(min(abs(code), 125))
"""


def ended(argv: Sequence[str]) -> Ended:
    """Run a command to its good end, and tell the largest of it and the children it waited for.

    A small process stands between: the kernel counts what a process was forked from as its own.
    """
    program = subprocess.run(
        [sys.executable, "-I", "-S", "-c", _ALONE, *argv], capture_output=True, text=True, check=True
    )
    took, kib = program.stderr.split()
    return Ended(float(took), int(kib) / 1024, program.stdout)
