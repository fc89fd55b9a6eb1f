"""What is audited: the files of one repository as bytes, wherever they came from."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import ClassVar, Protocol

__all__ = ["Coverage", "Repository", "Role", "Source", "SourceError", "is_auxiliary", "is_test", "readable"]

READ_SUFFIXES = frozenset(
    {".py", ".ipynb", ".sh", ".bash", ".slurm", ".sbatch", ".md", ".rst", ".txt", ".toml", ".cfg", ".ini", ".yaml"}
    | {".yml", ".json", ".lock", ".dvc", ".dockerfile", ".in", ".pyw", ".gin", ".qmd"}
)
"""Files whose bytes rules read; of all others only name and size matter."""

READ_NAMES = frozenset({"dockerfile", "makefile", "pipfile", "license", "licence", "copying", "readme", "procfile"})
SKIPPED = frozenset(
    {".git", ".hg", ".svn", "__pycache__", ".ipynb_checkpoints", "node_modules", ".venv", "venv", ".tox", ".eggs"}
    | {".mypy_cache", ".ruff_cache", ".pytest_cache", ".nox", "site-packages", "wandb", ".idea", ".vscode"}
)
"""Directories that hold no source: of a version control system, of caches, of builds."""

_AUXILIARY = frozenset(
    {"deprecated", "archive", "archived", "old", "legacy", "third_party", "thirdparty", "third-party", "vendor"}
    | {"vendored", "external", "externals", "extern", "submodules", "docs", "doc", ".github"}
)
_TESTS = frozenset({"test", "tests", "testing", "unit_tests", "unittests"})

Role = str


class SourceError(Exception):
    """A repository that cannot be read: the message says what, where and what to do."""

    exit_code: ClassVar[int] = 3


@dataclass(frozen=True, slots=True)
class Coverage:
    """How much of the repository was read: files seen, files of a kind that is read, and those read."""

    seen: int
    relevant: int
    read: int
    sampled: bool = False


@dataclass(frozen=True, slots=True)
class Repository:
    """One state of a repository.

    `files` maps a relative path with `/` to its bytes, for files that rules read; `listed` maps every path, read or
    not, to its size in bytes. `commit` is the state that was fetched, `url` where people see it; `notes` say what is
    missing or not as it seems.
    """

    name: str
    files: Mapping[str, bytes]
    listed: Mapping[str, int] = field(default_factory=dict)
    coverage: Coverage | None = None
    commit: str | None = None
    notes: tuple[str, ...] = ()
    url: str | None = None

    def sizes(self) -> Mapping[str, int]:
        """Size of every file, in bytes."""
        return self.listed or {path: len(content) for path, content in self.files.items()}


class Source(Protocol):
    """Where repositories come from: a directory, an archive, a hosting service."""

    def read(self) -> Repository:
        """Fetch the repository.

        Raises:
            SourceError: it is not there or cannot be read.
        """
        ...


def readable(path: str) -> bool:
    """Whether a file's bytes matter to any rule, by its name alone."""
    name = PurePosixPath(path).name.lower()
    stem = name.split(".")[0]
    return (
        PurePosixPath(name).suffix in READ_SUFFIXES or stem in READ_NAMES or name in {".gitlab-ci.yml", ".gitmodules"}
    )


def is_test(path: str) -> bool:
    """Whether a file is a test by where it lies and how pytest names it: `*_test.py` alone proves nothing."""
    parts = PurePosixPath(path.lower()).parts
    return bool(_TESTS & set(parts[:-1])) or parts[-1].startswith("test_") or parts[-1] == "conftest.py"


def is_auxiliary(path: str) -> bool:
    """Whether a file is put aside: deprecated, somebody else's, or documentation."""
    return bool(_AUXILIARY & set(PurePosixPath(path.lower()).parts[:-1]))
