"""The files of one paper, by meaning: the only module that knows where anything stands.

A name that a caller gives never leaves the paper's directory. What is read back is checked against its published
schema. Writers own a lock; what a killed writer left is removed by the next one.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from reproducegym.errors import AmbiguousError, NotFoundError, SchemaError, TamperedError
from reproducegym.pipeline.files import (
    append_line,
    check_writable,
    is_file,
    locked,
    names,
    read_file,
    read_tree,
    remove_file,
    remove_tree,
    sweep,
    write_file,
    write_tree,
)
from reproducegym.pipeline.hashing import sealed_spec
from reproducegym.pipeline.paper_id import check_paper_id, is_paper_id
from reproducegym.pipeline.parse_files import AGAIN, RECORD, RecordOf, paper_of, parse_files
from reproducegym.ports import Files, ReadPaper
from reproducegym.schema.base import Frozen
from reproducegym.schema.evidence import FigureIndex
from reproducegym.schema.paper import ParseRecord
from reproducegym.schema.reading import read_json, read_yaml, to_yaml
from reproducegym.schema.run import Result
from reproducegym.schema.spec import ClaimSpec
from reproducegym.schema.task import BuildValidation, Manifest
from reproducegym.schema.usage import UsageSummary

__all__ = ["REFRESH", "PaperStore", "open_paper", "open_task", "papers"]

M = TypeVar("M", bound=Frozen)
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,199}")
REFRESH = "build again with --refresh"
"""What mends a broken product of the build."""


def papers(out: Path) -> tuple[str, ...]:
    """Ids of all parsed papers below a directory."""
    return tuple(name for name in names(out) if is_file(out / name / "00-parse" / RECORD))


def open_paper(path: Path) -> "PaperStore":
    """The store of a parsed paper at `runs/<paper_id>`.

    Raises:
        NotFoundError: no parsed paper stands there; the message lists those beside it.
    """
    resolved = path.resolve()
    if not is_paper_id(resolved.name) or not is_file(resolved / "00-parse" / RECORD):
        inside = papers(resolved)
        if inside:
            raise NotFoundError(f"{path} holds papers and is none itself; name one of: {', '.join(inside)}")
        known = ", ".join(papers(resolved.parent)) or "none"
        raise NotFoundError(f"{path} is not a parsed paper (known there: {known}); run parse_paper.py first")
    return PaperStore(resolved.parent, resolved.name)


def open_task(directory: Path) -> "tuple[PaperStore, str, str]":
    """Store, claim id and spec hash of a task directory `runs/<paper>/03-task/<claim_id>/<spec_hash>`.

    Raises:
        NotFoundError: it is not the task directory of a parsed paper.
    """
    resolved = directory.resolve()
    if not is_file(resolved / "data_entry.json") or len(resolved.parts) < 5 or resolved.parts[-3] != "03-task":
        raise NotFoundError(f"{directory} is not a task directory (runs/<paper>/03-task/<claim_id>/<spec_hash>)")
    return open_paper(resolved.parents[2]), resolved.parts[-2], resolved.parts[-1]


class PaperStore:
    """Everything kept about one paper, below `<out>/<paper_id>`."""

    def __init__(self, out: Path, paper_id: str) -> None:
        """Name a store; nothing is touched yet.

        Raises:
            MisuseError: the id cannot name a directory.
        """
        self.paper_id = check_paper_id(paper_id)
        self.out = out
        self.root = out / paper_id

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Own parse and build of this paper, with leftovers of killed runs removed.

        Raises:
            BusyError: another process owns it.
        """
        with locked(self._lock("build"), f"paper {self.paper_id}", wait=False):
            for directory in (self.root, *self._unit_directories()):
                sweep(directory)
            yield

    # 00-parse

    def write_parse(self, record_of: RecordOf, paper: ReadPaper, paper_md: str, index: FigureIndex) -> None:
        """Keep a parsed paper as one unit, with the digests of its files in the record.

        Raises:
            StorageError: it cannot be written.
        """
        write_tree(self.root / "00-parse", parse_files(record_of, paper, paper_md, index))

    def has_parse(self) -> bool:
        """Whether a whole parse stands here."""
        return (self.root / "00-parse" / RECORD).is_file()

    def parse_record(self) -> ParseRecord:
        """What was parsed, with what.

        Raises:
            NotFoundError: the paper is unknown.
            SchemaError: the file does not fit, or is of another paper.
        """
        record = self._json(ParseRecord, f"00-parse/{RECORD}", AGAIN)
        if record.paper_id != self.paper_id:
            path = self.root / "00-parse" / RECORD
            raise SchemaError(f"{path}: $.paper_id: {record.paper_id!r} is not {self.paper_id!r}; {AGAIN}")
        return record

    def read_paper(self) -> ReadPaper:
        """The parsed paper as later stages want it: document, witness words, images.

        Raises:
            NotFoundError: the paper is unknown.
            TamperedError, SchemaError: a file is not the one that was parsed, or does not fit.
        """
        directory = self.root / "00-parse"
        return paper_of(self.parse_record(), read_tree(directory), str(directory))

    def write_overlay(self, images: Files) -> None:
        """Keep the page images on which it is drawn what was read; outside of `00-parse/`, for people alone.

        Raises:
            StorageError: it cannot be written.
        """
        write_tree(self.root / "overlay", images)

    def remove_overlay(self) -> None:
        """Remove the page images of an earlier parse, which say nothing about the next one.

        Raises:
            StorageError: they cannot be removed.
        """
        remove_tree(self.root / "overlay")

    # 01-extract

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

    # 02-spec

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

    # 03-task

    def task_directory(self, claim_id: str, spec_hash: str) -> Path:
        """Where a task stands, or would."""
        return self._inside("03-task", claim_id, spec_hash)

    def task_place(self, claim_id: str, spec_hash: str) -> str:
        """The same, below the paper's directory."""
        return self.task_directory(claim_id, spec_hash).relative_to(self.root).as_posix()

    def write_task(self, claim_id: str, spec_hash: str, files: Files) -> None:
        """Put a rendered task in place as one unit."""
        write_tree(self.task_directory(claim_id, spec_hash), files)

    def has_task(self, claim_id: str, spec_hash: str) -> bool:
        """Whether a whole task stands here."""
        return self.task_directory(claim_id, spec_hash).is_dir()

    def read_task(self, claim_id: str, spec_hash: str) -> dict[str, bytes]:
        """All files of a task as they stand; `seal.check_digest` says whether they are the built ones.

        Raises:
            NotFoundError: there is no such task.
        """
        directory = self.task_directory(claim_id, spec_hash)
        if not directory.is_dir():
            raise NotFoundError(
                f"no task {claim_id} with spec hash {spec_hash} at {directory}; run build_claim_tasks.py"
            )
        return read_tree(directory)

    def claims(self) -> tuple[str, ...]:
        """Claim ids that have a rendered task."""
        return names(self.root / "03-task")

    def versions(self, claim_id: str) -> tuple[str, ...]:
        """Spec hashes of the rendered tasks of a claim."""
        return names(self._inside("03-task", claim_id))

    def find_task(self, claim_id: str, spec_hash: str | None) -> tuple[str, str]:
        """Claim id and spec hash of the one task that is meant.

        Raises:
            NotFoundError: there is none; the message lists what there is.
            AmbiguousError: the claim has several versions and none was named.
            SchemaError: the manifest does not fit.
        """
        found = self._runnable(claim_id)
        if not found:
            raise NotFoundError(
                f"paper {self.paper_id} has no task {claim_id!r}; it has: {', '.join(self.claims()) or 'none'}"
            )
        if spec_hash is None and len(found) > 1:
            raise AmbiguousError(
                f"claim {claim_id} has {len(found)} versions; name one with --spec-hash: {', '.join(found)}"
            )
        wanted = found[0] if spec_hash is None else spec_hash
        if wanted not in found:
            raise NotFoundError(f"claim {claim_id} has no version {wanted!r}; it has: {', '.join(found)}")
        return claim_id, wanted

    # 04-run

    def attempts(self, claim_id: str, spec_hash: str) -> tuple[int, ...]:
        """Numbers of the whole attempts at a task, in order."""
        found = names(self._inside("04-run", claim_id, spec_hash))
        return tuple(sorted(int(name) for name in found if name.isdigit()))

    def check_attempts_writable(self, claim_id: str, spec_hash: str) -> None:
        """Nothing, when an attempt could be kept; a StorageError names what cannot be written."""
        check_writable(self._inside("04-run", claim_id, spec_hash))
        check_writable(self._lock("attempts").parent)

    def add_attempt(self, claim_id: str, spec_hash: str, files: Callable[[int], Files]) -> int:
        """Keep a finished attempt as one unit under the next number; `files` gets the number.

        Raises:
            StorageError: it cannot be written; then no attempt is there.
        """
        directory = self._inside("04-run", claim_id, spec_hash)
        with locked(self._lock("attempts"), f"attempts of {self.paper_id}", wait=True):
            sweep(directory)
            taken = self.attempts(claim_id, spec_hash)
            number = taken[-1] + 1 if taken else 1
            write_tree(directory / f"{number:03d}", files(number))
        return number

    def attempt_directory(self, claim_id: str, spec_hash: str, number: int) -> Path:
        """Where an attempt stands.

        Raises:
            NotFoundError: there is no such attempt.
        """
        directory = self._inside("04-run", claim_id, spec_hash, f"{number:03d}")
        if not directory.is_dir():
            there = ", ".join(str(one) for one in self.attempts(claim_id, spec_hash)) or "none"
            raise NotFoundError(f"no attempt {number} at {claim_id} {spec_hash}; there are: {there}")
        return directory

    def read_attempt(self, claim_id: str, spec_hash: str, number: int) -> dict[str, bytes]:
        """All files of an attempt.

        Raises:
            NotFoundError: there is no such attempt.
        """
        return read_tree(self.attempt_directory(claim_id, spec_hash, number))

    def read_result(self, claim_id: str, spec_hash: str, number: int) -> Result:
        """The result of an attempt.

        Raises:
            NotFoundError: there is no such attempt.
            SchemaError: it does not fit.
        """
        path = self.attempt_directory(claim_id, spec_hash, number) / "result.json"
        return read_json(Result, self._bytes(path.relative_to(self.root).as_posix()), str(path))

    def update_attempt(self, claim_id: str, spec_hash: str, number: int, files: Files) -> None:
        """Replace single files of an attempt, each whole (a regrade)."""
        directory = self.attempt_directory(claim_id, spec_hash, number)
        for name, data in files.items():
            write_file(directory / name, data)

    # the paper's own files

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

    def write_claims_page(self, text: str) -> None:
        """Keep CLAIMS.md, the page for people."""
        write_file(self.root / "CLAIMS.md", text.encode())

    def add_timing(self, entry: Mapping[str, str | int | float | None]) -> None:
        """Add one entry to timings.jsonl, which is outside every identity."""
        append_line(self.root / "timings.jsonl", json.dumps(entry, sort_keys=True))

    @property
    def replies_directory(self) -> Path:
        """Where replies of models are kept: `01-extract/model_replies`, with hidden numbers in them."""
        return self.root / "01-extract" / "model_replies"

    def write_usage(self, summary: UsageSummary) -> None:
        """Keep what the models cost, outside of every identity.

        Raises:
            StorageError: it cannot be written.
        """
        write_file(self.root / "token_usage.summary.json", summary.to_json().encode())

    # inside

    def _inside(self, *parts: str) -> Path:
        for part in parts:
            if _NAME.fullmatch(part) is None:
                raise NotFoundError(f"{part!r} cannot name anything of paper {self.paper_id}")
        return self.root.joinpath(*parts)

    def _runnable(self, claim_id: str) -> tuple[str, ...]:
        """Versions of a claim that stand here and that the manifest, if there is one, lists."""
        found = self.versions(claim_id)
        if not found or not self.has_manifest():
            return found
        manifest = self.manifest()
        listed = {(one.claim_id, one.spec_hash) for one in (*manifest.tasks, *manifest.earlier)}
        return tuple(one for one in found if (claim_id, one) in listed)

    def _misplaced(self, manifest: Manifest) -> str | None:
        """What the manifest names that is not of this paper or not where it stands."""
        if manifest.paper.paper_id != self.paper_id:
            return f"$.paper.paper_id: {manifest.paper.paper_id!r} is not {self.paper_id!r}"
        for task in (*manifest.tasks, *manifest.earlier):
            if task.task_dir != self.task_place(task.claim_id, task.spec_hash):
                return f"task_dir {task.task_dir!r} is not that of {task.claim_id} {task.spec_hash}"
        return None

    def _lock(self, what: str) -> Path:
        return self.out / ".locks" / f"{self.paper_id}.{what}"

    def _unit_directories(self) -> Iterator[Path]:
        extract = self.root / "01-extract"
        yield from (extract, extract / "claim_evidence", extract / "target_points", self.root / "02-spec")
        yield from (self.root / "03-task" / claim for claim in self.claims())

    def _bytes(self, name: str) -> bytes:
        data = read_file(self.root / name)
        if data is None:
            raise NotFoundError(
                f"{self.root / name} is not there; run the earlier stages of paper {self.paper_id} again"
            )
        return data

    def _json(self, model: type[M], name: str, advice: str) -> M:
        return read_json(model, self._bytes(name), str(self.root / name), advice=advice)
