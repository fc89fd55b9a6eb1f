"""Runs on a node by the node's own Python alone: looks at it, keeps runs, their jobs and leases of GPUs.

It comes down the connection with every call, so nothing has to be installed there and no old version stays behind. The
first line of what follows it is one JSON object, the question; it answers with JSON objects, one a line. Python 3.8.
"""

from __future__ import annotations

import json
import os
import platform
import shutil
import subprocess
import sys
import time
from pathlib import Path

__all__ = ["probe"]

_MIB = 2**20


def _tell(**answer: object) -> None:
    sys.stdout.write(json.dumps(answer) + "\n")
    sys.stdout.flush()


def _nearest(path: str) -> str:
    """The path, or what of it is there."""
    while not Path(path).exists():
        path = os.path.dirname(path)  # noqa: PTH120 - the parent of / is /
    return path


def _memory() -> tuple[int, int]:
    """All memory and what of it is free, in MiB."""
    lines = Path("/proc/meminfo").read_text("ascii").splitlines()
    sizes = {line.split(":")[0]: int(line.split()[1]) // 1024 for line in lines if line.endswith("kB")}
    return sizes["MemTotal"], sizes["MemAvailable"]


def _gpus(prelude: str, command: str, timeout_s: float) -> dict[str, object]:
    line = ["/bin/sh", "-c", f"{prelude}\n{command}"]
    try:
        done = subprocess.run(line, stdin=subprocess.DEVNULL, capture_output=True, timeout=timeout_s, check=False)
    except subprocess.TimeoutExpired:
        return {"code": None, "out": "", "err": ""}
    out, err = done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace")
    return {"code": done.returncode, "out": out[:65536], "err": err[-500:]}


def probe(asked: dict[str, object]) -> None:
    """What there is: time first, so that it is as fresh as can be when it arrives."""
    workdir = str(asked["workdir"])
    place = _nearest(workdir)
    disk = os.statvfs(place)
    memory, free = _memory()
    gpus = _gpus(str(asked["prelude"]), str(asked["gpu_probe"]), float(str(asked["timeout_s"])))
    _tell(
        hostname=platform.node(),
        python=platform.python_version(),
        cpus=len(os.sched_getaffinity(0)),
        load=os.getloadavg()[0],
        memory_mib=memory,
        memory_free_mib=free,
        disk_mib=disk.f_blocks * disk.f_frsize // _MIB,
        disk_free_mib=disk.f_bavail * disk.f_frsize // _MIB,
        writable=Path(place).is_dir() and os.access(place, os.W_OK | os.X_OK),
        place=place,
        bubblewrap=shutil.which("bwrap") is not None,
        gpus=gpus,
        leases=[],
        runs=[],
        time=time.time(),
    )


_COMMANDS = {"probe": probe}

if __name__ == "__main__":
    question = json.loads(sys.stdin.buffer.readline())
    _COMMANDS[question["command"]](question)
