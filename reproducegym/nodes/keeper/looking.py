"""Looks at the node: what it has, what is free, who holds what."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import time
from pathlib import Path

from reproducegym.nodes.keeper.ground import Asked, Places, tell
from reproducegym.nodes.keeper.leases import leases
from reproducegym.nodes.keeper.runs import runs_of

__all__ = ["probe"]

_MIB = 2**20


def probe(asked: Asked) -> None:
    """What there is, and last the time, so that it is as fresh as can be when it arrives."""
    places = Places(str(asked["workdir"]))
    place = _nearest(places.root)
    disk = os.statvfs(place)
    memory, free = _memory()
    gpus = _gpus(str(asked["prelude"]), str(asked["gpu_probe"]), float(str(asked["timeout_s"])))
    held = [
        {"gpu": one.gpu, "run": one.run, "quiet_s": round(min(one.quiet_s, 1e9), 1), "expired": one.expired}
        for one in leases(places)
    ]
    tell(
        hostname=platform.node(),
        python=platform.python_version(),
        cpus=len(os.sched_getaffinity(0)),
        load=os.getloadavg()[0],
        memory_mib=memory,
        memory_free_mib=free,
        disk_mib=disk.f_blocks * disk.f_frsize // _MIB,
        disk_free_mib=disk.f_bavail * disk.f_frsize // _MIB,
        writable=place.is_dir() and os.access(place, os.W_OK | os.X_OK),
        place=str(place),
        bubblewrap=shutil.which("bwrap") is not None,
        gpus=gpus,
        leases=held,
        runs=[one.name for one in runs_of(places)],
        time=time.time(),
    )


def _nearest(path: Path) -> Path:
    """The path, or what of it is there."""
    while not path.exists():
        path = path.parent
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
