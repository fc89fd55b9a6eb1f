"""Dependencies: versions that float, locks that are gone, images that follow a tag."""

import re
from collections.abc import Iterator

from reproducegym.planting.edit import Edit, Texts, lines_of
from reproducegym.planting.operator import Site, operators

__all__ = ["DEPENDENCY_PINNING"]

DEPENDENCY_PINNING = operators("dependency_pinning")

_LOCKS = ("uv.lock", "poetry.lock", "pylock.toml", "pdm.lock", "Pipfile.lock")
_PINNED = re.compile(r"^([A-Za-z0-9][\w.-]*)==(\d[\w.]*)(.*)$", re.DOTALL)


@DEPENDENCY_PINNING(
    "requirement-floats",
    rule="dependency-floats",
    effect="structural",
    implies=("lock-file-missing",),
    summary="a pin of the requirements file is loosened, and no lock file fixes it",
)
def requirement_floats(files: Texts, operator: str) -> Iterator[Site]:
    """A pinned line of a requirements file in a project without another lock file."""
    if any(path in files for path in _LOCKS):
        return
    for path in ("requirements.txt",):
        for number, line in enumerate(lines_of(files.get(path, "")), 1):
            if found := _PINNED.match(line):
                name, version, rest = found.groups()
                for loose in (f"{name}>={version}", name, f"{name}>={version.split('.')[0]}"):
                    edit = Edit(file=path, first_line=number, last_line=number, text=f"{loose}{rest}")
                    yield Site(operator=operator, edits=(edit,), subject="pins")
