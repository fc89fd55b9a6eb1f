"""What works on a task in a sandbox."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from reproducegym.ports.sandboxes import SandboxBox
from reproducegym.schema.run import AgentRecord, AgentUsage, EgressUsage

__all__ = ["Agent", "AgentTask", "Bill"]


@dataclass
class Bill:
    """What an agent has spent on its models, and its way out has carried; also where it fails and leaves no record.

    None where it asked no model, or had no way out.
    """

    usage: AgentUsage | None = None
    model: str | None = None
    egress: EgressUsage | None = None


@dataclass(frozen=True)
class AgentTask:
    """What an agent is given: the instructions, and its wall-clock budget in seconds.

    `trace` is an empty private directory of the host. What is written there, by the agent or by what serves its door,
    is kept with the attempt; it has to be whole at every moment, for a driver that is killed leaves it as it stands.
    `poll_s` is how often, in seconds, a whole run in the background is worth a look. `bill` is where an agent that asks
    models writes what it spent, whatever its end.
    """

    instructions: str
    timeout_s: float
    output_bytes: int
    trace: Path
    poll_s: int = 60
    bill: Bill = field(default_factory=Bill)


class Agent(Protocol):
    """Works in a sandbox on a task and leaves a workspace. One agent may work in several sandboxes at once.

    `mounts` are host directories that it needs inside, read-only (`SandboxSpec.read_only`); `door` names the sockets
    that it serves (`SandboxSpec.door`).
    """

    name: str
    mounts: Mapping[str, Path]
    door: tuple[str, ...]

    def run(self, task: AgentTask, box: SandboxBox) -> AgentRecord:
        """Do the work; a bad rollout is a record, not an exception.

        Raises:
            InfrastructureError: the engine failed.
            ModelUnavailableError: its models refuse us.
        """
        ...
