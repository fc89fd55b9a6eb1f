"""What a dashboard may audit: directories below the roots that its operator gave, and repositories on GitHub."""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ml_audit.dashboard.faults import MisuseError
from ml_audit.github import GitHubRepository
from ml_audit.local import LocalDirectory
from ml_audit.report import Report
from ml_audit.repository import Source

__all__ = ["Grounds", "Place", "labelled"]

LONGEST_NAME = 500
_LOCAL = "local"
_REMOTE = "github"


@dataclass(frozen=True, slots=True)
class Place:
    """A repository that may be audited, and how to name it in the history once it is read."""

    source: Source
    key: Callable[[Report], str]


@dataclass(frozen=True, slots=True)
class Grounds:
    """Roots by their labels (resolved directories), and what makes a source of a name on GitHub."""

    roots: Mapping[str, Path]
    remote: Callable[[str], GitHubRepository | None]

    def place(self, named: str) -> Place:
        """The repository of a name: `local/LABEL/PATH`, an absolute path, OWNER/NAME[@REF] or a web address.

        Raises:
            MisuseError: it names nothing that may be audited; whether it exists is not told.
            SourceError: a web address or a ref that names no repository.
        """
        text = named.strip()
        if not text or len(text) > LONGEST_NAME or not text.isprintable():
            raise MisuseError(
                "name one repository: OWNER/NAME[@REF], a web address, or a directory that this dashboard reads"
            )
        if text == _LOCAL or text.startswith((f"{_LOCAL}/", "/", ".", "~")):
            return self._local(text)
        steps = text.split("/", 2)
        kept = len(steps) == 3 and steps[0] == _REMOTE and "@" not in steps[1]  # as the history has it
        if not kept and steps[0] in self.roots:
            raise MisuseError(
                f"{text}: write {_LOCAL}/{text} for a directory here, or {_REMOTE}/{text} for one on GitHub"
            )
        source = self.remote("/".join(steps[1:]) if kept else text)
        if source is None:
            raise MisuseError(f"{text}: no repository; write OWNER/NAME[@REF], a web address{self._roots()}")
        ref = source.address.ref
        return Place(source, lambda report: f"{_REMOTE}/{report.repository}" + (f"@{ref}" if ref else ""))

    def suggestions(self, most: int = 100) -> list[str]:
        """Names of directories directly below the roots."""
        found = []
        for label, root in self.roots.items():
            found.append(f"{_LOCAL}/{label}")
            try:
                names = sorted(e.name for e in os.scandir(root) if e.is_dir(follow_symlinks=False))
            except OSError:
                continue
            found += [f"{_LOCAL}/{label}/{name}" for name in names if not name.startswith(".") and name.isprintable()]
        return found[:most]

    def _local(self, text: str) -> Place:
        label, _, below = text.removeprefix(f"{_LOCAL}/").partition("/")
        asked = Path(text) if text.startswith("/") else self.roots[label] / below if label in self.roots else None
        resolved = Path(os.path.realpath(asked)) if asked else None
        if resolved is not None and resolved.is_dir():
            inside = [
                (name, resolved.relative_to(root)) for name, root in self.roots.items() if resolved.is_relative_to(root)
            ]
            named = [_key(name, below) for name, below in inside if not any(p.startswith(".") for p in below.parts)]
            if named and named[0].isprintable():
                return Place(LocalDirectory(resolved), lambda _: named[0])
        raise MisuseError(f"{text}: no directory that this dashboard reads{self._roots()}")

    def _roots(self) -> str:
        told = " or ".join(f"{_LOCAL}/{label}/DIRECTORY" for label in self.roots)
        return f"; write {told}" if told else "; it was started without --root"


def _key(label: str, below: Path) -> str:
    return "/".join((_LOCAL, label, *below.parts))


def labelled(roots: Sequence[Path]) -> dict[str, Path]:
    """The roots by the names of their directories.

    Raises:
        MisuseError: one is no directory, or two have one name.
    """
    told: dict[str, Path] = {}
    for root in roots:
        resolved = Path(os.path.realpath(root))
        if not resolved.is_dir():
            raise MisuseError(f"--root {root}: no such directory")
        label = resolved.name or "files"
        if told.setdefault(label, resolved) != resolved:
            raise MisuseError(f"--root {root}: {told[label]} is also called {label}; give a directory above both")
    return told
