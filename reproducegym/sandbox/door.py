"""The one way out of a sandbox: sockets of the host, mounted into it, and a relay inside that makes ports of them."""

import contextlib
import os
import shutil
import socket
from collections.abc import Iterator, Sequence
from pathlib import Path

from reproducegym.ports import Door
from reproducegym.scratch import scratch_directory

__all__ = ["DOOR", "DOORS", "RELAY", "listening_at", "open_door", "relay_line"]

DOOR = "/door"
"""Where a sandbox finds its door."""

DOORS = "door"
"""Purpose of the scratch directories that hold doors."""

RELAY = Path(__file__).with_name("relay.py")
"""The program that a door holds beside its sockets."""
_WAITING = 128


@contextlib.contextmanager
def open_door(names: Sequence[str]) -> Iterator[tuple[Path, Door]]:
    """A directory to mount at `DOOR`, with a listening socket for each name.

    Raises:
        OSError: the temporary directory cannot be written.
    """
    with contextlib.ExitStack() as stack:
        made = stack.enter_context(scratch_directory(DOORS))
        shutil.copyfile(RELAY, made / RELAY.name)
        (made / RELAY.name).chmod(0o644)
        sockets = {name: stack.enter_context(listening_at(made, name)) for name in names}
        made.chmod(0o755)
        yield made, Door(sockets, relay_line())


def relay_line() -> tuple[str, ...]:
    """The command that starts a door's relay inside."""
    return ("python3", "-I", "-S", f"{DOOR}/{RELAY.name}")


def listening_at(directory: Path, name: str) -> socket.socket:
    """A socket that listens at a name in a directory, whatever the length of its path."""
    listening = socket.socket(socket.AF_UNIX)
    place = os.open(directory, os.O_RDONLY | os.O_DIRECTORY)
    try:
        listening.bind(f"/proc/self/fd/{place}/{name}")  # the kernel takes no path of more than 107 bytes
    finally:
        os.close(place)
    (directory / name).chmod(0o666)
    listening.listen(_WAITING)
    return listening
