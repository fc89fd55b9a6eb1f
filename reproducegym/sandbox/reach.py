"""How what is of this machine gets to where a Docker engine runs: the files to mount, and the door."""

import contextlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeAlias

from reproducegym.ports import Door, SandboxSpec
from reproducegym.sandbox.door import DOOR, open_door
from reproducegym.sandbox.staging import readable_by_all

if TYPE_CHECKING:
    from docker import DockerClient

__all__ = ["Engine", "Ground", "Here", "Reach"]

Engine: TypeAlias = "DockerClient"
"""A connection to an engine."""


@dataclass(frozen=True)
class Ground:
    """What a container stands on: for each place inside a path of the engine's machine, the door, its GPUs by id."""

    binds: Mapping[str, str]
    door: Door | None
    gpus: tuple[str, ...] = ()


class Reach(Protocol):
    """The way to an engine. `same_machine` says that all who use the engine are processes of this machine."""

    same_machine: bool

    def ground(
        self, client: Engine, spec: SandboxSpec, labels: Mapping[str, str]
    ) -> contextlib.AbstractContextManager[Ground]:
        """Bring what a sandbox needs; it is gone with the context. What is made on the engine carries the labels.

        Raises:
            InfrastructureError: it cannot be brought there.
        """
        ...


class Here:
    """The engine of this machine: paths are what they are."""

    same_machine = True

    @contextlib.contextmanager
    def ground(self, client: Engine, spec: SandboxSpec, labels: Mapping[str, str]) -> Iterator[Ground]:
        """The directories themselves, or readable copies, and sockets in a directory of this machine."""
        with contextlib.ExitStack() as stack:
            binds = {
                inside: str(stack.enter_context(readable_by_all(outside))) for inside, outside in spec.read_only.items()
            }
            door: Door | None = None
            if spec.door:
                place, door = stack.enter_context(open_door(spec.door))
                binds[DOOR] = str(place)
            yield Ground(binds, door)
