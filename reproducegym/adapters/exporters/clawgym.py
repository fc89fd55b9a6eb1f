"""Exports built tasks as a flat dataset that ClawGym's loader reads: one directory a task and nothing beside them."""

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from reproducegym.errors import AmbiguousError, MisuseError, NotFoundError, StorageError
from reproducegym.pipeline.files import write_file, write_tree
from reproducegym.pipeline.seal import check_digest
from reproducegym.pipeline.store import PaperStore
from reproducegym.ports import Files
from reproducegym.schema.task import Manifest

__all__ = ["Exported", "export_clawgym"]


class Exported(NamedTuple):
    """Ids of the tasks that were written, and of those that were left out because they need assets."""

    tasks: tuple[str, ...]
    left_out: tuple[str, ...]


def export_clawgym(stores: Iterable[PaperStore], out: Path) -> Exported:
    """Write the tasks of the papers' manifests to `out/<task_id>/`, and the manifests one level up.

    A dataset of this format has no place for data sets and models, so tasks that need any are left out.

    Files are real copies. One paper's manifest is `task_manifest.json`; of several papers each is
    `task_manifest.<paper_id>.json`. Their `task_dir` is the one in the dataset. Exporting again over an earlier export
    of the same tasks replaces it; anything else in `out` is refused, and nothing is touched.

    Raises:
        NotFoundError: every task needs assets.
        TamperedError: a task differs from its digest in the manifest.
        AmbiguousError: two tasks have the same id.
        MisuseError: `out` holds something that is no task of this export, or stands inside a paper's directory.
        StorageError: something cannot be written.
    """
    tasks: dict[str, Files] = {}
    left_out: list[str] = []
    manifests: list[Manifest] = []
    for store in stores:
        manifest = store.manifest()
        left_out += [entry.task_id for entry in manifest.tasks if entry.assets]
        given = tuple(entry for entry in manifest.tasks if not entry.assets)
        for entry in given:
            if entry.task_id in tasks:
                raise AmbiguousError(f"two tasks are called {entry.task_id}; export one paper at a time with --paper")
            files = store.read_task(entry.claim_id, entry.spec_hash)
            check_digest(files, entry.task_digest, entry.task_id)
            tasks[entry.task_id] = files
        moved = tuple(entry.model_copy(update={"task_dir": f"{out.name}/{entry.task_id}"}) for entry in given)
        manifests.append(manifest.model_copy(update={"tasks": moved, "earlier": ()}))
    if left_out and not tasks:
        raise NotFoundError(f"every task needs assets ({', '.join(left_out)}), which a ClawGym dataset cannot carry")
    _refuse_foreign(out, frozenset(tasks))
    for name in sorted(tasks):
        write_tree(out / name, tasks[name])
    for manifest in manifests:
        middle = "" if len(manifests) == 1 else f".{manifest.paper.paper_id}"
        write_file(out.resolve().parent / f"task_manifest{middle}.json", manifest.to_json().encode())
    return Exported(tuple(tasks), tuple(left_out))


def _refuse_foreign(out: Path, ours: frozenset[str]) -> None:
    """The loader takes every child for a task, so nothing else may stand there."""
    if (out.resolve().parent / "00-parse").exists():
        raise MisuseError(f"{out} stands inside a paper's directory, whose manifest it would replace; choose another")
    if out.exists() and not out.is_dir():
        raise StorageError(f"{out} is a file; choose another --out")
    foreign = sorted({child.name for child in out.iterdir()} - ours) if out.is_dir() else []
    if foreign:
        raise MisuseError(f"{out} holds {foreign[0]!r}, which is no task of this export; choose an empty --out")
