"""What of a runs directory goes to a warehouse and comes back: built papers, whole attempts, batches."""

from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from reproducegym.adapters.artifacts.warehouse import Warehouse
from reproducegym.errors import TamperedError
from reproducegym.pipeline.directories import read_tree, write_tree
from reproducegym.pipeline.files import write_file
from reproducegym.pipeline.paper_id import check_paper_id
from reproducegym.pipeline.store import PaperStore
from reproducegym.ports import Files
from reproducegym.schema.artifact import ArtifactUnit
from reproducegym.schema.base import digest

__all__ = ["Moved", "papers_of", "pull_batches", "pull_paper", "push_attempt", "push_batches", "push_paper"]

_ATTEMPTS, _BUILD = "04-run", "build"
_BATCHES = ".batches"
_IDENTITY = ("origin.json", "verification/draw.json")
"""What makes an attempt this one; the rest may be told anew by a regrade."""
_LOGS = frozenset({"timings.jsonl"})
"""Told anew by every command: no part of what was built."""


@dataclass(frozen=True)
class Moved:
    """Units that went over, units that stood there already, bytes that were sent or got."""

    moved: int = 0
    standing: int = 0
    size: int = 0

    def __add__(self, other: "Moved") -> "Moved":
        return Moved(self.moved + other.moved, self.standing + other.standing, self.size + other.size)


def papers_of(warehouse: Warehouse) -> tuple[str, ...]:
    """Papers of which a warehouse holds a build."""
    parts = (PurePosixPath(name).parts for name in warehouse.names())
    return tuple(dict.fromkeys(part[0] for part in parts if part[1:] == (_BUILD,)))


def push_paper(store: PaperStore, warehouse: Warehouse) -> Moved:
    """Send the build of a paper, then every whole attempt.

    Raises:
        TamperedError: another attempt stands there under the number of one of ours.
    """
    files = {name: data for name, data in read_tree(store.root, without=_ATTEMPTS).items() if name not in _LOGS}
    done = _put(warehouse, f"{store.paper_id}/{_BUILD}", files)
    for directory in store.attempt_directories():
        done += push_attempt(store, directory, warehouse)
    return done


def push_attempt(store: PaperStore, directory: Path, warehouse: Warehouse) -> Moved:
    """Send one attempt; one that was regraded takes the place of what was sent before.

    Raises:
        TamperedError: another attempt stands there under its number.
    """
    name, files = _below(store, directory), read_tree(directory)
    there = warehouse.unit(name)
    if there is not None and any(_differ(there, files, file) for file in _IDENTITY):
        raise TamperedError(f"{warehouse.url} has another attempt as {name}; push to another place")
    return _put(warehouse, name, files)


def push_batches(runs: Path, warehouse: Warehouse) -> Moved:
    """Send what was ordered, so that it can be finished elsewhere."""
    done = Moved()
    for name, data in read_tree(runs / _BATCHES).items():
        done += _put(warehouse, f"{_BATCHES}/{name.removesuffix('.json')}", {name: data})
    return done


def pull_paper(paper_id: str, runs: Path, warehouse: Warehouse) -> Moved:
    """Get the build of a paper and its attempts; nothing that stands here is changed.

    Raises:
        TamperedError: a damaged unit, or what stands here is another build or attempt.
    """
    store = PaperStore(runs, check_paper_id(paper_id))
    here = {name: data for name, data in read_tree(store.root, without=_ATTEMPTS).items() if name not in _LOGS}
    done = Moved()
    with store.writing():
        for name in sorted(warehouse.names(paper_id), key=lambda name: name != f"{paper_id}/{_BUILD}"):
            unit = PurePosixPath(name)
            if unit.name == _BUILD:
                done += _get(warehouse, name, store.root, here)
            else:
                done += _get(warehouse, name, runs.joinpath(*unit.parts), read_tree(runs.joinpath(*unit.parts)))
    store.attempt_lines()
    return done


def pull_batches(runs: Path, warehouse: Warehouse) -> Moved:
    """Get the batches that were ordered; one that stands here is left as it is."""
    done = Moved()
    for name in warehouse.names(_BATCHES):
        ((file, data),) = warehouse.get(name).items()
        if (runs / _BATCHES / file).exists():
            done += Moved(standing=1)
        else:
            write_file(runs / _BATCHES / file, data)
            done += Moved(1, 0, len(data))
    return done


def _put(warehouse: Warehouse, name: str, files: Files) -> Moved:
    sent = warehouse.put(name, files)
    return Moved(1, 0, sent) if sent else Moved(standing=1)


def _get(warehouse: Warehouse, name: str, directory: Path, here: Files) -> Moved:
    if not here:
        files = warehouse.get(name)
        write_tree(directory, files)
        return Moved(1, 0, sum(map(len, files.values())))
    unit = warehouse.unit(name)
    other = [file for file in unit.files if _differ(unit, here, file)] if unit is not None else []
    if other:
        raise TamperedError(f"{directory} is not what {warehouse.url} has: {other[0]} differs; pull to another --runs")
    return Moved(standing=1)


def _differ(unit: ArtifactUnit, files: Files, name: str) -> bool:
    there, here = unit.files.get(name), files.get(name)
    return (there is None) != (here is None) or (
        there is not None and here is not None and there.sha256 != digest(here)
    )


def _below(store: PaperStore, directory: Path) -> str:
    """The name of an attempt's unit: its path below the runs directory."""
    return directory.resolve().relative_to(store.out.resolve()).as_posix()
