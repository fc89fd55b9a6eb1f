"""Where projects of an episode run: the sandbox, its limits, and the packages that it shows; and what a run is."""

import contextlib
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import Field

from reproducegym.families.auditor.executing.libraries import Libraries, libraries
from reproducegym.planting.project import BaseProject
from reproducegym.ports import Executor, Sandbox, SandboxBox, SandboxSpec
from reproducegym.schema.base import Frozen
from reproducegym.schema.run import RunOutcome

__all__ = ["TRIES", "Court", "Left", "Ran"]

TRIES = 3
"""How often a run is begun where the engine fails."""
_SECONDS = {"numpy": 30.0, "stub": 30.0, "sklearn": 60.0, "torch": 120.0}
"""Some twenty times what a run takes: on a busy machine an honest one takes long too."""
_AT_ONCE = 4


@dataclass(frozen=True)
class Court:
    """Where projects run. `executor` makes runs at once where there are processors; sizes in MiB.

    `packages` are the directories where the packages of projects are installed; None takes those of this Python.
    `longest_s` replaces what a run of a library may take in seconds; `room` bounds the sandboxes that live at one time,
    whoever asks for them: a server may have many sessions.
    """

    sandbox: Sandbox
    image: str
    executor: Executor
    packages: tuple[Path, ...] | None = None
    run_id: str = "auditor"
    memory_mib: int = 1536
    pids: int = 64
    workspace_mib: int = 96
    file_mib: int = 32
    longest_s: float | None = None
    room: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(_AT_ONCE))

    def seconds(self, project: BaseProject) -> float:
        """How long one run of a project may take."""
        return self.longest_s or _SECONDS[project.library]

    def libraries(self, project: BaseProject) -> Libraries:
        """What a project's runs may import.

        Raises:
            MisuseError: something that it requires is not installed.
        """
        return libraries(project.requires, self.packages)

    @contextlib.contextmanager
    def box(self, project: BaseProject, mounts: Mapping[str, Path]) -> Iterator[SandboxBox]:
        """A sandbox for one run of a project: its packages and these mounts, and nothing else of this machine."""
        with self.room, self.sandbox.create(self._spec(project, mounts)) as box:
            yield box

    def _spec(self, project: BaseProject, mounts: Mapping[str, Path]) -> SandboxSpec:
        return SandboxSpec(
            run_id=self.run_id,
            image=self.image,
            env={},
            read_only={**self.libraries(project).mounts, **mounts},
            memory_mib=self.memory_mib,
            cpus=1.0,
            pids=self.pids,
            workspace_mib=self.workspace_mib,
            file_mib=self.file_mib,
        )


class Ran(Frozen):
    """How one run ended. `state` is what its process told of itself at its end; empty where it told nothing sound.

    With `infra` nothing is known of the project: the engine failed, and `detail` says how.
    """

    outcome: RunOutcome
    detail: str
    seconds: float
    weights: str | None = None
    metrics: str | None = None
    python: str = ""
    numbers: dict[str, float] = Field(default_factory=dict)
    state: dict[str, str] = Field(default_factory=dict)


@dataclass(frozen=True)
class Left:
    """A run and the bytes that it left, by the names of the project's outputs."""

    ran: Ran
    files: Mapping[str, bytes] = field(default_factory=dict)
