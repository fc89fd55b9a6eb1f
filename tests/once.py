"""What many tests only read is made once in a session of pytest, by whichever worker asks first."""

import fcntl
import os
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

__all__ = ["once", "shared_directory"]


def shared_directory(factory: pytest.TempPathFactory) -> Path:
    """A directory of this session that all its workers see."""
    own = factory.getbasetemp()
    place = (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "shared"
    place.mkdir(exist_ok=True)
    return place


def once(directory: Path, name: str, make: Callable[[Path], object]) -> Path:
    """What `make` leaves in the directory that it is given; every other caller waits for it and gets the same."""
    place = directory / name
    with (directory / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not place.exists():
            made = Path(tempfile.mkdtemp(dir=directory))
            make(made)
            made.rename(place)
    return place
