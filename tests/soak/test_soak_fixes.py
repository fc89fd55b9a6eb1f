"""Fixes by execution at length: the oracle and a cheat on every project, hostile programs in both sandboxes."""

import os
import site
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from reproducegym.adapters.executors.local import LocalExecutor
from reproducegym.errors import MisuseError
from reproducegym.families.auditor.executing.circumstances import FIRST
from reproducegym.families.auditor.executing.court import Court
from reproducegym.families.auditor.executing.effects import allows
from reproducegym.families.auditor.executing.grading import grade
from reproducegym.families.auditor.executing.patches import Fix
from reproducegym.families.auditor.executing.references import References
from reproducegym.families.auditor.executing.running import run_once
from reproducegym.planting.edit import Edit, lines_of
from reproducegym.planting.operator import Planted
from reproducegym.planting.plant import Damaged, plant
from reproducegym.planting.project import BaseProject, base_projects
from reproducegym.ports import Sandbox
from reproducegym.sandbox.docker import DockerSandbox
from reproducegym.sandbox.namespaces import NamespacesSandbox

pytestmark = pytest.mark.soak

SEEDS = range(2)
RUN = "soak-fixes"
BOMBS = {
    "forks": "import os\nwhile True:\n    try: os.fork()\n    except OSError: pass\n",
    "orphans": "import os\n[os.setsid() for _ in range(20) if not os.fork()]\nwhile True: pass\n",
    "memory": "x = []\nwhile True: x.append(bytearray(1 << 24))\n",
    "files": "n = 0\nwhile True: open(f'f{n}', 'w').close(); n += 1\n",
    "one file": "f = open('big', 'wb')\nwhile True: f.write(bytes(1 << 20))\n",
    "output": "while True: print('x' * 4000)\n",
    "sleep": "import time\ntime.sleep(1000)\n",
    "watcher": "import os\nfor n in range(1, os.getpid()):\n    try: os.kill(n, 9)\n    except OSError: pass\n",
    "state": "import os\n[os.write(n, b'x' * 400000) for n in range(3, 9) if os.path.exists(f'/proc/self/fd/{n}')]\n",
}


@pytest.fixture(scope="module")
def court() -> Court:
    """Namespaces, with the packages of another environment where one is named."""
    named = os.environ.get("REPRODUCEGYM_PACKAGES")
    packages = (Path(named), *map(Path, site.getsitepackages())) if named else None
    return Court(NamespacesSandbox(), "", LocalExecutor(2), packages=packages, run_id=RUN)


def test_what_undoes_defects_earns_all_on_every_project(court: Court, record_property: Callable[[str, object], None]):
    graded, slowest = Counter[str](), 0.0
    for damaged, references in _episodes(court):
        fixes = [Fix(planted=n, edits=one.fix) for n, one in enumerate(damaged.planted)]
        began = time.monotonic()
        grades = grade(court, references, damaged, fixes)
        slowest = max(slowest, time.monotonic() - began)
        assert [one.reason for one in grades.fixes] == ["earned"] * len(fixes), (damaged.project.name, grades)
        assert grades.trials == 1
        graded[damaged.project.library] += len(fixes)
    for library, count in graded.items():
        record_property(f"{library}_fixes", count)
    record_property("slowest_s", round(slowest, 1))


def test_no_defect_is_mended_by_a_comment(court: Court, record_property: Callable[[str, object], None]):
    tried, kept = 0, Counter[str]()
    for damaged, references in _episodes(court):
        fixes = [Fix(planted=n, edits=_commented(damaged, one)) for n, one in enumerate(damaged.planted)]
        grades = grade(court, references, damaged, fixes)
        assert not any(one.earned for one in grades.fixes), (damaged.project.name, grades)
        tried += len(fixes)
        kept.update(one.reason for one in grades.fixes)
    record_property("fixes", tried)
    for reason, count in sorted(kept.items()):
        record_property(reason, count)


@pytest.mark.parametrize("engine", ["namespaces", pytest.param("docker", marks=pytest.mark.docker)])
def test_hostile_programs_end_as_their_own_failure(
    engine: str, court: Court, request: pytest.FixtureRequest, record_property: Callable[[str, object], None]
):
    sandbox: Sandbox = NamespacesSandbox()
    image = ""
    if engine == "docker":
        sandbox, image = DockerSandbox(), request.getfixturevalue("docker_image")
    small = replace(court, sandbox=sandbox, image=image, longest_s=6.0, memory_mib=256, workspace_mib=16, file_mib=8)
    for name, program in BOMBS.items():
        project = base_projects(library="numpy")[0]
        bomb = project.model_copy(update={"files": {"bomb.py": program}, "entry": ("python", "bomb.py")})
        left = run_once(small, bomb, bomb.files, FIRST)
        assert left.ran.outcome not in ("ok", "infra"), (name, left.ran)
        record_property(name.replace(" ", "_"), left.ran.outcome)
    assert not [one for one in sandbox.standing() if one.run_id == RUN]


def _episodes(court: Court) -> "list[tuple[Damaged, References]]":
    """Each project twice with up to four defects whose effect was measured; one set of references for each project."""
    found: list[tuple[Damaged, References]] = []
    for project in base_projects():
        if not _runs(court, project):
            continue
        references = References()
        drawn = [plant(project, seed, 4, clean_share=0.0, allows=allows) for seed in SEEDS]
        found += [(one, references) for one in drawn if one.planted]
    assert found
    return found


def _runs(court: Court, project: BaseProject) -> bool:
    try:
        court.libraries(project)
    except MisuseError:
        return False
    return True


def _commented(damaged: Damaged, planted: Planted) -> tuple[Edit, ...]:
    """The damaged lines with a comment that says they are right."""
    first = planted.fix[0]
    lines = lines_of(damaged.files.get(first.file, ""))[first.first_line - 1 : first.last_line]
    return (first.model_copy(update={"text": "".join(lines) + "# seeded, sorted, pinned, deterministic\n"}),)
