"""Who holds which GPU of the node: a directory for each, taken by a rename and given up by the node's own clock."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from reproducegym.nodes.keeper.ground import LEASE_S, Asked, Places, RefusedError, named, quiet_s, tell, write_whole

__all__ = ["Lease", "give_up", "held_by", "lease", "leases"]


@dataclass(frozen=True)
class Lease:
    """A GPU and its run; `quiet_s` since the run's driver or one of its jobs last said that it goes on."""

    gpu: str
    run: str
    quiet_s: float

    @property
    def expired(self) -> bool:
        """Whether another run may take it."""
        return self.quiet_s > LEASE_S


def leases(places: Places) -> Iterator[Lease]:
    """All leases, also those that count no more."""
    for place in sorted(places.leases.glob("*")):
        if place.name.startswith("."):
            continue
        try:
            run = str(json.loads((place / "holder.json").read_text("utf-8"))["run"])
        except (OSError, ValueError, KeyError):
            run = "?"
        at = places.runs / run
        yield Lease(place.name, run, quiet_s(at / "beat", at / "jobs.beat"))


def held_by(places: Places, run: str) -> list[str]:
    """The GPUs of a run, in the order of their names."""
    return [one.gpu for one in leases(places) if one.run == run]


def lease(asked: Asked) -> None:
    """Take `count` of the GPUs in `gpus` for a run, all or none; asked again, the run gets those that it has."""
    places = Places(str(asked["workdir"]))
    run, count = places.run(asked).name, int(str(asked["count"]))
    known = [str(one) for one in asked["gpus"]] if isinstance(asked["gpus"], list) else []
    with places.locked():
        held = {one.gpu: one for one in leases(places)}
        mine = [gpu for gpu in known if gpu in held and held[gpu].run == run]
        free = [gpu for gpu in known if gpu not in held or held[gpu].expired]
        wanted = count - len(mine)
        if wanted > len(free):
            others = [f"{one.gpu} by {one.run}" for one in held.values() if not one.expired and one.run != run]
            raise RefusedError(
                f"{count} GPUs were asked for and {len(free) + len(mine)} of {len(known)} are free"
                + (f"; held: {', '.join(others)}" if others else "")
            )
        for gpu in free[: max(wanted, 0)]:
            _take(places, gpu, run)
    tell(gpus=held_by(places, run))


def give_up(places: Places, run: str) -> None:
    """Let go of everything that a run holds; called under the lock."""
    for gpu in held_by(places, run):
        _drop(places.leases / gpu)


def _take(places: Places, gpu: str, run: str) -> None:
    """Called under the lock; the rename is what takes it, and fails if somebody holds it all the same."""
    named({"gpu": gpu}, "gpu")
    place = places.leases / gpu
    if place.exists():
        _drop(place)
    made = Path(tempfile.mkdtemp(prefix=".new-", dir=places.leases))
    try:
        write_whole(made / "holder.json", {"run": run})
        os.rename(made, place)  # noqa: PTH104 - Path.rename says nothing of a directory that stands there
    except OSError:
        shutil.rmtree(made, ignore_errors=True)
        raise


def _drop(place: Path) -> None:
    """Out of the way in one step, so that nobody sees half a lease."""
    aside = Path(tempfile.mkdtemp(prefix=".old-", dir=place.parent))
    os.rename(place, aside)  # noqa: PTH104 - onto an empty directory
    shutil.rmtree(aside, ignore_errors=True)
