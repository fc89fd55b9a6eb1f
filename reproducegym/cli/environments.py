"""Chooses what an auditor environment is made of: its reward, its actions, and for executed rewards the sandbox."""

import os
import site
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from reproducegym.errors import MisuseError, NotFoundError
from reproducegym.families.auditor.classic.drawing import Classic
from reproducegym.families.auditor.episode import Drawer, level_of
from reproducegym.families.auditor.nouns import LEVELS

if TYPE_CHECKING:
    from reproducegym.families.auditor.executed.drawing import Executed
    from reproducegym.families.auditor.faces.gymnasium import JsonAuditor, StructuredAuditor
    from reproducegym.planting.project import Split

__all__ = ["PACKAGES", "RewardChoice", "audit_environment", "drawer", "executed"]

PACKAGES = "REPRODUCEGYM_PACKAGES"
"""Names directories of packages, apart by colons, that projects see before those of this Python."""
_SPLITS: tuple["Split", ...] = ("train", "held_out")
_AT_ONCE = 3
"""Runs of one grading at once: two that are compared, and one by another seed."""


class RewardChoice(StrEnum):
    """How episodes are drawn and judged."""

    executed = "executed"
    classic = "classic"


def drawer(reward: str, split: str = "train", sandbox: str = "namespaces", *, torch: bool = False) -> Drawer:
    """Who draws and judges episodes under a reward.

    Raises:
        MisuseError: there is no such reward, split or sandbox, or the extra `auditor` is not installed; classic
            episodes are asked for with torch or another sandbox, which they have no use for.
        SandboxUnavailableError: an executed reward needs a sandbox, and that one does not work here.
    """
    if reward not in ("executed", "classic"):
        raise MisuseError(f'reward "{reward}" is unknown; there are: executed, classic')
    known = next((one for one in _SPLITS if one == split), None)
    if known is None:
        raise MisuseError(f'split "{split}" is unknown; there are: {", ".join(_SPLITS)}')
    if reward == "classic":
        if torch or sandbox != "namespaces":
            raise MisuseError("classic episodes run nothing: leave out torch and sandbox, or ask for executed ones")
        return Classic()
    return executed(known, sandbox, torch=torch)


def executed(split: "Split", sandbox: str, *, torch: bool) -> "Executed":
    """Executed mode on the projects of a split; fixes run in the sandbox of that name.

    `torch` adds projects of PyTorch, from this Python or from where REPRODUCEGYM_PACKAGES says.

    Raises:
        MisuseError: the extra `auditor` is not installed, torch or a named directory is not there, or there is no
            sandbox of that name.
        SandboxUnavailableError: the sandbox does not work here.
    """
    from reproducegym.adapters.executors.local import LocalExecutor
    from reproducegym.cli.wiring import config
    from reproducegym.families.auditor.executed.courted import CourtGrader
    from reproducegym.families.auditor.executed.drawing import Executed
    from reproducegym.families.auditor.executing.court import Court
    from reproducegym.planting.plant import all_operators
    from reproducegym.planting.project import base_projects
    from reproducegym.sandbox.choose import choose

    all_operators()
    image = config(None).sandbox.image
    court = Court(
        choose(sandbox, image).sandbox,
        image,
        LocalExecutor(_AT_ONCE),
        packages=_packages(),
        run_id=f"auditor-{os.getpid():x}",
    )
    for project in base_projects(split, "torch")[:1] if torch else ():
        court.libraries(project)
    return Executed(CourtGrader(court), split, torch=torch)


def _packages() -> tuple[Path, ...] | None:
    """Where packages of projects are looked for; None where only this Python's are."""
    named = [Path(part) for part in os.environ.get(PACKAGES, "").split(os.pathsep) if part]
    missing = [path for path in named if not path.is_dir()]
    if missing:
        raise MisuseError(f"{PACKAGES} names {missing[0]}, which is no directory; name a site-packages")
    return (*named, *map(Path, site.getsitepackages())) if named else None


def audit_environment(
    level: str,
    reward: str = "executed",
    actions: Literal["json", "structured"] = "json",
    split: str = "train",
    sandbox: str = "namespaces",
    render_mode: str | None = None,
    *,
    torch: bool = False,
) -> "JsonAuditor | StructuredAuditor":
    """The environment that `gymnasium.make("ReproAudit-Easy-v0", reward="classic", actions="structured")` gives.

    Raises:
        NotFoundError: there is no such level.
        MisuseError: there is no such reward, form of actions, split or sandbox; torch is neither True nor False.
        SandboxUnavailableError: the sandbox does not work here.
    """
    from reproducegym.families.auditor.faces.gymnasium import JsonAuditor, StructuredAuditor

    known = level_of(level)
    if known is None:
        raise NotFoundError(f'no level "{level}"; there are: {", ".join(LEVELS)}')
    if actions not in ("json", "structured"):
        raise MisuseError(f'actions "{actions}" are unknown; there are: json, structured')
    if torch not in (True, False):
        raise MisuseError(f"torch is True or False, not {torch!r}")
    drawn = drawer(reward, split, sandbox, torch=torch)
    return JsonAuditor(known, drawn, render_mode) if actions == "json" else StructuredAuditor(known, drawn, render_mode)
