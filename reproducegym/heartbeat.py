"""A file whose time says that its owner lives, for machines that share the file and cannot ask the owner."""

import contextlib
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

__all__ = ["beating", "silent_s"]


@contextmanager
def beating(path: Path, every_s: float) -> Iterator[None]:
    """Touch a file every so many seconds while the context is open; it is never made where it is gone."""
    over = threading.Event()

    def beat() -> None:
        while not over.wait(every_s):
            with contextlib.suppress(OSError):  # gone, or away for a while: the next beat tells it again
                os.utime(path)

    thread = threading.Thread(target=beat, name="heartbeat", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def silent_s(path: Path, clock: Path, now: datetime) -> float:
    """Seconds since a file was touched last, by the clock of its file system; none where the file is gone.

    `clock` is a file on the same file system, touched to ask for its time. Where that cannot be done, `now` counts.
    """
    try:
        last = path.stat().st_mtime
    except OSError:
        return 0.0
    try:
        os.utime(clock)
        return clock.stat().st_mtime - last
    except OSError:
        return now.timestamp() - last
