"""Fixes: grading all that undoes an episode's defects, against one bare run of the clean project without a sandbox."""

import os
import site
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path

from benchmarks.timing import Row, paired
from reproducegym.adapters.executors.local import LocalExecutor
from reproducegym.errors import MisuseError
from reproducegym.families.auditor.executing.court import Court
from reproducegym.families.auditor.executing.effects import allows
from reproducegym.families.auditor.executing.grading import grade
from reproducegym.families.auditor.executing.patches import Fix
from reproducegym.families.auditor.executing.references import References
from reproducegym.planting.plant import Damaged, plant
from reproducegym.planting.project import BaseProject, Library, base_projects
from reproducegym.sandbox.docker import DockerSandbox
from reproducegym.sandbox.namespaces import NamespacesSandbox

__all__ = ["rows"]

_TIMES = 5
_IMAGE = "reproducegym/base"
_BARS: tuple[tuple[Library, int], ...] = (("numpy", 3), ("sklearn", 10), ("torch", 20))


def rows() -> list[Row]:
    """One row for each library that is installed, and each sandbox that works here.

    REPRODUCEGYM_PACKAGES names the packages of another environment, for torch.
    """
    named = os.environ.get("REPRODUCEGYM_PACKAGES")
    packages = (Path(named), *map(Path, site.getsitepackages())) if named else None
    found = []
    for sandbox in (NamespacesSandbox(), DockerSandbox()):
        if not sandbox.availability().works:
            continue
        court = Court(sandbox, _IMAGE, LocalExecutor(2), packages=packages)
        for library, bar in _BARS:
            damaged = _episode(library)
            if damaged is None or not _installed(court, damaged.project):
                continue
            graded = partial(_graded, court, References(), damaged)
            ours, bare, ratio = paired(graded, partial(_bare, damaged.project, packages), _TIMES)
            told = f"{library}, bar {bar} s" if sandbox.name == "namespaces" else library  # the default is fast
            what = f"{sandbox.name}: grade {len(damaged.planted)} fixes of {damaged.project.name} ({told})"
            found.append(Row(f"{what}, against one bare run", f"{ours:.1f} s", f"{bare:.2f} s", f"{ratio:.1f}"))
    return found


def _episode(library: Library) -> Damaged | None:
    """The first project of a library in which three defects were measured."""
    drawn = (plant(project, 1, 3, clean_share=0.0, allows=allows) for project in base_projects(library=library))
    return next((one for one in drawn if len(one.planted) == 3), None)


def _installed(court: Court, project: BaseProject) -> bool:
    try:
        court.libraries(project)
    except MisuseError:
        return False
    return True


def _graded(court: Court, references: References, damaged: Damaged) -> None:
    fixes = [Fix(planted=number, edits=one.fix) for number, one in enumerate(damaged.planted)]
    grades = grade(court, references, damaged, fixes)
    assert all(one.earned for one in grades.fixes), grades


def _bare(project: BaseProject, packages: tuple[Path, ...] | None) -> None:
    with tempfile.TemporaryDirectory() as made:
        for name, text in project.files.items():
            path = Path(made, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
        environment = {"PATH": os.environ["PATH"], "PYTHONPATH": ":".join(map(str, packages or ()))}
        line = [sys.executable, *project.entry[1:]]
        subprocess.run(line, cwd=made, env=environment, check=True, capture_output=True)
