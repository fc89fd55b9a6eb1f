"""Writes a data set as a directory that Hugging Face `datasets` and `load_manifest` both read: rows and their card."""

from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from reproducegym.dataset.card import card
from reproducegym.dataset.reading import DATA
from reproducegym.dataset.taskset import TaskSet
from reproducegym.errors import MisuseError
from reproducegym.pipeline.directories import names, new_directory, publish_tree, remove_empty, remove_tree
from reproducegym.pipeline.files import writing

__all__ = ["Form", "write_dataset"]

Form = Literal["parquet", "jsonl"]


def write_dataset(directory: Path, parts: Mapping[str, TaskSet], form: Form, name: str, version: str) -> None:
    """Write every part that holds a task to `data/`, and README.md; whole or not at all.

    Raises:
        MisuseError: the directory holds something, a part's name cannot be one, no part holds a task, or Parquet is
            wanted and the extra is not installed.
        StorageError: it cannot be written.
    """
    wrong = [part for part in parts if not part.isidentifier() or not part.isascii()]
    if wrong:
        raise MisuseError(f"{wrong[0]!r} cannot name a split; use letters, digits and _")
    if not any(parts.values()):
        raise MisuseError("there is no task to write")
    if directory.exists() and (not directory.is_dir() or names(directory)):
        raise MisuseError(f"{directory} is there already; name a new directory")
    files = {part: f"{DATA}/{part}.{form}" for part, tasks in parts.items() if tasks}
    begun = new_directory(directory.resolve().parent, f".tmp-{directory.name}-", DATA)
    try:
        (begun / DATA).chmod(0o755)
        for part, file in files.items():
            with writing(begun / file):
                (parts[part].to_parquet if form == "parquet" else parts[part].to_jsonl)(begun / file)
        remove_empty(directory)
        publish_tree(begun, directory.resolve(), {"README.md": card(name, parts, files, version).encode()})
    except BaseException:
        remove_tree(begun)
        raise
