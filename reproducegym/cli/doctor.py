"""`reproducegym doctor`: what works on this machine, and what each missing piece costs."""

import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from reproducegym.cli import wiring
from reproducegym.cli.options import AsJson, ConfigFile
from reproducegym.cli.voice import answer, say, stderr
from reproducegym.errors import ReproduceGymError, SandboxUnavailableError
from reproducegym.ports import Sandbox
from reproducegym.schema.base import Frozen
from reproducegym.schema.config import Config

__all__ = ["doctor"]

_KEYS = ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "OPENROUTER_API_KEY", "GEMINI_API_KEY", "DASHSCOPE_API_KEY")
_ENOUGH_DISK = 5 * 2**30
_TOOL_TIMEOUT_S = 10


class Finding(Frozen):
    """One thing that was looked at: whether it works, what was found, and what its absence costs."""

    name: str
    works: bool
    found: str
    cost: str


def doctor(
    out: Annotated[Path, typer.Option("--out", help="Where papers are kept.", readable=False)] = Path("runs"),
    online: Annotated[bool, typer.Option("--online", help="Ask the models too: a few short calls.")] = False,
    config: ConfigFile = None,
    as_json: AsJson = False,
) -> int:
    """Try what the program needs: Python, engine, image, namespaces, models, keys, GPUs, disk.

    Exit code 9 when no sandbox works: then nothing can be run or verified.

    Example: reproducegym doctor
    """
    settings = wiring.config(config)
    image = settings.sandbox.image
    backends = wiring.backends()
    sandboxes = [_backend(backend) for backend in backends]
    findings = [
        _python(),
        *sandboxes,
        *(_image(backend, image) for backend in backends if backend.name == "docker"),
        *(_program(name, cost) for name, cost in _PROGRAMS.items()),
        _marker(),
        _models(settings, online=online),
        _keys(),
        _gpus(),
        _disk(out),
    ]
    usable = any(finding.works for finding in sandboxes)
    if as_json:
        answer({"usable": usable, "findings": [finding.model_dump(mode="json") for finding in findings]})
    stderr.print(_drawn(findings))
    if not usable:
        say("no sandbox works here: papers can be parsed and built, but nothing can be run or verified")
    return 0 if usable else SandboxUnavailableError.exit_code


_PROGRAMS = {
    "bwrap": "the namespaces sandbox uses util-linux unshare instead",
    "unshare": "no fallback where bubblewrap is missing",
    "git": "repositories cannot be fetched",
}


def _python() -> Finding:
    found = f"{platform.python_implementation()} {platform.python_version()} at {sys.executable}"
    return Finding(name="python", works=sys.version_info >= (3, 11), found=found, cost="nothing works below 3.11")


def _backend(backend: Sandbox) -> Finding:
    costs = {
        "docker": "agents and re-runs use the namespaces sandbox: no image of their own, no remote engine",
        "namespaces": "without Docker nothing can be run",
    }
    tried = backend.availability()
    return Finding(name=f"sandbox {backend.name}", works=tried.works, found=tried.detail, cost=costs[backend.name])


def _image(backend: Sandbox, image: str) -> Finding:
    cost = "the docker sandbox cannot start; build it with docker/build-base.sh"
    try:
        found = backend.image_id(image)
    except ReproduceGymError as error:
        return Finding(name=f"image {image}", works=False, found=str(error), cost=cost)
    return Finding(name=f"image {image}", works=True, found=found, cost=cost)


def _program(name: str, cost: str) -> Finding:
    path = shutil.which(name)
    return Finding(name=name, works=path is not None, found=path or "not on PATH", cost=cost)


def _marker() -> Finding:
    tried = wiring.marker()
    cost = "parse --parser marker cannot be used; --parser auto reads PDFs without it"
    return Finding(name="marker", works=tried.works, found=tried.detail, cost=cost)


def _models(settings: Config, *, online: bool) -> Finding:
    tried = wiring.models_set_up(settings, online=online)
    cost = "build --extractor llm cannot be used; --extractor rules needs no model"
    return Finding(name="models", works=tried.works, found=tried.detail, cost=cost)


def _keys() -> Finding:
    """Names of the keys that are set, never their values."""
    present = [name for name in _KEYS if os.environ.get(name)]
    found = ", ".join(present) or "none set"
    return Finding(name="keys", works=bool(present), found=found, cost="no model: the rules extractor and scripts work")


def _gpus() -> Finding:
    cost = "tasks that ask for a GPU cannot be run here"
    program = shutil.which("nvidia-smi")
    if program is None:
        return Finding(name="gpus", works=False, found="no nvidia-smi", cost=cost)
    try:
        listed = subprocess.run(
            [program, "--query-gpu=name,memory.total", "--format=csv,noheader"],
            capture_output=True,
            text=True,
            timeout=_TOOL_TIMEOUT_S,
            check=True,
        )
    except (OSError, subprocess.SubprocessError) as error:
        return Finding(name="gpus", works=False, found=f"nvidia-smi failed: {error}", cost=cost)
    names = [line.strip() for line in listed.stdout.splitlines() if line.strip()]
    return Finding(name="gpus", works=bool(names), found="; ".join(names) or "none", cost=cost)


def _disk(out: Path) -> Finding:
    place = next(path for path in (out.resolve(), *out.resolve().parents) if path.exists())
    free = shutil.disk_usage(place).free
    trouble = ", which is no directory" if not place.is_dir() else ""
    if not trouble and not os.access(place, os.W_OK | os.X_OK):
        trouble = ", which may not be written"
    found = f"{free / 2**30:.1f} GiB free at {place}{trouble}"
    return Finding(
        name="disk",
        works=not trouble and free >= _ENOUGH_DISK,
        found=found,
        cost="papers, workspaces and images need some GiB; choose another place with --out",
    )


def _drawn(findings: list[Finding]) -> Table:
    table = Table(title="What works here", title_justify="left")
    for heading in ("", "what", "found", "without it"):
        table.add_column(heading, overflow="fold")
    for finding in findings:
        mark = Text("yes", style="green") if finding.works else Text("no", style="yellow")
        table.add_row(mark, Text(finding.name), Text(finding.found), Text("" if finding.works else finding.cost))
    return table
