"""The flags that several commands share, each worded once."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

__all__ = [
    "AgentName",
    "AsJson",
    "Assets",
    "AtOnce",
    "Attempts",
    "ClaimId",
    "ClaimIds",
    "ConfigFile",
    "EveryTask",
    "ExecutorChoice",
    "ExecutorName",
    "Exposure",
    "ExposureChoice",
    "Gpus",
    "NodeName",
    "NodeUseChoice",
    "NodeUseName",
    "NodesFiles",
    "PaperDirectory",
    "ParserChoice",
    "RayAddress",
    "Runs",
    "SandboxChoice",
    "SandboxName",
    "SpecHash",
    "TaskDirectories",
    "TaskDirectory",
    "given",
]


def given(context: typer.Context) -> frozenset[str]:
    """The flags that stand on the command line, whatever their values."""
    sources = ((one.opts[0], context.get_parameter_source(one.name or "")) for one in context.command.params)
    return frozenset(flag for flag, source in sources if source is not None and source.name == "COMMANDLINE")


class SandboxChoice(StrEnum):
    """Backends by name; `auto` takes Docker where an engine and the image are there, else namespaces."""

    AUTO = "auto"
    DOCKER = "docker"
    NAMESPACES = "namespaces"


class ExecutorChoice(StrEnum):
    """Where pieces of work run: in this process, or on a Ray cluster."""

    LOCAL = "local"
    RAY = "ray"


class ParserChoice(StrEnum):
    """Backends by name; `auto` takes pymupdf for PDF, and the reader of its kind for Markdown and LaTeX."""

    AUTO = "auto"
    PYMUPDF = "pymupdf"
    MARKER = "marker"
    MARKDOWN = "markdown"
    LATEX = "latex"


class NodeUseChoice(StrEnum):
    """What a node does for a run."""

    SANDBOX = "sandbox"
    COMMANDS = "commands"


class ExposureChoice(StrEnum):
    """What an agent may know of the paper."""

    MASKED = "masked"
    FULL = "full"
    CLAIM_ONLY = "claim_only"


AsJson = Annotated[bool, typer.Option("--json", help="Answer with one JSON object on stdout.")]
Assets = Annotated[
    list[str] | None,
    typer.Option(
        "--asset",
        metavar="NAME=PATH",
        help="Where a data set or model stands, if not where it stood when the task was built; may be repeated.",
        show_default=False,
    ),
]
ConfigFile = Annotated[
    Path | None,
    typer.Option("--config", help="A TOML file instead of config/default.toml.", readable=False, show_default=False),
]
Exposure = Annotated[
    ExposureChoice | None,
    typer.Option(
        "--exposure",
        help="What agents see of the paper: all but what a claim hides, all of it, or nothing.",
        show_default=False,
    ),
]
Runs = Annotated[Path, typer.Option("--runs", help="Directory of all papers, searched for the claim.", readable=False)]
PaperDirectory = Annotated[
    Path | None,
    typer.Option("--paper", help="The paper's directory, runs/<paper_id>.", readable=False, show_default=False),
]
ClaimId = Annotated[
    str | None, typer.Option("--claim-id", help="The claim, as CLAIMS.md names it.", show_default=False)
]
AtOnce = Annotated[int, typer.Option("--parallel", min=1, max=1024, help="How many attempts at once.")]
Attempts = Annotated[int, typer.Option("--attempts", min=1, max=10_000, help="How many valid attempts at each task.")]
ClaimIds = Annotated[
    list[str] | None,
    typer.Option("--claim-id", help="The claim, as CLAIMS.md names it; may be repeated.", show_default=False),
]
EveryTask = Annotated[
    bool, typer.Option("--all", help="Every task of --paper, or of all papers below --runs.", show_default=False)
]
ExecutorName = Annotated[
    ExecutorChoice,
    typer.Option("--executor", help="Where pieces of work run: here, or on Ray (docs/operator-guide.md)."),
]
RayAddress = Annotated[
    str | None,
    typer.Option(
        "--ray-address",
        help="A running cluster, `auto` for this machine's; without it a Ray is started here.",
        show_default=False,
    ),
]
SpecHash = Annotated[
    str | None, typer.Option("--spec-hash", help="Which version of the claim's task.", show_default=False)
]
TaskDirectory = Annotated[
    Path | None,
    typer.Option(
        "--task-dir", help="A task, runs/<paper_id>/03-task/<claim>/<hash>.", readable=False, show_default=False
    ),
]
TaskDirectories = Annotated[
    list[Path] | None,
    typer.Option(
        "--task-dir",
        help="A task, runs/<paper_id>/03-task/<claim>/<hash>; may be repeated.",
        readable=False,
        show_default=False,
    ),
]
NodeName = Annotated[
    str | None, typer.Option("--node", help="A node of config/nodes.yaml to work with.", show_default=False)
]
NodesFiles = Annotated[
    list[Path] | None,
    typer.Option(
        "--nodes",
        help="An inventory instead of config/nodes.yaml and config/nodes.*.yaml; may be repeated.",
        readable=False,
        show_default=False,
    ),
]
NodeUseName = Annotated[
    NodeUseChoice,
    typer.Option("--node-for", help="Whole sandboxes, on its engine, or commands of an agent whose sandbox is here."),
]
Gpus = Annotated[int, typer.Option("--gpus", min=0, help="GPUs of the node that each attempt has for itself.")]
SandboxName = Annotated[SandboxChoice, typer.Option("--sandbox", help="Where code runs.")]
AgentName = Annotated[
    str,
    typer.Option(
        "--agent",
        help="tool-loop or another agent that asks models (docs/agents.md), script:FILE (a bash script; its whole "
        "directory is mounted at /agent), or noop.",
    ),
]
