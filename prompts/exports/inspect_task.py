"""Built tasks of ReproduceGym as a Task of inspect-ai: the model works in a sandbox, our verifier judges on the host.

The host runs `reproducegym verify` (`REPRODUCEGYM_COMMAND` names another command line), or asks a reward service where
`REPRODUCEGYM_REWARD_URL` and `REPRODUCEGYM_REWARD_TOKEN` name one.
"""

import asyncio
import io
import json
import os
from functools import cache
from pathlib import Path

from inspect_ai import Task, task
from inspect_ai.dataset import Sample
from inspect_ai.scorer import Score, Scorer, Target, mean, scorer
from inspect_ai.solver import Solver, TaskState, basic_agent
from inspect_ai.tool import bash
from inspect_ai.util import sandbox

from reproducegym.adapters.reward_client import RewardClient
from reproducegym.adapters.trainers import CommandVerifier, ServiceVerifier, Verifier
from reproducegym.pipeline.judging.transfer import RefusedFileError, read_archive
from reproducegym.ports import CopyLimits

HERE = Path(__file__).resolve().parent
LISTED = json.loads((HERE / "tasks.json").read_text("utf-8"))
LIMITS = CopyLimits(**LISTED["limits"])
PACKED = ".reproducegym-submission.tar"
PIECE = 64 * 2**20
"""What one reading of a file out of a sandbox brings; inspect refuses more than 100 MiB."""
PACK = f"""rm -rf {PACKED}* || exit
count=0 total=0
while read -r kind size; do
  count=$((count + 1))
  [ "$kind" = f ] && total=$((total + size))
done < <(find . -mindepth 1 -path ./input_files -prune -o -printf '%y %s\\n')
if [ $count -gt {LIMITS.max_files} ] || [ $total -gt {LIMITS.max_bytes} ]; then
  echo "more than {LIMITS.max_files} files or {LIMITS.max_bytes} bytes" >&2
  exit 3
fi
tar --exclude=./input_files --exclude='./{PACKED}*' -cf {PACKED} .
[ $? -le 1 ] || exit 2  # 1: a file grew meanwhile, as logs do
split -b {PIECE} -d -a 4 {PACKED} {PACKED}. && rm {PACKED} && printf '%s\\n' {PACKED}.*
"""


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
        packed = await sandbox().exec(["bash", "-c", PACK], timeout=600)
        if not packed.success:
            told = {"evidence_level": level}
            why = packed.stderr.strip()[-200:]
            return Score(value=0.0, explanation=f"the files cannot be taken: {why}", metadata=told)
        archive = b"".join([await sandbox().read_file(name, text=False) for name in packed.stdout.split()])
        try:
            files = read_archive(io.BytesIO(archive), LIMITS, root=".")
        except RefusedFileError as error:
            told = {"evidence_level": level}
            return Score(value=0.0, explanation=f"the submission was refused: {error}", metadata=told)
        found = await asyncio.to_thread(_verifier().verify, task_id, files)
        return Score(value=found.reward, explanation=found.detail, metadata={"evidence_level": found.evidence_level})

    return score


def _sample(one: dict) -> Sample:
    given = HERE / "tasks" / one["task_id"]
    files = {path.relative_to(given).as_posix(): str(path) for path in sorted(given.rglob("*")) if path.is_file()}
    return Sample(
        id=one["task_id"], input=one["instructions"], files=files, metadata={"evidence_level": one["evidence_level"]}
    )


@cache
def _service(url: str, token: str) -> Verifier:
    """One for all samples, whose connections stay."""
    return ServiceVerifier(RewardClient(url, token))


def _verifier() -> Verifier:
    url, token = os.environ.get("REPRODUCEGYM_REWARD_URL"), os.environ.get("REPRODUCEGYM_REWARD_TOKEN")
    if url and not token:
        raise RuntimeError("REPRODUCEGYM_REWARD_URL names a service: set REPRODUCEGYM_REWARD_TOKEN to its token")
    if url:
        return _service(url, token)
    command = os.environ.get("REPRODUCEGYM_COMMAND", "reproducegym").split()
    return CommandVerifier({one["task_id"]: Path(one["task_dir"]) for one in LISTED["tasks"]}, command)
