"""Reads tasks from wherever they stand: manifests of one or many papers, or files of rows."""

import json
from collections.abc import Mapping
from pathlib import Path

from pydantic import JsonValue, ValidationError

from reproducegym.dataset.listing import listed
from reproducegym.dataset.rows import needs_pyarrow, read_rows, uncollected
from reproducegym.dataset.taskset import TaskSet
from reproducegym.dataset.versions import upgraded
from reproducegym.errors import NotFoundError, SchemaError
from reproducegym.pipeline.directories import names
from reproducegym.pipeline.files import is_file, opened, read_file
from reproducegym.pipeline.parse_files import RECORD
from reproducegym.pipeline.store import REFRESH, PaperStore, papers
from reproducegym.schema.listed import ListedTask
from reproducegym.schema.reading import read_json
from reproducegym.schema.task import Manifest

__all__ = ["DATA", "load_manifest"]

DATA = "data"
"""The directory of a written data set that holds its files of rows."""
_MANIFEST = "task_manifest.json"
_FORMS = (".jsonl", ".parquet")


def load_manifest(
    path: Path | str, *, runs: Path | str | None = None, prompts: bool = True, quarantined: bool = False
) -> TaskSet:
    """The tasks at a path, without reading their directories.

    The path is the directory of a paper, one that holds many of these, a `task_manifest.json`, a JSONL or Parquet file,
    or a data set that `reproducegym dataset write` wrote. `runs` names the directory of papers where a file stands
    alone. Prompts are there where a file holds them (`prompts=False` drops them); `TaskSet.with_prompts()` reads the
    others. Tasks in quarantine are left out and stand in `TaskSet.quarantined`; `quarantined=True` keeps them in.

    Raises:
        NotFoundError: nothing of the kind stands there.
        SchemaError: it does not fit, or was written by a newer version.
        MisuseError: Parquet is to be read, and the extra `datasets` is not installed.
    """
    found, root = _found(Path(path), prompts=prompts)
    _check_once(found, str(path))
    kept = found if quarantined else [task for task in found if task.quarantine is None]
    left_out = () if quarantined else tuple(task for task in found if task.quarantine is not None)
    return TaskSet(tuple(kept), left_out, root if runs is None else Path(runs))


def _found(path: Path, *, prompts: bool) -> tuple[list[ListedTask], Path | None]:
    """The tasks, and the directory of papers where that is known."""
    if path.suffix in _FORMS and is_file(path):
        return _rows(path, prompts=prompts), None
    if is_file(path):
        return _of_paper(path, path.resolve().parent), _runs_of(path.resolve().parent)
    if is_file(path / _MANIFEST):
        return _of_paper(path / _MANIFEST, path.resolve()), _runs_of(path.resolve())
    written = [path / DATA / name for name in names(path / DATA) if Path(name).suffix in _FORMS]
    if written:
        return [task for file in written for task in _rows(file, prompts=prompts)], None
    built = [path / name for name in papers(path) if is_file(path / name / _MANIFEST)]
    if not built:
        raise NotFoundError(
            f"no tasks at {path}: name a built paper, a directory of such, a {_MANIFEST}, or a .jsonl or .parquet file"
        )
    with uncollected():
        return [task for paper in built for task in _of_paper(paper / _MANIFEST, paper)], path


def _runs_of(paper: Path) -> Path | None:
    """The directory of papers around one; None where the manifest was taken out of its place."""
    return paper.parent if is_file(paper / "00-parse" / RECORD) else None


def _rows(path: Path, *, prompts: bool) -> list[ListedTask]:
    if path.suffix == ".parquet":
        needs_pyarrow("to read Parquet")
        from reproducegym.dataset.parquet import read_parquet

        return read_parquet(path, prompts=prompts)
    with opened(path) as stream:
        return read_rows(stream, str(path), prompts=prompts)


def _of_paper(file: Path, paper: Path) -> list[ListedTask]:
    data = read_file(file)
    if data is None:
        raise NotFoundError(f"{file} is gone")
    manifest = _manifest(data, str(file))
    if _runs_of(paper) is None:
        return listed(manifest, {})
    if manifest.paper.paper_id != paper.name:
        raise SchemaError(f"{file} is of paper {manifest.paper.paper_id}, and its directory is {paper.name}; {REFRESH}")
    kept_out = PaperStore(paper.parent, paper.name).quarantine().tasks
    return listed(manifest, {(one.claim_id, one.spec_hash): one.reason for one in kept_out})


def _manifest(data: bytes, file: str) -> Manifest:
    """A manifest of this version, or of an older one brought to it; told by its schema where it is neither."""
    try:
        return Manifest.from_json(data)
    except ValidationError:
        pass  # older, newer or broken: found out below
    try:
        raw: JsonValue = json.loads(data)
    except ValueError:
        raw = None  # read_json says where it breaks
    if isinstance(raw, Mapping):
        data = json.dumps(upgraded(raw), ensure_ascii=False).encode()
    return read_json(Manifest, data, file, advice=REFRESH)


def _check_once(tasks: list[ListedTask], where: str) -> None:
    seen: set[str] = set()
    for task in tasks:
        if task.task_id in seen:
            raise SchemaError(f"{where}: {task.task_id} is listed twice; keep one version of each task")
        seen.add(task.task_id)
