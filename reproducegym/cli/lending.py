"""Lends a node of the inventory to a batch: connects once in each process, for as long as the process lives."""

import atexit
import contextlib
from dataclasses import dataclass
from pathlib import Path

from reproducegym.cli.options import NodeUseChoice
from reproducegym.cli.voice import say
from reproducegym.errors import MisuseError
from reproducegym.nodes.cleaning import clean_node
from reproducegym.nodes.door import NodeLimits
from reproducegym.nodes.engine import NodeSandbox
from reproducegym.nodes.equipped import PROGRAMS, equipped
from reproducegym.nodes.inventory import chosen, local_inventories, read_nodes
from reproducegym.nodes.ssh import CONNECTIONS, Connection, connected
from reproducegym.ports import Agent
from reproducegym.schema.batch import NodeUse
from reproducegym.schema.config import Config
from reproducegym.schema.node import Node
from reproducegym.scratch import sweep

__all__ = ["Lent", "lent", "named_nodes", "node_use"]

_CONNECT_S = 20.0
_JOBS = 1000
_MIB = 2**20
_USES = {"sandbox": "sandboxes on its engine", "commands": "the agent's commands (/node/node)"}
_living = contextlib.ExitStack()
atexit.register(_living.close)


def named_nodes(names: list[str] | None, files: list[Path] | None) -> tuple[Node, ...]:
    """The nodes that a command line means.

    Raises:
        MisuseError: there is no inventory, or it does not fit.
        NotFoundError: there is no such node.
    """
    return chosen(read_nodes(files or local_inventories(Path())), names or [])


def node_use(name: str | None, use: NodeUseChoice, gpus: int, files: list[Path] | None) -> NodeUse | None:
    """What a command line says of a node, as a batch keeps it; None where it names none.

    Raises:
        MisuseError: GPUs without a node, more than it has, or an inventory that does not fit.
        NotFoundError: there is no such node.
    """
    if name is None:
        if gpus:
            raise MisuseError("--gpus asks a node for them: name it with --node")
        return None
    (node,) = named_nodes([name], files)
    if gpus > len(node.gpus):
        raise MisuseError(f"--gpus {gpus}: the inventory lists {len(node.gpus)} of {name}")
    places = tuple(str(file.resolve()) for file in files or local_inventories(Path()))
    return NodeUse(name=name, inventories=places, use=use.value, gpus=gpus)


@dataclass(frozen=True)
class Lent:
    """A node that is connected, for one use."""

    use: NodeUse
    connection: Connection

    def sandbox(self, settings: Config) -> NodeSandbox | None:
        """The node's engine, where the node is for whole sandboxes."""
        if self.use.use != "sandbox":
            return None
        return NodeSandbox(self.connection, gpus=self.use.gpus, ttl_s=settings.run.longest_attempt_s)

    def agent(self, agent: Agent, settings: Config) -> Agent:
        """The agent, with the node at hand where it is for the agent's commands."""
        if self.use.use == "sandbox":
            return agent
        size = settings.sandbox.workspace_mib * _MIB
        limits = NodeLimits(moved_bytes=size, log_bytes=settings.sandbox.file_mib * _MIB, jobs=_JOBS)
        return _living.enter_context(equipped(agent, self.connection, gpus=self.use.gpus, limits=limits))


def lent(use: NodeUse) -> Lent:
    """Connect to a node, and remove what dead runs of this machine left there.

    Raises:
        NodeError: the node is out of reach, not the one that it should be, or refuses us.
    """
    (node,) = chosen(read_nodes([Path(place) for place in use.inventories]), [use.name])
    connection = _living.enter_context(connected(node, timeout_s=_CONNECT_S))
    say(f"node {node.name} connected in {connection.connect_s:.1f} s, for {_USES[use.use]}")
    sweep(CONNECTIONS, PROGRAMS)
    cleaned = clean_node(connection, quiet_s=None)
    if cleaned.removed:
        say(f"node {node.name}: removed what {len(cleaned.removed)} dead runs had left")
    return Lent(use, connection)
