"""Finds the files that ship with the program: `config/`, `prompts/`, `docker/`, in a checkout or an installed wheel."""

from pathlib import Path

__all__ = ["shipped"]

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
