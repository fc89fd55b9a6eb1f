"""Lets one process at a time work on something."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from reproducegym.errors import BusyError
from reproducegym.pipeline.files import storage

__all__ = ["locked"]


@contextmanager
def locked(path: Path, what: str, *, wait: bool) -> Iterator[None]:
    """Own a lock file; the kernel frees it however the owner ends.

    Raises:
        BusyError: somebody else owns it and `wait` is false.
        StorageError: the lock file cannot be made.
    """
    with storage("lock", path):
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise BusyError(f"another process is working on {what}; wait for it to end and run again") from error
        yield
    finally:
        fcntl.flock(descriptor, fcntl.LOCK_UN)  # a child that was forked meanwhile holds it too, until it ends
        os.close(descriptor)
