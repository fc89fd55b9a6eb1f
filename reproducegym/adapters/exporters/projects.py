"""Exports built tasks as a Python project for a framework whose own code calls our verifier on the host."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from reproducegym import __version__
from reproducegym.adapters.exporters.base_image import pinned
from reproducegym.adapters.exporters.kept import (
    Built,
    Exported,
    carried,
    kept_by_host,
    reference_solution,
    refuse_foreign,
)
from reproducegym.pipeline.directories import write_tree
from reproducegym.pipeline.store import PaperStore
from reproducegym.pipeline.templates import fixed_text
from reproducegym.schema.config import SandboxConfig

__all__ = ["FRAMEWORKS", "Framework", "export_project"]

_PACKAGE = "reproducegym_tasks"
_WHO = "the framework's code calls our verifier on the host"


@dataclass(frozen=True)
class Framework:
    """A framework: its name and distribution, our module for it, what the package exports, and how it is used."""

    name: str
    requirement: str
    template: str
    module: str
    exported: str
    entry_points: str
    usage: str


_VERIFIERS = Framework(
    name="verifiers",
    requirement="verifiers>=0.4,<0.5",
    template="exports/verifiers_taskset.py",
    module="taskset.py",
    exported='from reproducegym_tasks.taskset import ReproduceTaskset\n\n__all__ = ["ReproduceTaskset"]\n',
    entry_points="",
    usage="    vf-validate reproducegym_tasks --runtime.type docker\n",
)
_INSPECT = Framework(
    name="inspect-ai",
    requirement="inspect-ai>=0.3.285",
    template="exports/inspect_task.py",
    module="task.py",
    exported='from reproducegym_tasks.task import reproduce\n\n__all__ = ["reproduce"]\n',
    entry_points='\n[project.entry-points.inspect_ai]\nreproducegym_tasks = "reproducegym_tasks.task"\n',
    usage="    inspect eval reproducegym_tasks/reproduce --model openai/MODEL\n",
)
FRAMEWORKS: Mapping[str, Framework] = {"verifiers": _VERIFIERS, "inspect": _INSPECT}
"""By the name of the command that exports for them."""


def export_project(
    framework: Framework,
    stores: Iterable[PaperStore],
    out: Path,
    sandbox: SandboxConfig,
    image: str | None,
    solution: Path | None,
) -> Exported:
    """Write `out/` as a project that pip installs; its package `reproducegym_tasks` holds what agents may see.

    The hidden side stays where the papers were built: the project names these directories. `solution` is a directory
    whose `solve.sh` leaves a reference solution; it goes into the project, and never to an agent.

    Raises:
        NotFoundError: no task can be carried.
        TamperedError: a task differs from its digest in the manifest.
        AmbiguousError: two tasks have the same id.
        MisuseError: `out` holds something that is no such project; `solution` has no solve.sh.
        StorageError: something cannot be written.
    """
    papers = tuple(stores)
    built, left_out = carried(papers, framework.name)
    places = {store.paper_id: store.root for store in papers}
    listed = [_listed(one, places[one.order.spec.paper_id]) for one in built]
    most = sandbox.submission_mib * 2**20
    base = image or pinned(built[0].order.entry.image)
    data = {
        "image": base,
        "limits": {"max_files": sandbox.submission_files, "max_bytes": most, "max_file_bytes": most},
        "tasks": listed,
    }
    files = {
        "pyproject.toml": _pyproject(framework).encode(),
        "README.md": _readme(framework, len(built)).encode(),
        f"{_PACKAGE}/__init__.py": f'"""Built tasks for {framework.name}."""\n\n{framework.exported}'.encode(),
        f"{_PACKAGE}/{framework.module}": fixed_text(framework.template),
        f"{_PACKAGE}/tasks.json": (json.dumps(data, indent=2, ensure_ascii=False) + "\n").encode(),
    }
    if framework is _INSPECT:
        files[f"{_PACKAGE}/compose.yaml"] = _compose(base).encode()
    for one in built:
        place = f"{_PACKAGE}/tasks/{one.order.entry.task_id}/input_files"
        files |= {f"{place}/{name}": content for name, content in one.order.input_files.items()}
    if solution is not None:
        files |= {f"{_PACKAGE}/solution/{name}": content for name, content in reference_solution(solution).items()}
    refuse_foreign(out, {name.split("/")[0]: None for name in files})
    write_tree(out, files)
    return Exported(tuple(kept_by_host(one.order.entry, _WHO) for one in built), left_out)


def _listed(built: Built, root: Path) -> dict[str, str | int | list[str]]:
    """A task as the project's module reads it; `task_dir` is where the host's verifier finds the rest."""
    entry = built.order.entry
    return {
        "task_id": entry.task_id,
        "title": entry.title,
        "instructions": built.order.instructions,
        "evidence_level": entry.evidence_level,
        "timeout_s": entry.timeout_s,
        "task_dir": str((root / entry.task_dir).resolve()),
    }


def _pyproject(framework: Framework) -> str:
    return f"""[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"

[project]
name = "reproducegym-tasks"
version = "{__version__}"
description = "Tasks of ReproduceGym for {framework.name}."
requires-python = ">=3.11"
dependencies = ["{framework.requirement}", "reproducegym=={__version__}"]
{framework.entry_points}
[tool.hatch.build.targets.wheel]
packages = ["{_PACKAGE}"]
"""


def _compose(image: str) -> str:
    """What inspect-ai starts its Docker sandbox from."""
    return f"""services:
  default:
    image: {json.dumps(image)}
    x-local: true
    command: sleep infinity
    init: true
    network_mode: none
    working_dir: /workspace
"""


def _readme(framework: Framework, count: int) -> str:
    return f"""# {count} tasks of ReproduceGym for {framework.name}

{framework.usage}
The reward is made by `reproducegym verify` on the host (`REPRODUCEGYM_COMMAND` names another command line), or by the
service that `REPRODUCEGYM_REWARD_URL` and `REPRODUCEGYM_REWARD_TOKEN` name. It keeps each task's own evidence level.
What could not be scored is an error, never a 0. Agents work in a container: a plain process could read the hidden side.
"""
