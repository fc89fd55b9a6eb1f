"""Exports built tasks as Harbor tasks in `separate` mode: the agent's files are judged in a container of their own."""

import json
from collections.abc import Iterable
from pathlib import Path

from reproducegym.adapters.exporters.base_image import pinned
from reproducegym.adapters.exporters.harbor.texts import (
    COMPOSE,
    TEST_SH,
    Verifying,
    dockerfiles,
    instruction,
    task_toml,
)
from reproducegym.adapters.exporters.kept import Built, Carried, Exported, carried, reference_solution, refuse_foreign
from reproducegym.pipeline.directories import write_tree
from reproducegym.pipeline.store import PaperStore
from reproducegym.resources import shipped_module
from reproducegym.schema.config import SandboxConfig
from reproducegym.schema.contract import Contract

__all__ = ["export_harbor"]

_PROGRAM = (
    "adapters/exporters/harbor/inside/ground.py",
    "adapters/exporters/harbor/inside/judge.py",
    "adapters/exporters/harbor/inside/running.py",
    "adapters/exporters/harbor/inside/submission.py",
    "examiner/findings.py",
    "pipeline/judging/drawing.py",
    "verifier/consistency.py",
    "verifier/contract.py",
    "verifier/curve.py",
    "verifier/evaluate.py",
    "verifier/formula.py",
    "verifier/score.py",
    "verifier/table.py",
)
"""Modules of this package that make up the judge in a verifier's container: standard library alone."""
_MAIN = """\"\"\"The judge of this task: python3 -I -S /tests/judge.\"\"\"

import sys

from reproducegym.adapters.exporters.harbor.inside.judge import main

sys.exit(main())
"""
_REEXECUTE = "the verifier's container re-runs the submission: without network, each run as a user of its own"
_REPLAY = "a replay compares runs from checkpoints with tools that the verifier's container lacks"
_ARTIFACT = "the contract asks for no more"


def export_harbor(
    stores: Iterable[PaperStore], out: Path, sandbox: SandboxConfig, image: str | None, solution: Path | None
) -> Exported:
    """Write the tasks of the papers' manifests to `out/<task_id>/`, all or none.

    `sandbox` says what runs may take, `image` is what agents and re-runs start from (None: the task's own by the digest
    of its inputs), `solution` a directory whose `solve.sh` leaves a reference solution in the current directory.

    Raises:
        NotFoundError: no task can be carried.
        TamperedError: a task differs from its digest in the manifest.
        AmbiguousError: two tasks have the same id.
        MisuseError: `out` holds something that is no task of this export, or stands inside a paper's directory;
            `solution` has no solve.sh.
        StorageError: something cannot be written.
    """
    built, left_out = carried(stores, "Harbor")
    reference = (
        {} if solution is None else {f"solution/{name}": data for name, data in reference_solution(solution).items()}
    )
    kept: dict[str, Carried] = {}
    trees: dict[str, dict[str, bytes]] = {}
    for one in built:
        level = _kept(one)
        kept[level.task_id] = level
        trees[level.task_id] = _files(one, level, sandbox, image or pinned(one.order.entry.image)) | reference
    refuse_foreign(out, trees)
    write_tree(out, {f"{task}/{name}": data for task, files in trees.items() for name, data in files.items()})
    return Exported(tuple(kept.values()), left_out)


def _kept(built: Built) -> Carried:
    asked = built.order.contract.evidence_level
    why = {"reexecute": _REEXECUTE, "replay": _REPLAY, "artifact": _ARTIFACT}[asked]
    return Carried(built.order.entry.task_id, asked, "artifact" if asked == "replay" else asked, why)


def _files(built: Built, kept: Carried, sandbox: SandboxConfig, image: str) -> dict[str, bytes]:
    order = built.order
    contracts = [one.to_json().encode() for one in order.samples] or [order.contract_json]
    most = max((order.contract, *order.samples), key=_runs)
    verifying = Verifying(runs=_runs(most) if kept.kept == "reexecute" else 0, budget_s=order.spec.run_budget_s)
    agent, verifier = dockerfiles(image, below="input_files/" if kept.kept == "reexecute" else "")
    texts = {
        "task.toml": task_toml(order.entry, kept, sandbox, verifying),
        "instruction.md": instruction(built, kept),
        "environment/Dockerfile": agent,
        "environment/docker-compose.yaml": COMPOSE,
        "tests/Dockerfile": verifier,
        "tests/docker-compose.yaml": COMPOSE,
        "tests/test.sh": TEST_SH,
        "tests/judge.json": _settings(kept, sandbox, order.spec.run_budget_s),
        "tests/judge/__main__.py": _MAIN,
    }
    files = {name: text.encode() for name, text in texts.items()} | _program()
    files |= {f"tests/contracts/{number:03}.json": data for number, data in enumerate(contracts)}
    for place in ("environment", "tests"):
        files |= {f"{place}/input_files/{name}": data for name, data in order.input_files.items()}
    if order.spec.audit is not None:
        files["tests/audit.json"] = order.spec.audit.to_json().encode()
    return files


def _runs(contract: Contract) -> int:
    return contract.seeds + sum(probe.seeds for probe in contract.probes)


def _settings(kept: Carried, sandbox: SandboxConfig, budget_s: int) -> str:
    """What the judge is told beside the contract."""
    run = {
        "budget_s": budget_s,
        "memory_mib": sandbox.memory_mib,
        "workspace_mib": sandbox.workspace_mib,
        "file_mib": sandbox.file_mib,
        "pids": sandbox.pids,
        "output_bytes": sandbox.output_bytes,
    }
    submission = {"files": sandbox.submission_files, "bytes": sandbox.submission_mib * 2**20}
    return json.dumps({"level": kept.kept, "run": run, "submission": submission}, indent=2) + "\n"


def _program() -> dict[str, bytes]:
    """The judge as a directory that Python runs; its packages are empty but for what is listed."""
    files = {f"tests/judge/reproducegym/{name}": shipped_module(name) for name in _PROGRAM}
    packages = {"/".join(name.split("/")[:depth]) for name in files for depth in range(3, len(name.split("/")))}
    return files | {f"{package}/__init__.py": b"" for package in packages}
