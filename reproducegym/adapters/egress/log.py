"""One line for each request through the door, whole at every moment, and the counts of a run."""

import json
import time
from collections import Counter
from pathlib import Path

from reproducegym.adapters.egress.allowance import Place
from reproducegym.schema.run import EgressUsage

__all__ = ["FILE", "Log"]

FILE = "egress.jsonl"
_LINES = 10_000
"""More are counted and not written: whoever asks in a loop fills no disk."""


class Log:
    """Appends to `egress.jsonl` of a trace.

    Events are `opened`, `closed` (with bytes and seconds), `refused` and `failed`, these with a reason.
    """

    def __init__(self, trace: Path) -> None:
        self._file = (trace / FILE).open("ab", buffering=0)
        self._lines = 0
        self._counts: Counter[str] = Counter()

    def write(self, event: str, method: str, place: Place | None, **told: str | int | float) -> None:
        """Count an event, and write it down."""
        self._counts[event] += 1
        for way in ("sent", "received"):
            self._counts[way] += int(told.get(way, 0))
        self._lines += 1
        if self._lines <= _LINES:
            head = {"at": round(time.time(), 3), "event": event, "method": method}
            where = {} if place is None else {"host": place.host, "port": place.port}
            self._file.write(json.dumps({**head, **where, **told}).encode() + b"\n")

    def usage(self) -> EgressUsage:
        """The counts so far."""
        return EgressUsage(
            opened=self._counts["opened"],
            refused=self._counts["refused"],
            failed=self._counts["failed"],
            sent_bytes=self._counts["sent"],
            received_bytes=self._counts["received"],
        )

    def close(self) -> None:
        """Write no more."""
        self._file.close()
