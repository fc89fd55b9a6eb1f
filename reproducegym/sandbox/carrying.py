"""Copies what a sandbox mounts to where its engine runs: into a volume, whose pieces are mounted from there."""

import contextlib
import secrets
import tarfile
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import IO

from reproducegym.errors import NotFoundError
from reproducegym.ports import SandboxSpec
from reproducegym.sandbox.engine import asking_engine
from reproducegym.sandbox.reach import Engine

__all__ = ["brought"]

_BROUGHT = "/brought"


@contextlib.contextmanager
def brought(client: Engine, spec: SandboxSpec, labels: Mapping[str, str]) -> Iterator[dict[str, str]]:
    """Copies of the read-only files, in a volume of the engine: for each place inside its path on the engine's machine.

    Raises:
        InfrastructureError: the engine cannot take them.
    """
    name = f"reproducegym-{secrets.token_hex(8)}"
    with contextlib.ExitStack() as stack:
        with asking_engine("could not take files"):
            volume = client.volumes.create(name, labels=dict(labels))
            stack.callback(_gone, volume.remove)
            _fill(client, name, spec, labels)
            at = str(volume.attrs["Mountpoint"])
        yield {inside: f"{at}/{number}" for number, inside in enumerate(spec.read_only)}


def _fill(client: Engine, volume: str, spec: SandboxSpec, labels: Mapping[str, str]) -> None:
    """Copy the files into a volume, through a container that never runs."""
    from docker.types import Mount

    mounts = [Mount(_BROUGHT, volume, type="volume", no_copy=True)]
    carrier = client.containers.create(spec.image, ["true"], mounts=mounts, labels=dict(labels), network_mode="none")
    try:
        for number, outside in enumerate(spec.read_only.values()):
            with tempfile.TemporaryFile() as file:
                _archive(outside, str(number), file)
                file.seek(0)
                carrier.put_archive(_BROUGHT, file)
    finally:
        carrier.remove(force=True)


def _gone(removal: Callable[..., object]) -> None:
    with asking_engine("could not remove files"):
        removal(force=True)


def _archive(place: Path, name: str, file: IO[bytes]) -> None:
    """A directory or file as an archive under a name, readable for everybody, links as links."""
    place = place.resolve()
    if not (place.is_dir() or place.is_file()):
        raise NotFoundError(f"{place} is neither a directory nor a file; a sandbox can mount nothing else")

    def readable(entry: tarfile.TarInfo) -> tarfile.TarInfo | None:
        if not (entry.isreg() or entry.isdir() or entry.issym()):
            return None
        entry.uid = entry.gid = 0
        entry.uname = entry.gname = ""
        entry.mode = 0o755 if entry.isdir() or entry.mode & 0o100 else 0o644
        return entry

    with tarfile.open(fileobj=file, mode="w", format=tarfile.PAX_FORMAT) as archive:
        archive.add(place, arcname=name, filter=readable)
