"""Built tasks of ReproduceGym as a Task of inspect-ai: the model works in a sandbox, our verifier judges on the host.

The host runs `reproducegym verify` (`REPRODUCEGYM_COMMAND` names another command line), or asks a reward service where
`REPRODUCEGYM_REWARD_URL` and `REPRODUCEGYM_REWARD_TOKEN` name one.
"""

import asyncio
import json
import os
from pathlib import Path

from inspect_ai import Task, task
from inspect_ai.dataset import Sample
from inspect_ai.scorer import Score, Scorer, Target, mean, scorer
from inspect_ai.solver import Solver, TaskState, basic_agent
from inspect_ai.tool import bash
from inspect_ai.util import sandbox

from reproducegym.adapters.trainers import pack_script, pieces_named, unpacked, verifier_named
from reproducegym.pipeline.judging.transfer import RefusedFileError
from reproducegym.ports import CopyLimits

HERE = Path(__file__).resolve().parent
LISTED = json.loads((HERE / "tasks.json").read_text("utf-8"))
LIMITS = CopyLimits(**LISTED["limits"])
TASK_DIRS = {one["task_id"]: Path(one["task_dir"]) for one in LISTED["tasks"]}


@task
def reproduce(
    task_ids: str = "", solver: Solver | None = None, sandbox_type: str = "docker", message_limit: int = 200
) -> Task:
    """Reproduce claims of papers; `task_ids` names some, with commas between.

    `sandbox_type` is docker, or local for trying a mock model: a model that runs commands as plain processes of this
    machine could read the hidden side of its task.
    """
    chosen = [one for one in task_ids.split(",") if one]
    unknown = sorted(set(chosen) - {one["task_id"] for one in LISTED["tasks"]})
    if unknown:
        raise ValueError(
            f"no task {', '.join(unknown)}; there are {', '.join(one['task_id'] for one in LISTED['tasks'])}"
        )
    return Task(
        dataset=[_sample(one) for one in LISTED["tasks"] if not chosen or one["task_id"] in chosen],
        solver=solver or basic_agent(tools=[bash(timeout=600)], message_limit=message_limit),
        scorer=reproduced(),
        sandbox=("docker", str(HERE / "compose.yaml")) if sandbox_type == "docker" else sandbox_type,
    )


@scorer(metrics=[mean()])
def reproduced() -> Scorer:
    """The verifier's reward; an error, and no score, where the verification itself failed."""

    async def score(state: TaskState, target: Target) -> Score:
        task_id = str(state.sample_id)
        level = state.metadata["evidence_level"]
        packed = await sandbox().exec(["bash", "-c", pack_script(LIMITS), "-", "."], timeout=600)
        if not packed.success:
            told = {"evidence_level": level}
            why = packed.stderr.strip()[-200:]
            return Score(value=0.0, explanation=f"the files cannot be taken: {why}", metadata=told)
        try:
            names = pieces_named(packed.stdout, LIMITS)
            files = unpacked([await sandbox().read_file(name, text=False) for name in names], LIMITS)
        except RefusedFileError as error:
            told = {"evidence_level": level}
            return Score(value=0.0, explanation=f"the submission was refused: {error}", metadata=told)
        found = await asyncio.to_thread(verifier_named(os.environ, TASK_DIRS).verify, task_id, files)
        return Score(value=found.reward, explanation=found.detail, metadata={"evidence_level": found.evidence_level})

    return score


def _sample(one: dict) -> Sample:
    given = HERE / "tasks" / one["task_id"]
    files = {path.relative_to(given).as_posix(): str(path) for path in sorted(given.rglob("*")) if path.is_file()}
    return Sample(
        id=one["task_id"], input=one["instructions"], files=files, metadata={"evidence_level": one["evidence_level"]}
    )
