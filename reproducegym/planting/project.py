"""Base projects: small clean experiments of our own, which give the same bytes each time that they run."""

import json
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Literal

from reproducegym.schema.base import Frozen

__all__ = ["BaseProject", "Library", "Outputs", "Split", "base_projects"]

Library = Literal["numpy", "sklearn", "torch", "stub"]
Split = Literal["train", "held_out"]

UNREAD = ("__pycache__", ".pytest_cache")
"""Directories that running a project leaves behind."""


class Outputs(Frozen):
    """What a run leaves: the weights (`.npz` or `.json`), and the metrics as a JSON object of numbers."""

    weights: str
    metrics: str


class BaseProject(Frozen):
    """A clean experiment.

    `requires` names the distributions that a run needs. `entry` is its command; `seed_option`, with `{seed}` filled in,
    is put behind it for another seed. `metric` is a key of the metrics file, and a run after a fix may differ from the
    clean one by `tolerance`. A fix may touch files that fit `editable`. `checks` are hidden tests: plain scripts that
    run in the project's directory after a run and end with another exit code than 0 where something is wrong.
    `decoys` say what in it looks wrong and is not.
    """

    name: str
    split: Split
    library: Library
    requires: tuple[str, ...]
    files: Mapping[str, str]
    entry: tuple[str, ...]
    seed_option: tuple[str, ...]
    outputs: Outputs
    metric: str
    tolerance: float
    editable: tuple[str, ...]
    checks: Mapping[str, str]
    decoys: tuple[str, ...] = ()


def base_projects(split: Split | None = None, library: Library | None = None) -> tuple[BaseProject, ...]:
    """All base projects by name, or those of a split or library."""
    return tuple(
        one for one in _all() if (split is None or one.split == split) and (library is None or one.library == library)
    )


@cache
def _all() -> tuple[BaseProject, ...]:
    root = files("reproducegym.planting") / "projects"
    found = [one for one in root.iterdir() if one.is_dir() and (one / "project.toml").is_file()]
    return tuple(_read(one) for one in sorted(found, key=lambda one: one.name))


def _read(root: Traversable) -> BaseProject:
    told = tomllib.loads((root / "project.toml").read_text(encoding="utf-8"))
    texts = {"files": dict(_texts(root / "files")), "checks": dict(_texts(root / "checks"))}
    return BaseProject.from_json(json.dumps({"name": root.name, **told, **texts}))


def _texts(root: Traversable, below: str = "") -> Iterator[tuple[str, str]]:
    for one in sorted(root.iterdir(), key=lambda one: one.name):
        if one.name in UNREAD:
            continue
        if one.is_dir():
            yield from _texts(one, f"{below}{one.name}/")
        else:
            yield below + one.name, one.read_bytes().decode("utf-8")
