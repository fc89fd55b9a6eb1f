"""An agent that is lent a node: the same agent, with one more socket in its door and a program that speaks to it."""

import contextlib
import secrets
import shutil
import time
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from reproducegym.adapters.agents.at_hand import BoxAtHand
from reproducegym.errors import InfrastructureError, NodeError
from reproducegym.nodes.door import DOOR_NAME, NodeLimits, served
from reproducegym.nodes.run import node_run
from reproducegym.nodes.ssh import Connection
from reproducegym.pipeline.templates import render
from reproducegym.ports import Agent, AgentTask, SandboxBox
from reproducegym.schema.run import AgentRecord
from reproducegym.scratch import scratch_directory

__all__ = ["PROGRAMS", "EquippedAgent", "equipped"]

PROGRAMS = "program"
"""Purpose of the scratch directories that hold the program of a sandbox."""

_INSIDE = "/node"
_TOKEN = "REPRODUCEGYM_NODE_TOKEN"  # noqa: S105 - the name of a variable
_PATIENCE_S = 300.0


@contextlib.contextmanager
def equipped(agent: Agent, connection: Connection, *, gpus: int, limits: NodeLimits) -> Iterator[Agent]:
    """The agent with a node; every attempt gets a place of its own there, with so many GPUs of its own."""
    with scratch_directory(PROGRAMS) as made:
        program = made / "node"
        shutil.copyfile(Path(__file__).with_name("inside") / "__main__.py", program)
        program.chmod(0o755)
        made.chmod(0o755)
        yield EquippedAgent(agent, connection, made, gpus=gpus, limits=limits)


class EquippedAgent:
    """An agent as `ports.Agent`; made by `equipped`. `trace/node.jsonl` has a line for everything that it asked."""

    def __init__(self, agent: Agent, connection: Connection, program: Path, *, gpus: int, limits: NodeLimits) -> None:
        self.name = agent.name
        self.mounts: Mapping[str, Path] = {**agent.mounts, _INSIDE: program}
        self.door = (*agent.door, DOOR_NAME)
        self._agent, self._connection, self._gpus, self._limits = agent, connection, gpus, limits

    def run(self, task: AgentTask, box: SandboxBox) -> AgentRecord:
        """Let the agent work, with the node at hand.

        Raises:
            InfrastructureError: the node gives us no place, or the engine failed.
        """
        if box.door is None:
            raise InfrastructureError("the sandbox has no door for the node")
        token = secrets.token_urlsafe(24)
        deadline = time.monotonic() + task.timeout_s
        log = task.trace / "node.jsonl"
        try:
            with (
                node_run(
                    self._connection, f"run-{secrets.token_hex(6)}", gpus=self._gpus, patience_s=_PATIENCE_S
                ) as run,
                served(box.door.sockets[DOOR_NAME], run, token, log, self._limits, deadline),
            ):
                told = render("node.md.j2", {"name": self._connection.node.name, "gpus": run.gpus})
                return self._agent.run(
                    replace(task, instructions=task.instructions + told), BoxAtHand(box, {_TOKEN: token})
                )
        except NodeError as error:
            raise InfrastructureError(str(error)) from error
