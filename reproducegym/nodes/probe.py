"""Looks at nodes, live and all at once: reachable or not, engine, GPUs, memory, disk, clock; never from notes."""

import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from pydantic import JsonValue

from reproducegym.errors import InfrastructureError, NodeError, SandboxUnavailableError
from reproducegym.nodes.asking import ask
from reproducegym.nodes.ssh import Connection, connected
from reproducegym.sandbox.docker import DockerSandbox
from reproducegym.schema.base import Frozen
from reproducegym.schema.node import EngineFound, GpuFound, LeaseFound, Node, NodeFound, NodeProbe

__all__ = ["probe_all", "probe_node"]

_AT_ONCE = 32
_COLUMNS = "id, name, total MiB, used MiB, busy %"
_FAST_CLOCK_S = 5.0
_LITTLE_DISK_MIB = 5 * 1024


class _GpuAnswer(Frozen):
    code: int | None
    out: str
    err: str


class _Told(Frozen):
    """The keeper's answer, as it comes."""

    hostname: str
    python: str
    cpus: int
    load: float
    memory_mib: int
    memory_free_mib: int
    disk_mib: int
    disk_free_mib: int
    writable: bool
    place: str
    bubblewrap: bool
    gpus: _GpuAnswer
    leases: tuple[LeaseFound, ...]
    runs: tuple[str, ...]
    time: float


def probe_all(nodes: Sequence[Node], image: str, *, timeout_s: float) -> tuple[NodeProbe, ...]:
    """A look at every node, side by side, in the order of the nodes; `image` is the sandbox image to look for."""
    with ThreadPoolExecutor(min(len(nodes), _AT_ONCE) or 1) as pool:
        return tuple(pool.map(lambda node: probe_node(node, image, timeout_s=timeout_s), nodes))


def probe_node(node: Node, image: str, *, timeout_s: float) -> NodeProbe:
    """One look at one node; whatever does not work is a word in `problems`. Every step may take `timeout_s`."""
    try:
        with connected(node, timeout_s=timeout_s) as connection:
            problems: list[str] = []
            found = _found(connection, timeout_s, problems)
            engine = _engine(connection, image, problems)
            return NodeProbe(
                node=node.name,
                reachable=True,
                connect_s=round(connection.connect_s, 3),
                found=found,
                engine=engine,
                problems=tuple(problems),
            )
    except NodeError as error:
        return NodeProbe(
            node=node.name, reachable=False, connect_s=None, found=None, engine=None, problems=(str(error),)
        )


def _found(connection: Connection, timeout_s: float, problems: list[str]) -> NodeFound | None:
    node = connection.node
    asked: dict[str, JsonValue] = {
        "command": "probe",
        "workdir": node.workdir,
        "prelude": node.prelude,
        "gpu_probe": node.gpu_probe,
        "timeout_s": timeout_s / 2,
    }
    sent = time.time()
    try:
        told = ask(connection, asked, _Told, timeout_s=timeout_s)
    except NodeError as error:
        problems.append(str(error))
        return None
    came = time.time()
    skew = told.time - came
    gpus = _gpus(node, told, problems)
    if not told.writable:
        problems.append(f"{node.name}: {told.place} may not be written by {node.user}; runs need {node.workdir}")
    elif told.disk_free_mib < _LITTLE_DISK_MIB:
        problems.append(f"{node.name}: only {told.disk_free_mib} MiB are free at {told.place}")
    if abs(skew) > _FAST_CLOCK_S + came - sent:
        problems.append(f"{node.name}: its clock is {skew:+.0f} s off ours; set it by NTP")
    if node.confine == "bubblewrap" and not told.bubblewrap:
        problems.append(f"{node.name}: no bwrap there, which holds an agent's commands; install bubblewrap")
    return NodeFound(
        hostname=told.hostname,
        python=told.python,
        cpus=told.cpus,
        load=round(told.load, 2),
        memory_mib=told.memory_mib,
        memory_free_mib=told.memory_free_mib,
        disk_mib=told.disk_mib,
        disk_free_mib=told.disk_free_mib,
        clock_skew_s=round(skew, 3),
        clock_error_s=round(came - sent, 3),
        gpus=gpus,
        leases=told.leases,
        runs=told.runs,
    )


def _gpus(node: Node, told: _Told, problems: list[str]) -> tuple[GpuFound, ...]:
    """What the node's own command says of its GPUs; it is no trouble where the inventory lists none."""
    held = {lease.gpu: lease.run for lease in told.leases if not lease.expired}
    found: list[GpuFound] = []
    if told.gpus.code != 0:
        if node.gpus:
            how = "does not end" if told.gpus.code is None else f"ends with {told.gpus.code}"
            why = f": {' '.join(told.gpus.err.split())[-200:]}" if told.gpus.err.strip() else ""
            problems.append(f"{node.name}: the probe of its GPUs {how}{why}")
        return ()
    for line in filter(str.strip, told.gpus.out.splitlines()):
        parts = [part.strip() for part in line.split(",")]
        if len(parts) != 5 or not all(_is_whole(part) for part in parts[2:]):
            problems.append(f"{node.name}: the probe of its GPUs says {line[:80]!r}; wanted: {_COLUMNS}")
            continue
        memory, used, busy = (int(part) for part in parts[2:])
        gpu = GpuFound(
            id=parts[0],
            name=parts[1],
            memory_mib=memory,
            used_mib=used,
            busy_percent=busy,
            leased_by=held.get(parts[0]),
        )
        found.append(gpu)
    missing = [gpu for gpu in node.gpus if gpu not in {one.id for one in found}]
    if missing:
        problems.append(f"{node.name}: the inventory lists GPU {', '.join(missing)}; the node does not show it")
    return tuple(found)


def _is_whole(text: str) -> bool:
    return text.isascii() and text.isdecimal()


def _engine(connection: Connection, image: str, problems: list[str]) -> EngineFound | None:
    """The node's engine, asked through the same connection as a run would."""
    node = connection.node
    if connection.engine is None:
        return None
    sandbox = DockerSandbox(f"unix://{connection.engine}")
    answers = sandbox.availability()
    if not answers.works:
        problems.append(f"{node.name}: no Docker engine answers at {node.engine}; without one: engine: null")
        return None
    try:
        digest: str | None = sandbox.image_id(image)
    except (SandboxUnavailableError, InfrastructureError):
        digest = None
    return EngineFound(version=answers.detail.removeprefix("Docker engine "), image=digest)
