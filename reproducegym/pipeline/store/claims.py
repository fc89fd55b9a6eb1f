"""`01-extract/` and `02-spec/`: the working papers of extraction, and the hidden specs."""

from pathlib import Path
from typing import TypeVar

from reproducegym.errors import SchemaError, TamperedError
from reproducegym.pipeline.directories import names
from reproducegym.pipeline.files import remove_file, write_file
from reproducegym.pipeline.hashing import sealed_spec
from reproducegym.pipeline.store.folder import REFRESH, PaperFolder
from reproducegym.schema.base import Frozen
from reproducegym.schema.reading import read_yaml, to_yaml
from reproducegym.schema.spec import ClaimSpec

__all__ = ["ClaimFiles"]

M = TypeVar("M", bound=Frozen)


class ClaimFiles(PaperFolder):
    """What was claimed, on what evidence, and what became of it."""

    def write_extract(self, name: str, value: Frozen) -> None:
        """Keep one working paper of the extraction, e.g. `claim_evidence/<uid>.json`."""
        write_file(self._inside("01-extract", *name.split("/")), value.to_json().encode())

    def read_extract(self, model: type[M], name: str) -> M:
        """One working paper of the extraction.

        Raises:
            NotFoundError: it is not there.
            SchemaError: it does not fit.
        """
        return self._json(model, f"01-extract/{name}", REFRESH)

    def prune_extract(self, folder: str, keep: frozenset[str]) -> None:
        """Remove working papers of claims that are no longer proposed."""
        directory = self._inside("01-extract", folder)
        for name in names(directory):
            if name not in keep:
                remove_file(directory / name)

    def remove_extract(self, name: str) -> None:
        """Remove a working paper that this build does not write, if an earlier one did."""
        remove_file(self._inside("01-extract", name))

    @property
    def replies_directory(self) -> Path:
        """Where replies of models are kept: `01-extract/model_replies`, with hidden numbers in them."""
        return self.root / "01-extract" / "model_replies"

    def write_spec(self, spec: ClaimSpec) -> None:
        """Keep a claim spec under its claim id and hash."""
        write_file(self._inside("02-spec", f"{spec.claim_id}.{spec.spec_hash}.yaml"), to_yaml(spec))

    def read_spec(self, claim_id: str, spec_hash: str) -> ClaimSpec:
        """One claim spec.

        Raises:
            NotFoundError: there is none of this name.
            SchemaError: it does not fit, or names another claim or hash inside.
            TamperedError: its content does not give its hash.
        """
        path = self._inside("02-spec", f"{claim_id}.{spec_hash}.yaml")
        spec = read_yaml(ClaimSpec, self._bytes(f"02-spec/{path.name}"), str(path), advice=REFRESH)
        if (spec.claim_id, spec.spec_hash) != (claim_id, spec_hash):
            raise SchemaError(f"{path}: $.spec_hash: names {spec.claim_id}.{spec.spec_hash} inside; {REFRESH}")
        if sealed_spec(spec).spec_hash != spec_hash:
            raise TamperedError(f"{path} was changed: its content does not give the hash in its name; {REFRESH}")
        return spec
