"""Exports built tasks as a flat dataset that ClawGym's loader reads: one directory a task and nothing beside them."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from reproducegym.adapters.exporters.kept import LeftOut, in_quarantine, refuse_foreign
from reproducegym.errors import AmbiguousError, NotFoundError
from reproducegym.pipeline.directories import write_tree
from reproducegym.pipeline.files import write_file
from reproducegym.pipeline.seal import check_digest
from reproducegym.pipeline.store import PaperStore
from reproducegym.ports import Files
from reproducegym.schema.run import EvidenceLevel
from reproducegym.schema.task import Manifest

__all__ = ["LEVEL", "Exported", "export_clawgym"]

LEVEL: Final[EvidenceLevel] = "artifact"
"""What every reward of such a dataset rests on: a script reads what the agent left beside it."""


class Exported(NamedTuple):
    """Ids of the tasks that were written, and of those that were left out because they need assets.

    `asked` is the level that each written task asks for elsewhere; `quarantined` are those kept out of training.
    """

    tasks: tuple[str, ...]
    left_out: tuple[str, ...]
    asked: Mapping[str, EvidenceLevel]
    quarantined: tuple[LeftOut, ...]


def export_clawgym(stores: Iterable[PaperStore], out: Path) -> Exported:
    """Write the tasks of the papers' manifests to `out/<task_id>/`, all or none, and the manifests one level up.

    A dataset of this format has no place for data sets and models, so tasks that need any are left out; so are those
    in quarantine. The manifests name the level that is kept here, `artifact`, whatever the contracts ask for.

    Files are real copies. One paper's manifest is `task_manifest.json`; of several papers each is
    `task_manifest.<paper_id>.json`. Their `task_dir` is the one in the dataset. Exporting again over an earlier export
    of the same tasks replaces it; anything else in `out` is refused, and nothing is touched.

    Raises:
        NotFoundError: every task needs assets or is in quarantine.
        TamperedError: a task differs from its digest in the manifest.
        AmbiguousError: two tasks have the same id.
        MisuseError: `out` holds something that is no task of this export, or stands inside a paper's directory.
        StorageError: something cannot be written.
    """
    tasks: dict[str, Files] = {}
    left_out: list[str] = []
    manifests: list[Manifest] = []
    asked: dict[str, EvidenceLevel] = {}
    quarantined: list[LeftOut] = []
    for store in stores:
        manifest, kept_out = store.manifest(), in_quarantine(store)
        why = {entry.task_id: kept_out.get((entry.claim_id, entry.spec_hash)) for entry in manifest.tasks}
        quarantined += [LeftOut(name, reason) for name, reason in why.items() if reason]
        fit = [entry for entry in manifest.tasks if not why[entry.task_id]]
        left_out += [entry.task_id for entry in fit if entry.assets]
        given = tuple(entry for entry in fit if not entry.assets)
        for entry in given:
            if entry.task_id in tasks:
                raise AmbiguousError(f"two tasks are called {entry.task_id}; export one paper at a time with --paper")
            files = store.read_task(entry.claim_id, entry.spec_hash)
            check_digest(files, entry.task_digest, entry.task_id)
            tasks[entry.task_id], asked[entry.task_id] = files, entry.evidence_level
        moved = tuple(
            entry.model_copy(update={"task_dir": f"{out.name}/{entry.task_id}", "evidence_level": LEVEL})
            for entry in given
        )
        manifests.append(manifest.model_copy(update={"tasks": moved, "earlier": ()}))
    if quarantined and not tasks:
        raise NotFoundError("; ".join(f"{one.task_id} {one.why}" for one in quarantined))
    if left_out and not tasks:
        raise NotFoundError(f"every task needs assets ({', '.join(left_out)}), which a ClawGym dataset cannot carry")
    refuse_foreign(out, tasks)
    write_tree(out, {f"{task}/{name}": data for task, files in tasks.items() for name, data in files.items()})
    for manifest in manifests:
        middle = "" if len(manifests) == 1 else f".{manifest.paper.paper_id}"
        write_file(out.resolve().parent / f"task_manifest{middle}.json", manifest.to_json().encode())
    return Exported(tuple(tasks), tuple(left_out), asked, tuple(quarantined))
