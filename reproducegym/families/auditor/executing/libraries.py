"""Which installed packages a project's run sees, and nothing else of this machine's Python: mounts and versions."""

import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import Distribution, distributions
from pathlib import Path

from reproducegym.errors import MisuseError

__all__ = ["INTERPRETER", "PACKAGES", "Libraries", "libraries"]

INTERPRETER = f"python{sys.version_info.major}.{sys.version_info.minor}"
"""What runs projects inside: packages with compiled parts need the version that they were installed for."""

PACKAGES = "/packages"
"""Where packages are mounted."""

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_EXTRA = re.compile(r";.*\bextra\s*==")


@dataclass(frozen=True)
class Libraries:
    """Read-only mounts (path inside → path here) and the version of each distribution named, by name."""

    mounts: Mapping[str, Path] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)


@cache
def libraries(required: tuple[str, ...], places: tuple[Path, ...] | None = None) -> Libraries:
    """The named distributions and all installed ones that they need.

    `places` are directories of packages, searched in order; None searches those of the running Python. A package is
    mounted by itself: beside it may lie what a run must not see, such as this program with its hidden checks.

    Raises:
        MisuseError: a required distribution is not installed there; the message says what to install.
    """
    installed = _installed(places)
    waiting = [_plain(name) for name in required]
    found: dict[str, Distribution] = {}
    missing = [name for name in waiting if name not in installed]
    if missing:
        line = (
            f"{', '.join(missing)} not installed; the projects that need it cannot run: pip install {' '.join(missing)}"
        )
        raise MisuseError(line)
    while waiting:
        name = waiting.pop()
        if name in found or name not in installed:
            continue
        found[name] = installed[name]
        waiting += [_plain(line) for line in found[name].requires or () if not _EXTRA.search(line)]
    mounts = {f"{PACKAGES}/{top}": path for one in found.values() for top, path in _tops(one)}
    return Libraries(dict(sorted(mounts.items())), {name: one.version for name, one in sorted(found.items())})


def _installed(places: Sequence[Path] | None) -> dict[str, Distribution]:
    found: dict[str, Distribution] = {}
    for one in distributions() if places is None else distributions(path=[str(place) for place in places]):
        found.setdefault(_plain(one.name), one)  # the first one is what an import finds
    return found


def _plain(requirement: str) -> str:
    """A distribution's name as indexes write it, from a line that may hold versions and markers too."""
    match = _NAME.match(requirement.strip())
    return re.sub(r"[-_.]+", "-", match.group().rstrip("-_.")).lower() if match else ""


def _tops(one: Distribution) -> list[tuple[str, Path]]:
    """The directories and files that a distribution has put beside others."""
    tops = {file.parts[0] for file in one.files or () if file.parts[0] not in ("..", "__pycache__")}
    places = [(top, Path(str(one.locate_file(top)))) for top in sorted(tops) if not top.endswith(".pth")]
    return [(top, path) for top, path in places if path.exists()]
