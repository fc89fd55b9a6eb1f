"""Exports built tasks as an environment of OpenEnv: the directory that `openenv validate` and `openenv serve` read.

The server verifies in sandboxes of its host, so it runs where the papers were built.
"""

import json
from collections.abc import Iterable
from pathlib import Path

from reproducegym import __version__
from reproducegym.adapters.exporters.kept import Exported, carried, kept_by_host, refuse_foreign
from reproducegym.pipeline.directories import write_tree
from reproducegym.pipeline.store import PaperStore
from reproducegym.pipeline.templates import fixed_text

__all__ = ["export_openenv"]

_WHO = "the server asks our verifier on its host"
_LONGEST_S = 3600


def export_openenv(stores: Iterable[PaperStore], out: Path) -> Exported:
    """Write `out/` with `openenv.yaml`, `server.py` and a probe; it names the directory of the papers.

    Raises:
        NotFoundError: no task can be carried.
        TamperedError: a task differs from its digest in the manifest.
        AmbiguousError: two tasks have the same id.
        MisuseError: `out` holds something that is no such export, or papers stand in different directories.
        StorageError: something cannot be written.
    """
    papers = tuple(stores)
    built, left_out = carried(papers, "OpenEnv")
    runs = papers[0].root.resolve().parent
    names = [one.order.entry.task_id for one in built]
    files = {
        "openenv.yaml": _manifest(len(names)).encode(),
        "server.py": fixed_text("exports/openenv_server.py").replace(b"RUNS", repr(str(runs)).encode()),
        "requirements.txt": f"reproducegym[docker,openenv]=={__version__}\n".encode(),
        "README.md": _README.encode(),
        "validation/runtime.json": _probe(names[0]).encode(),
    }
    refuse_foreign(out, dict.fromkeys(["__pycache__", *(name.split("/")[0] for name in files)]))
    write_tree(out, files)
    return Exported(tuple(kept_by_host(one.order.entry, _WHO) for one in built), left_out)


def _probe(task_id: str) -> str:
    """What OpenEnv's validator sends: a task, and a submission that earns nothing."""
    actions = [{"files": {"README.md": "nothing"}}]
    plan = {"plan_schema_version": "1", "reset": {"episode_id": "probe-1", "task_id": task_id}, "actions": actions}
    return json.dumps(plan, indent=2) + "\n"


def _manifest(count: int) -> str:
    return f"""spec_version: 1
name: reproducegym-tasks
version: {__version__}
description: Reproduce claims of papers; what reproduce.sh measures under hidden seeds is paid
type: space
runtime: fastapi
app: server:app
port: 8430
validation:
  reward:
    range: [0.0, 1.0]
    oracle_tolerance: 0.1
    floor_margin: 0.5
    variance_tolerance: 0.1
  resources:
    cpu: 2
    memory_mb: 8192
    disk_mb: 8192
    episode_timeout_s: {_LONGEST_S}
    gpus: 0
  capabilities:
    verifier:
      kind: reward_channel
    set_state: false
    llm_judged: false
    rubric_tree: false
    task_api: true
    declared_tools: []
    declared_task_count: {{all: {count}}}
  types:
    tags: [code, science, reproducibility]
  network:
    mode: public
  task_distribution:
    generator_seed: 0
    dataset_version: "{__version__}"
"""


_README = """# Paper tasks of ReproduceGym for OpenEnv

    uvicorn server:app --port 8430
    openenv validate http://127.0.0.1:8430
    openenv validate . --level static --skip-build

The server verifies submissions in sandboxes of this machine, so it runs where the papers were built;
`REPRODUCEGYM_RUNS` names them elsewhere. It keeps each task's own evidence level.
"""
