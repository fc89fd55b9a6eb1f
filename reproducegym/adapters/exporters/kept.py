"""Which tasks an export carries, and what evidence level each of them keeps there: said, never lowered in silence."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from reproducegym.errors import AmbiguousError, MisuseError, NotFoundError, StorageError
from reproducegym.pipeline.directories import read_tree
from reproducegym.pipeline.judging.verify import Order
from reproducegym.pipeline.run import read_order
from reproducegym.pipeline.store import PaperStore
from reproducegym.ports import Files
from reproducegym.schema.run import EvidenceLevel
from reproducegym.schema.task import ManifestTask

__all__ = [
    "Built",
    "Carried",
    "Exported",
    "LeftOut",
    "carried",
    "in_quarantine",
    "kept_by_host",
    "reference_solution",
    "refuse_foreign",
]


@dataclass(frozen=True)
class Carried:
    """One exported task: the level that its contract asks for, the one that the export keeps, and why."""

    task_id: str
    asked: EvidenceLevel
    kept: EvidenceLevel
    why: str


def kept_by_host(entry: ManifestTask, who: str) -> Carried:
    """A task whose reward our verifier makes on the host, asked by `who`: it keeps the level of its contract."""
    reruns = "runs the submission again in sandboxes of its own"
    does = "reads what the submission holds, as the contract asks" if entry.evidence_level == "artifact" else reruns
    return Carried(entry.task_id, entry.evidence_level, entry.evidence_level, f"{who}, which {does}")


@dataclass(frozen=True)
class LeftOut:
    """A task that is not exported; `why` goes on where "it" began."""

    task_id: str
    why: str


@dataclass(frozen=True)
class Exported:
    """What was written, and what was not."""

    tasks: tuple[Carried, ...]
    left_out: tuple[LeftOut, ...]


@dataclass(frozen=True)
class Built:
    """A built task as exports read it: checked, with all files of its directory."""

    order: Order
    files: Files


def carried(stores: Iterable[PaperStore], system: str) -> tuple[tuple[Built, ...], tuple[LeftOut, ...]]:
    """Every task of the papers' manifests that a system without assets and GPUs can carry, and those left out.

    Tasks in quarantine are left out as they are by `load_manifest` and the reward service.

    Raises:
        NotFoundError: nothing is left.
        AmbiguousError: two tasks have the same id.
        TamperedError: a task differs from its digest in the manifest.
    """
    built: dict[str, Built] = {}
    left_out: list[LeftOut] = []
    for store in stores:
        kept_out = in_quarantine(store)
        for entry in store.manifest().tasks:
            if why := kept_out.get((entry.claim_id, entry.spec_hash)) or _cannot(entry, system):
                left_out.append(LeftOut(entry.task_id, why))
                continue
            if entry.task_id in built:
                raise AmbiguousError(f"two tasks are called {entry.task_id}; export one paper at a time with --paper")
            order = read_order(store, entry.claim_id, entry.spec_hash)
            built[entry.task_id] = Built(order, store.read_task(entry.claim_id, entry.spec_hash))
    if not built:
        told = "; ".join(f"{one.task_id} {one.why}" for one in left_out) or "there is none"
        raise NotFoundError(f"no task to carry to {system} ({told})")
    return tuple(built[name] for name in sorted(built)), tuple(left_out)


def in_quarantine(store: PaperStore) -> dict[tuple[str, str], str]:
    """Why versions of a paper's tasks, by claim and hash, are kept out of training."""
    return {(one.claim_id, one.spec_hash): f"is in quarantine: {one.reason}" for one in store.quarantine().tasks}


def _cannot(entry: ManifestTask, system: str) -> str:
    if entry.assets:
        return f"needs assets ({', '.join(asset.name for asset in entry.assets)}), which {system} cannot carry"
    return f"needs a GPU, which {system} cannot carry" if entry.requires_gpu else ""


def refuse_foreign(out: Path, ours: Mapping[str, object]) -> None:
    """Nothing, where a dataset of these tasks may be written: the directory is new, empty, or an earlier export.

    Raises:
        MisuseError: something else stands there, or it is inside a paper's directory.
        StorageError: it is a file.
    """
    if out.name in ("", ".."):
        raise MisuseError(f"{out} cannot be replaced as a whole; name a new directory")
    if (out.resolve().parent / "00-parse").exists():
        raise MisuseError(f"{out} stands inside a paper's directory; choose another")
    if out.exists() and not out.is_dir():
        raise StorageError(f"{out} is a file; choose another --out")
    foreign = sorted({child.name for child in out.iterdir()} - set(ours)) if out.is_dir() else []
    if foreign:
        raise MisuseError(f"{out} holds {foreign[0]!r}, which is no task of this export; choose an empty --out")


def reference_solution(directory: Path) -> Files:
    """The files of a directory whose `solve.sh` leaves a reference solution in the current directory.

    Raises:
        MisuseError: there is no solve.sh.
        StorageError: they cannot be read.
    """
    files = read_tree(directory) if directory.is_dir() else {}
    if "solve.sh" not in files:
        raise MisuseError(f"{directory} has no solve.sh; name a directory with a reference solution")
    return {name: data for name, data in files.items() if "__pycache__" not in name}
