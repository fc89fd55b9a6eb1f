"""Opens runs, hears that they go on, and removes them with all that is theirs."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from reproducegym.nodes.keeper.ground import Asked, Places, RefusedError, named, quiet_s, stamp, tell, write_whole
from reproducegym.nodes.keeper.jobs import jobs_of, stop_all
from reproducegym.nodes.keeper.leases import give_up, held_by

__all__ = ["beat", "listing", "open_run", "remove", "runs_of"]


def open_run(asked: Asked) -> None:
    """Make the directory of a run; asked again by the same owner, nothing changes."""
    places = Places(str(asked["workdir"]))
    places.make()
    run = places.runs / named(asked, "run")
    owner = {"owner": asked["owner"], "pid_namespace": asked["pid_namespace"]}
    made = places.runs / f".new-{run.name}-{os.getpid()}"
    for place in (made, made / "work", made / "jobs"):
        place.mkdir(mode=0o700)
    write_whole(made / "owner.json", owner)
    for name in ("beat", "jobs.beat"):
        stamp(made / name)
    try:
        os.rename(made, run)  # noqa: PTH104 - Path.rename says nothing of a directory that stands there
    except OSError:
        shutil.rmtree(made, ignore_errors=True)
        if not run.is_dir() or json.loads((run / "owner.json").read_text("utf-8")) != owner:
            raise
    tell(work=str(run / "work"), place=str(run))


def beat(asked: Asked) -> None:
    """The driver is still there."""
    places = Places(str(asked["workdir"]))
    run = places.run(asked)
    stamp(run / "beat")
    tell(gpus=held_by(places, run.name))


def runs_of(places: Places) -> Iterator[Path]:
    """The directories of all runs."""
    if places.runs.is_dir():
        yield from (place for place in sorted(places.runs.iterdir()) if not place.name.startswith("."))


def listing(asked: Asked) -> None:
    """Every run: who drives it, since when that driver is quiet, and how many jobs it has."""
    places = Places(str(asked["workdir"]))
    tell(runs=[_told(place) for place in runs_of(places)])


def _told(place: Path) -> dict[str, object]:
    try:
        owner = json.loads((place / "owner.json").read_text("utf-8"))
    except (OSError, ValueError):
        owner = {"owner": "", "pid_namespace": ""}
    quiet = min(quiet_s(place / "beat"), 1e9)
    return {"run": place.name, **owner, "quiet_s": round(quiet, 1), "jobs": len(jobs_of(place))}


def remove(asked: Asked) -> None:
    """End the jobs of a run, let go of its GPUs, and remove its directory."""
    places = Places(str(asked["workdir"]))
    name = named(asked, "run")
    run = places.runs / name
    jobs = stop_all(run)
    with places.locked():
        give_up(places, name)
    there = run.is_dir()
    if there:
        shutil.rmtree(run, onerror=_open_up)
        if run.exists():
            raise RefusedError(f"the directory {run} could not be removed")
    tell(removed=there, jobs=jobs)


def _open_up(_function: object, path: str, _error: object) -> None:
    """A directory that its owner may not enter is opened and removed; what still stays is told by `remove`."""
    above = os.path.dirname(path)  # noqa: PTH120 - as it was given
    for place in (above, path):
        if not os.path.islink(place) and os.path.isdir(place):  # noqa: PTH112, PTH114
            os.chmod(place, 0o700)  # noqa: PTH101
    if os.path.isdir(path) and not os.path.islink(path):  # noqa: PTH112, PTH114
        shutil.rmtree(path, ignore_errors=True)
    elif os.path.lexists(path):
        os.unlink(path)  # noqa: PTH108
