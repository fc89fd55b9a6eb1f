"""Finds the files that ship with the program (`config/`, `prompts/`, `docker/`), and digests the program itself."""

import hashlib
from functools import cache
from pathlib import Path

__all__ = ["program_digest", "shipped", "shipped_module"]

_PACKAGE = Path(__file__).resolve().parent


def shipped(*parts: str) -> Path:
    """Path of a shipped file or directory, e.g. `shipped("config", "default.toml")`.

    Raises:
        FileNotFoundError: the installation is incomplete.
    """
    for root in (_PACKAGE / "shipped", _PACKAGE.parent):
        path = root.joinpath(*parts)
        if path.exists():
            return path
    raise FileNotFoundError(f"{'/'.join(parts)} is missing from the installation; reinstall reproducegym")


def shipped_module(name: str) -> bytes:
    """The source of one of the program's own modules, e.g. `verifier/score.py`."""
    return (_PACKAGE / name).read_bytes()


@cache
def program_digest() -> str:
    """sha256 over the program's own code: what one state of it has found, another may not."""
    whole = hashlib.sha256()
    for path in sorted(_PACKAGE.rglob("*.py")):
        code = path.read_bytes()
        whole.update(f"{path.relative_to(_PACKAGE).as_posix()} {len(code)}\n".encode())
        whole.update(code)
    return whole.hexdigest()
