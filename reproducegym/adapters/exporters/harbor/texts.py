"""The text files of a Harbor task: task.toml, the instruction, images, and what starts the judge."""

import json
from dataclasses import dataclass

from reproducegym.adapters.exporters.kept import Built, Carried
from reproducegym.schema.config import SandboxConfig
from reproducegym.schema.reading import read_json
from reproducegym.schema.task import DataEntry, ManifestTask

__all__ = ["COMPOSE", "TEST_SH", "Verifying", "dockerfiles", "instruction", "task_toml"]

_USER = 12345
_GRACE_S = 600
_JUDGE_MIB = 512

COMPOSE = """# No network: neither for the agent nor for the runs of the judge. That is asked here and not in task.toml,
# for which Harbor pulls a helper image. An init lets the container end at once when it is stopped.
services:
  main:
    build:
      network: none
    network_mode: none
    init: true
"""

TEST_SH = """#!/bin/bash
# Writes /logs/verifier/reward.json; where it cannot judge it writes none, and the trial counts as failed, not as 0.
exec /usr/bin/python3 -I -S /tests/judge
"""


@dataclass(frozen=True)
class Verifying:
    """How many runs the judge makes at most, and how long each may take."""

    runs: int
    budget_s: int


def dockerfiles(image: str, *, below: str) -> tuple[str, str]:
    """The agent's image and the verifier's, both from one base; the inputs stand in /workspace, or below it."""
    base = f"ARG BASE={image}\nFROM ${{BASE}}\n"
    agent = (
        f"{base}COPY --chown={_USER}:{_USER} input_files/ /workspace/{below}\n"
        f"RUN chown {_USER}:{_USER} /workspace\n"
        "ENV HOME=/workspace LANG=C.UTF-8 PATH=/usr/local/bin:/usr/bin:/bin\n"
        "WORKDIR /workspace\n"
    )
    return agent, f"{base}COPY . /tests\n"


def instruction(built: Built, kept: Carried) -> str:
    """The task's own words: those for a judge that re-runs, or for one that reads a table."""
    told = f"This harness keeps evidence level `{kept.kept}`: {kept.why}.\n"
    if kept.kept == "reexecute":
        return f"{built.order.instructions}\n{told}"
    entry = read_json(DataEntry, built.files["data_entry.json"], "data_entry.json")
    return f"{entry.user_query}\n{told}"


def task_toml(entry: ManifestTask, kept: Carried, sandbox: SandboxConfig, verifying: Verifying) -> str:
    """The task's definition; both containers get what a run of the judge's may take."""
    memory = sandbox.memory_mib + sandbox.workspace_mib
    tables: dict[str, dict[str, str | int | float | bool | list[str]]] = {
        "": {"schema_version": "1.4", "artifacts": ["/workspace"]},
        "task": {"name": f"reproducegym/{entry.task_id}", "description": entry.title, "keywords": [entry.family]},
        "metadata": {
            "evidence_level": kept.kept,
            "evidence_level_asked": kept.asked,
            "evidence_why": kept.why,
            "difficulty": entry.difficulty,
            "claim_id": entry.claim_id,
            "spec_hash": entry.spec_hash,
            "task_digest": entry.task_digest,
            "exposure_policy": entry.exposure_policy,
            "memory_resistant": entry.memory_resistant,
        },
        "verifier": {
            "timeout_sec": float(verifying.runs * (verifying.budget_s + 30) + _GRACE_S),
            "environment_mode": "separate",
            "user": "root",
        },
        "verifier.environment": {"cpus": sandbox.cpus, "memory_mb": memory + _JUDGE_MIB},
        "agent": {"timeout_sec": float(entry.timeout_s), "user": _USER},
        "environment": {"cpus": sandbox.cpus, "memory_mb": memory, "workdir": "/workspace"},
    }
    return "\n".join(
        (f"[{name}]\n" if name else "") + "".join(f"{key} = {_toml(value)}\n" for key, value in table.items())
        for name, table in tables.items()
    )


def _toml(value: str | int | float | bool | list[str]) -> str:
    """A value as TOML writes it; characters that no text should have are spaces."""
    if isinstance(value, str):
        return json.dumps("".join(one if one.isprintable() else " " for one in value), ensure_ascii=False)
    if isinstance(value, list):
        return f"[{', '.join(map(_toml, value))}]"
    return json.dumps(value)
