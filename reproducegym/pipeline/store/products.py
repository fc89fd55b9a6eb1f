"""The paper's own files: manifest, validation, CLAIMS.md, timings, usage of models."""

import json
from collections.abc import Mapping

from reproducegym.errors import NotFoundError, SchemaError
from reproducegym.pipeline.directories import read_tree
from reproducegym.pipeline.files import is_file, read_file, remove_file, write_file
from reproducegym.pipeline.lines import append_line
from reproducegym.pipeline.store.folder import REFRESH, PaperFolder
from reproducegym.schema.asset import AssetPlaces
from reproducegym.schema.base import digest
from reproducegym.schema.build_record import BuildRecord
from reproducegym.schema.quarantine import Quarantine
from reproducegym.schema.task import BuildValidation, Manifest
from reproducegym.schema.usage import UsageSummary

__all__ = ["ProductFiles"]

_RECORD = "01-extract/build_record.json"
_REPLIES = "01-extract/model_replies/"
_ASSETS = "assets.json"
_QUARANTINE = "quarantine.json"
_BUILT = ("CLAIMS.md", "build_validation.json", "task_manifest.json")


class ProductFiles(PaperFolder):
    """What a build leaves for trainers and people."""

    def write_manifest(self, manifest: Manifest) -> None:
        """Keep the manifest."""
        write_file(self.root / "task_manifest.json", manifest.to_json().encode())

    def has_manifest(self) -> bool:
        """Whether the paper was built."""
        return (self.root / "task_manifest.json").is_file()

    def manifest(self) -> Manifest:
        """The manifest.

        Raises:
            NotFoundError: the paper was not built.
            SchemaError: it does not fit, is of another paper, names another directory than a task's own, or was
                written by a newer version.
        """
        name = "task_manifest.json"
        if not self.has_manifest():
            raise NotFoundError(f"paper {self.paper_id} has no {name}; run build_claim_tasks.py first")
        manifest = self._json(Manifest, name, REFRESH)
        if (wrong := self._misplaced(manifest)) is not None:
            raise SchemaError(f"{self.root / name}: {wrong}; {REFRESH}")
        return manifest

    def write_validation(self, validation: BuildValidation) -> None:
        """Keep what the tasks proved about themselves."""
        write_file(self.root / "build_validation.json", validation.to_json().encode())

    def validation(self) -> BuildValidation:
        """What the tasks proved about themselves.

        Raises:
            NotFoundError: the paper was not built.
            SchemaError: it does not fit.
        """
        return self._json(BuildValidation, "build_validation.json", REFRESH)

    def write_build_record(self, record: BuildRecord) -> None:
        """Keep what the build was made from and what it left."""
        write_file(self.root / _RECORD, record.to_json().encode())

    def build_record(self) -> BuildRecord | None:
        """What the last whole build was made from and what it left; None where there is none.

        Raises:
            SchemaError: it does not fit.
        """
        return self._json(BuildRecord, _RECORD, REFRESH) if is_file(self.root / _RECORD) else None

    def remove_build_record(self) -> None:
        """Forget the last build, before anything of it changes."""
        remove_file(self.root / _RECORD)

    def built_files(self) -> dict[str, str]:
        """The digest of every file of the stages 01 to 03 and of the build's own files, by path.

        Raises:
            StorageError: something cannot be read.
        """
        found = {name: read_file(self.root / name) for name in _BUILT}
        for directory in ("01-extract", "02-spec", "03-task"):
            tree = read_tree(self.root / directory)
            found |= {f"{directory}/{name}": data for name, data in tree.items()}
        return {
            name: digest(data)
            for name, data in sorted(found.items())
            if data is not None and name != _RECORD and not name.startswith(_REPLIES)
        }

    def write_claims_page(self, text: str) -> None:
        """Keep CLAIMS.md, the page for people."""
        write_file(self.root / "CLAIMS.md", text.encode())

    def add_timing(self, entry: Mapping[str, str | int | float | None]) -> None:
        """Add one entry to timings.jsonl, which is outside every identity."""
        append_line(self.root / "timings.jsonl", json.dumps(entry, sort_keys=True))

    def write_usage(self, summary: UsageSummary) -> None:
        """Keep what the models cost, outside of every identity.

        Raises:
            StorageError: it cannot be written.
        """
        write_file(self.root / "token_usage.summary.json", summary.to_json().encode())

    def write_asset_places(self, places: AssetPlaces) -> None:
        """Keep where the assets of this paper stand on this machine, outside of every identity.

        Raises:
            StorageError: it cannot be written.
        """
        write_file(self.root / _ASSETS, places.to_json().encode())

    def asset_places(self) -> AssetPlaces:
        """Where the assets of this paper stood when it was built here.

        Raises:
            SchemaError: it does not fit.
        """
        if not is_file(self.root / _ASSETS):
            return AssetPlaces(schema_version=1, places={})
        return self._json(AssetPlaces, _ASSETS, REFRESH)

    def write_quarantine(self, quarantine: Quarantine) -> None:
        """Keep which tasks nobody should train on; none, and the file is gone.

        Raises:
            StorageError: it cannot be written.
        """
        if quarantine.tasks:
            write_file(self.root / _QUARANTINE, quarantine.to_json().encode())
        else:
            remove_file(self.root / _QUARANTINE)

    def quarantine(self) -> Quarantine:
        """Which tasks nobody should train on.

        Raises:
            SchemaError: the file does not fit.
        """
        if not is_file(self.root / _QUARANTINE):
            return Quarantine(schema_version=1, tasks=())
        return self._json(Quarantine, _QUARANTINE, "write it again with `reproducegym report --quarantine`")

    def _misplaced(self, manifest: Manifest) -> str | None:
        """What the manifest names that is not of this paper or not where it stands."""
        if manifest.paper.paper_id != self.paper_id:
            return f"$.paper.paper_id: {manifest.paper.paper_id!r} is not {self.paper_id!r}"
        for task in (*manifest.tasks, *manifest.earlier):
            if task.task_dir != self.task_place(task.claim_id, task.spec_hash):
                return f"task_dir {task.task_dir!r} is not that of {task.claim_id} {task.spec_hash}"
        return None
