"""Built tasks of ReproduceGym as a taskset of verifiers: the agent works in a runtime, our verifier judges on the host.

The host runs `reproducegym verify` (`REPRODUCEGYM_COMMAND` names another command line), or asks a
reward service where `REPRODUCEGYM_REWARD_URL` and `REPRODUCEGYM_REWARD_TOKEN` name one.
"""

import asyncio
import json
import os
from collections.abc import Iterable
from pathlib import Path

import verifiers.v1 as vf

from reproducegym.adapters.trainers import (
    PIECE_BYTES,
    Scored,
    pack_script,
    pieces_named,
    unpacked,
    verifier_named,
)
from reproducegym.pipeline.judging.transfer import RefusedFileError
from reproducegym.ports import CopyLimits

HERE = Path(__file__).resolve().parent
LISTED = json.loads((HERE / "tasks.json").read_text("utf-8"))
LIMITS = CopyLimits(**LISTED["limits"])
TASK_DIRS = {one["task_id"]: Path(one["task_dir"]) for one in LISTED["tasks"]}
PAID = 0.9


class ReproduceConfig(vf.TasksetConfig):
    """`image` is what agents work in; empty for none, which is for validating without an agent alone.

    An agent that runs as a plain process of this machine could read the hidden side of its task.
    """

    image: str = LISTED["image"]


class ReproduceData(vf.TaskData):
    """`evidence_level` is that of the reward."""

    task_id: str
    evidence_level: str


class ReproduceTask(vf.Task[ReproduceData, vf.State, vf.TaskConfig]):
    """One claim of one paper: `reproduce.sh` is what counts, and only what it measures when the judge runs it."""

    @property
    def key(self) -> str:
        return self.data.task_id

    async def setup(self, trace: vf.Trace, runtime: vf.Runtime) -> None:
        """Puts the task's input files where its words say that they are."""
        await _put(runtime, self._root, HERE / "tasks" / self.data.task_id)

    async def validate(self, runtime: vf.Runtime) -> bool | None:
        """Whether the reference solution is paid; None where the export brought none."""
        if not (HERE / "solution").is_dir():
            return None
        await _put(runtime, f"{self._root}/.reference", HERE / "solution")
        left = await runtime.run(
            ["bash", "-c", 'cd "$1" && bash .reference/solve.sh && rm -rf .reference', "-", self._root], {}
        )
        if left.exit_code != 0:
            raise RuntimeError(f"solve.sh failed: {left.stderr.strip()[-500:]}")
        return (await self._judged(runtime)).reward >= PAID

    @vf.reward
    async def reproduced(self, runtime: vf.Runtime) -> float:
        """The verifier's reward; an error, and no reward, where the verification itself failed."""
        return (await self._judged(runtime)).reward

    @property
    def _root(self) -> str:
        return self.data.workdir or "."

    async def _judged(self, runtime: vf.Runtime) -> Scored:
        packed = await runtime.run(["bash", "-c", pack_script(LIMITS), "-", self._root], {})
        if packed.exit_code != 0:
            return Scored(0.0, self.data.evidence_level, f"the files cannot be taken: {packed.stderr.strip()[-200:]}")
        try:
            names = pieces_named(packed.stdout, LIMITS)
            pieces = [await runtime.read(f"{self._root}/{name}", max_bytes=PIECE_BYTES) for name in names]
            files = unpacked(pieces, LIMITS)
        except RefusedFileError as error:
            return Scored(0.0, self.data.evidence_level, f"the submission was refused: {error}")
        return await asyncio.to_thread(verifier_named(os.environ, TASK_DIRS).verify, self.data.task_id, files)


class ReproduceTaskset(vf.Taskset[ReproduceTask, ReproduceConfig]):
    """Every exported task."""

    def load(self) -> Iterable[ReproduceTask]:
        """Tasks in the order of their ids."""
        box = {"image": self.config.image, "workdir": "/workspace", "network_allow": []} if self.config.image else {}
        for one in LISTED["tasks"]:
            yield ReproduceTask(
                ReproduceData(
                    id=one["task_id"],
                    name=one["task_id"],
                    description=one["title"],
                    prompt=one["instructions"],
                    task_id=one["task_id"],
                    evidence_level=one["evidence_level"],
                    timeout=vf.TaskTimeout(agent=float(one["timeout_s"])),
                    **box,
                ),
                self.config.task,
            )


async def _put(runtime: vf.Runtime, root: str, directory: Path) -> None:
    for path in sorted(directory.rglob("*")):
        if path.is_file():
            await runtime.write(f"{root}/{path.relative_to(directory).as_posix()}", path.read_bytes())
