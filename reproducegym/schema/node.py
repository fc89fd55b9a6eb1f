"""Machines that an operator lends to runs: the inventory as it is written by hand, and what a probe finds on them."""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from reproducegym.schema.base import Frozen

__all__ = ["EngineFound", "GpuFound", "Inventory", "LeaseFound", "Node", "NodeFound", "NodeProbe"]

NodeName = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9._-]{0,62}$")]
Word = Annotated[str, Field(pattern=r"^[^\s\x00-\x1f-][^\s\x00-\x1f]{0,252}$")]
"""Goes to the `ssh` client as one argument, so that it must not look like an option."""
AbsolutePath = Annotated[str, Field(pattern=r"^/[^\x00-\x1f]*$")]
FilePath = Annotated[str, Field(pattern=r"^[^\x00-\x1f\"]+$")]
GpuId = Annotated[str, Field(pattern=r"^[A-Za-z0-9._-]{1,64}$")]


class Node(Frozen):
    """One machine that is reached by ssh.

    `key` is a file of this machine (None: the ssh agent's keys), `known_hosts` the file that alone says which host keys
    are believed; both are relative to the inventory. `ssh_config` names a client configuration for what is not said
    here, such as a jump host; without it none is read. `engine` is the node's Docker socket, None where it has none.
    `gpus` are the ids that runs may lease. Below `workdir`, a directory of the node's own disk, each run gets a
    directory. `prelude` is shell text before every command there. `gpu_probe` prints a line
    `id, name, total MiB, used MiB, busy %` for each GPU. `confine` says what holds an agent's commands on the node,
    `visible` which of the places that it hides, such as a directory below /home, they may read all the same. `notes`
    are for people; no command goes by them.
    """

    name: NodeName
    host: Word
    port: Annotated[int, Field(ge=1, le=65535)] = 22
    user: Word
    key: FilePath | None = None
    known_hosts: FilePath
    ssh_config: FilePath | None = None
    engine: AbsolutePath | None = "/var/run/docker.sock"
    gpus: tuple[GpuId, ...] = ()
    workdir: AbsolutePath
    python: Word = "python3"
    prelude: str = ""
    gpu_probe: Annotated[str, Field(min_length=1)] = (
        "nvidia-smi --query-gpu=index,name,memory.total,memory.used,utilization.gpu --format=csv,noheader,nounits"
    )
    confine: Literal["bubblewrap", "none"] = "bubblewrap"
    visible: tuple[AbsolutePath, ...] = ()
    notes: str = ""

    @model_validator(mode="after")
    def _leasable(self) -> Self:
        if len(set(self.gpus)) < len(self.gpus):
            raise ValueError(f"node {self.name} lists a GPU twice")
        return self


class Inventory(Frozen):
    """A file of nodes, such as `config/nodes.yaml`."""

    schema_version: Literal[1]
    nodes: tuple[Node, ...]

    @model_validator(mode="after")
    def _told_apart(self) -> Self:
        names = [node.name for node in self.nodes]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise ValueError(f"two nodes have the name {twice[0]}")
        return self


class GpuFound(Frozen):
    """A GPU as the node's own probe command tells it. Sizes in MiB; `leased_by` is the run that holds it."""

    id: str
    name: str
    memory_mib: int
    used_mib: int
    busy_percent: int
    leased_by: str | None


class LeaseFound(Frozen):
    """A GPU that a run holds, and how long ago, by the node's clock, somebody said that the run still goes on."""

    gpu: str
    run: str
    quiet_s: float
    expired: bool


class EngineFound(Frozen):
    """The node's Docker engine: its version and the digest of the sandbox image there, None where it has none."""

    version: str
    image: str | None


class NodeFound(Frozen):
    """What the node says of itself. Sizes in MiB; `clock_skew_s` is its clock less ours, `clock_error_s` how sure."""

    hostname: str
    python: str
    cpus: int
    load: float
    memory_mib: int
    memory_free_mib: int
    disk_mib: int
    disk_free_mib: int
    clock_skew_s: float
    clock_error_s: float
    gpus: tuple[GpuFound, ...]
    leases: tuple[LeaseFound, ...]
    runs: tuple[str, ...]


class NodeProbe(Frozen):
    """One look at one node, made now. `problems` says in words what does not work; empty means ready.

    `found` is None where the node cannot be reached or does not answer, `engine` where no engine answers or none is
    named. `connect_s` is how long the connection took.
    """

    node: str
    reachable: bool
    connect_s: float | None
    found: NodeFound | None
    engine: EngineFound | None
    problems: tuple[str, ...]
