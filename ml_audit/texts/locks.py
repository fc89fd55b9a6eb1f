"""Lock files of packages: which there are, and whether they lock what the project declares."""

import json
import re
from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath

from ml_audit.texts.dependencies import Environment

__all__ = ["lock_files"]

_TOML = re.compile(r"""^name\s*=\s*["']([\w.-]+)["']""", re.MULTILINE)
_YAML = re.compile(r"""^\s*(?:-\s+)?name:\s*["']?([\w.-]+)|^\s*-\s+(?:conda|pypi):\s*\S+/([\w.-]+?)-\d""", re.MULTILINE)
_KINDS: Mapping[str, str] = {
    "poetry.lock": "pyproject.toml",
    "uv.lock": "pyproject.toml",
    "pdm.lock": "pyproject.toml",
    "pylock.toml": "pyproject.toml",
    "pipfile.lock": "pipfile",
    "conda-lock.yml": "environment.yml",
    "conda-lock.yaml": "environment.yml",
    "pixi.lock": "",
}
"""Names of lock files, and the file beside each whose dependencies it locks."""


def lock_files(files: Mapping[str, bytes], sizes: Mapping[str, int], environments: Iterable[Environment]) -> list[str]:
    """Paths of lock files of packages; `dvc.lock` locks data and is none.

    One that names no package, or fewer than half of those that the file beside it declares, locks nothing that
    anybody installs. What was too large to be read is believed.
    """
    declared = {one.path.lower(): one for one in environments}
    return sorted(path for path in sizes if _is_lock(path) and _locks(path, files.get(path), declared))


def _is_lock(path: str) -> bool:
    return PurePosixPath(path).name.lower() in _KINDS or path.lower().endswith(".conda-lock.yml")


def _locks(path: str, content: bytes | None, declared: Mapping[str, Environment]) -> bool:
    if content is None:
        return True
    place = PurePosixPath(path.lower())
    names = _names(place.name, content.decode("utf-8", errors="replace"))
    of = declared.get(str(place.with_name(_KINDS.get(place.name) or place.name)))
    wanted = set() if of is None else {_plain(one.name) for one in of.declared}
    return bool(names) and 2 * len(wanted & names) >= len(wanted)


def _names(kind: str, text: str) -> set[str]:
    if kind == "pipfile.lock":
        try:
            told = json.loads(text)
        except (ValueError, RecursionError):
            return set()
        groups = [told.get(name) for name in ("default", "develop")] if isinstance(told, dict) else []
        return {_plain(name) for group in groups if isinstance(group, dict) for name in group}
    found = (_YAML if kind.endswith((".yml", ".yaml")) or kind == "pixi.lock" else _TOML).findall(text)
    return {_plain("".join(one)) for one in found}


def _plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
