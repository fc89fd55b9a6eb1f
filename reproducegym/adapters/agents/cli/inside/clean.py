"""Runs inside a sandbox after the agent: removes its private directory, and a dead token from what it wrote.

It is given to the sandbox's own Python as text: clean.py HOME, with the token in GONE.
"""

import contextlib
import os
import shutil
import sys
from pathlib import Path

__all__ = ()

_LARGEST = 64 * 2**20


def _without(path: Path, token: bytes) -> None:
    with contextlib.suppress(OSError):
        if path.is_symlink() or not path.is_file() or path.stat().st_size > _LARGEST:
            return
        data = path.read_bytes()
        if token in data:
            path.write_bytes(data.replace(token, b"[redacted:run-token]"))


if __name__ == "__main__":
    shutil.rmtree(sys.argv[1], ignore_errors=True)
    for place, _, names in os.walk(Path(sys.argv[1]).parent):
        for name in names:
            _without(Path(place, name), os.environb[b"GONE"])
