"""What every part of the keeper stands on: places below the working directory, the node's own clock, one lock."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import re
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

__all__ = [
    "LEASE_S",
    "Asked",
    "Places",
    "RefusedError",
    "boot_id",
    "chunk",
    "named",
    "now",
    "quiet_s",
    "stamp",
    "tell",
    "write_whole",
]

Asked = Mapping[str, object]
LEASE_S = 90.0
"""After so long without a beat, by the node's own clock, a lease counts no more."""

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
_STAMP_BYTES = 64


class RefusedError(Exception):
    """What was asked cannot be done; the message is one line for the host."""


def tell(**answer: object) -> None:
    """One answer."""
    sys.stdout.buffer.write(json.dumps(answer).encode() + b"\n")
    sys.stdout.buffer.flush()


def chunk(data: bytes) -> None:
    """Some bytes between answers: a line says how many follow it."""
    sys.stdout.buffer.write(json.dumps({"bytes": len(data)}).encode() + b"\n" + data)
    sys.stdout.buffer.flush()


def now() -> float:
    """Seconds since the node was started: no correction of its clock moves them."""
    return time.clock_gettime(time.CLOCK_BOOTTIME)


def boot_id() -> str:
    """Tells this start of the node from every other."""
    return Path("/proc/sys/kernel/random/boot_id").read_text("ascii").strip()


def stamp(path: Path) -> None:
    """Note the time in a file, in place: a stamp that is there once needs no room on a full disk."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW
    handle = os.open(path, flags, 0o600)
    try:
        os.pwrite(handle, f"{boot_id()} {now():.3f}".ljust(_STAMP_BYTES).encode(), 0)
    finally:
        os.close(handle)


def quiet_s(*stamps: Path) -> float:
    """Seconds since the latest of some stamps; infinite for none, and for those of an earlier start of the node."""
    latest = float("-inf")
    for path in stamps:
        try:
            boot, _, at = path.read_text("ascii").strip().partition(" ")
        except (OSError, UnicodeDecodeError):
            continue
        if boot == boot_id():
            with contextlib.suppress(ValueError):
                latest = max(latest, float(at))
    return now() - latest


def write_whole(path: Path, value: object) -> None:
    """A small JSON file, whole or not at all."""
    made = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with made.open("w", encoding="utf-8") as file:
            json.dump(value, file)
        made.replace(path)
    except OSError:
        with contextlib.suppress(OSError):
            made.unlink()
        raise


class Places:
    """Where things lie: `runs/<run>/` with `work/` for the agent and `jobs/<job>/`, and `leases/<gpu>/`."""

    def __init__(self, workdir: str) -> None:
        self.root = Path(workdir)
        self.runs = self.root / "runs"
        self.leases = self.root / "leases"

    def make(self) -> None:
        """Make them, for this user alone."""
        for place in (self.root, self.runs, self.leases):
            place.mkdir(mode=0o700, parents=True, exist_ok=True)

    def run(self, asked: Asked) -> Path:
        """The directory of the run that is asked about, which is there.

        Raises:
            RefusedError: there is no such run.
        """
        place = self.runs / named(asked, "run")
        if not place.is_dir():
            raise RefusedError(f"there is no run {place.name}: it was cleaned up, or never opened")
        return place

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """Alone among all keepers of this directory; a keeper that dies lets go."""
        self.make()
        handle = os.open(self.root / ".lock", os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX)
            yield
        finally:
            os.close(handle)


def named(asked: Asked, key: str) -> str:
    """A plain name: never a path."""
    name = str(asked[key])
    if _NAME.fullmatch(name) is None:
        raise RefusedError(f"{key} {name[:100]!r} is no name")
    return name
