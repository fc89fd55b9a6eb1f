"""The agent that does nothing: the floor of every task."""

from collections.abc import Mapping
from pathlib import Path

from reproducegym.ports import AgentTask, SandboxBox
from reproducegym.schema.run import AgentRecord

__all__ = ["NoopAgent"]


class NoopAgent:
    """Leaves the workspace as it found it."""

    name = "noop"
    door: tuple[str, ...] = ()

    def __init__(self) -> None:
        self.mounts: Mapping[str, Path] = {}

    def run(self, task: AgentTask, box: SandboxBox) -> AgentRecord:
        """Finish at once."""
        return AgentRecord(agent=self.name, outcome="finished", exit_code=0, detail="did nothing")
