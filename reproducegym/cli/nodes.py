"""`reproducegym nodes`: the machines of the inventory, and what there is on them now."""

import contextlib
from typing import Annotated

import typer
from pydantic import JsonValue
from rich.table import Table
from rich.text import Text

from reproducegym.cli import wiring
from reproducegym.cli.lending import named_nodes
from reproducegym.cli.options import AsJson, ConfigFile, NodesFiles
from reproducegym.cli.voice import answer, say, stderr, warn
from reproducegym.errors import InfrastructureError, NodeError, ReproduceGymError
from reproducegym.nodes.cleaning import clean_node
from reproducegym.nodes.engine import NodeSandbox
from reproducegym.nodes.probe import probe_all
from reproducegym.nodes.ssh import Connection, connected
from reproducegym.schema.node import Node, NodeProbe

__all__ = ["app", "probe"]

app = typer.Typer(help="Look at the machines of the inventory, and clean up there.", no_args_is_help=True)

NodeNames = Annotated[
    list[str] | None,
    typer.Option("--node", help="A node of the inventory; may be repeated. All, if none is named.", show_default=False),
]
Timeout = Annotated[float, typer.Option("--timeout", min=0.1, max=600, help="Seconds that each step may take.")]


@app.callback()
def nodes() -> None:
    """Look at the machines of the inventory, and clean up there."""


@app.command("probe")
def probe(
    node: NodeNames = None,
    inventory: NodesFiles = None,
    timeout: Timeout = 20.0,
    config: ConfigFile = None,
    as_json: AsJson = False,
) -> int:
    """Look at nodes now: reachable, engine, GPUs, free memory and disk, clock. Exit code 16 if one is not ready.

    Example: reproducegym nodes probe --node gpu-1
    """
    wanted = named_nodes(node, inventory)
    found = probe_all(wanted, _image(wiring.config(config).sandbox.image), timeout_s=timeout)
    if as_json:
        answer({"nodes": [one.model_dump(mode="json") for one in found]})
    stderr.print(_drawn(found))
    for problem in (line for one in found for line in one.problems):
        warn(problem)
    return NodeError.exit_code if any(one.problems for one in found) else 0


@app.command("clean")
def clean(
    node: NodeNames = None,
    inventory: NodesFiles = None,
    quiet: Annotated[
        float | None,
        typer.Option(
            "--quiet-for",
            min=60,
            help="Also remove runs of other machines whose driver said nothing for so many seconds.",
            show_default=False,
        ),
    ] = None,
    timeout: Timeout = 20.0,
    as_json: AsJson = False,
) -> int:
    """Remove what runs left on nodes whose driver is dead: jobs, directories, leases. Exit code 16 if a node refuses.

    Example: reproducegym nodes clean --node gpu-1
    """
    told: dict[str, JsonValue] = {}
    failure: ReproduceGymError | None = None
    for one in named_nodes(node, inventory):
        try:
            told[one.name] = _cleaned(one, quiet, timeout)
        except (NodeError, InfrastructureError) as error:
            warn(str(error))
            failure, told[one.name] = error, None
    if as_json:
        answer({"nodes": told})
    return 0 if failure is None else failure.exit_code


def _cleaned(node: Node, quiet_s: float | None, timeout_s: float) -> JsonValue:
    """Clean one node; what was removed there, said and told."""
    with connected(node, timeout_s=timeout_s) as connection:
        cleaned = clean_node(connection, quiet_s=quiet_s)
        boxes = _reaped(connection)
    removed = f"{len(cleaned.removed)} runs with {cleaned.jobs} jobs, {boxes} containers and volumes"
    say(f"{node.name}: removed {removed}; {len(cleaned.kept)} runs stay")
    return {"removed": list(cleaned.removed), "jobs": cleaned.jobs, "boxes": boxes, "kept": list(cleaned.kept)}


def _reaped(connection: Connection) -> int:
    """How many containers and volumes were removed from the node's engine; none where there is none."""
    if connection.engine is None:
        return 0
    sandbox = NodeSandbox(connection, gpus=0)
    return sandbox.reap() if sandbox.availability().works else 0


def _image(name: str) -> str:
    """The image that a run would bring to a node, by the digest that it has here; its name where it is not here."""
    for backend in wiring.backends():
        if backend.name == "docker":
            with contextlib.suppress(ReproduceGymError):  # then a node must have it under the name
                return backend.image_id(name)
    return name


def _drawn(found: tuple[NodeProbe, ...]) -> Table:
    table = Table(title="Nodes, just now", title_justify="left")
    for heading in ("", "node", "connected in", "engine", "GPUs (free memory)", "memory free", "disk free", "clock"):
        table.add_column(heading, overflow="fold")
    for one in found:
        mark = Text("yes", style="green") if not one.problems else Text("no", style="yellow")
        table.add_row(mark, *(Text(word) for word in _row(one)))
    return table


def _row(one: NodeProbe) -> tuple[str, ...]:
    if not one.reachable or one.connect_s is None:
        return (one.node, "not reached", "", "", "", "", "")
    engine = "none" if one.engine is None else one.engine.version
    if one.engine is not None and one.engine.image is None:
        engine += ", image not there yet"
    head = (one.node, f"{one.connect_s:.2f} s", engine)
    if one.found is None:
        return (*head, "", "", "", "")
    gpus = [
        f"{gpu.id} {gpu.name}: {gpu.memory_mib - gpu.used_mib} of {gpu.memory_mib} MiB, {gpu.busy_percent}% busy"
        + (f", held by {gpu.leased_by}" if gpu.leased_by else "")
        for gpu in one.found.gpus
    ]
    return (
        *head,
        "\n".join(gpus) or "none",
        f"{one.found.memory_free_mib} of {one.found.memory_mib} MiB",
        f"{one.found.disk_free_mib} of {one.found.disk_mib} MiB",
        f"{one.found.clock_skew_s:+.2f} s (± {one.found.clock_error_s:.2f})",
    )
