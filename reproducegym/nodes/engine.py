"""Sandboxes on a node's own Docker engine: files and doors are brought there, and the image by its digest."""

import contextlib
import secrets
import shlex
import threading
import time
from collections.abc import Iterator, Mapping

from reproducegym.errors import InfrastructureError, NodeError, SandboxUnavailableError
from reproducegym.nodes.run import NodeRun, node_run
from reproducegym.nodes.ssh import Connection, LinkError
from reproducegym.ports import Availability, Door, SandboxBox, SandboxSpec, Standing
from reproducegym.sandbox.carrying import brought
from reproducegym.sandbox.docker import DockerSandbox
from reproducegym.sandbox.door import DOOR, RELAY, listening_at, relay_line
from reproducegym.sandbox.labels import TTL_S
from reproducegym.sandbox.reach import Engine, Ground

__all__ = ["NodeSandbox"]

_PATIENCE_S = 60.0
_GPU_WAIT_S = 3600.0
_GPU_AGAIN_S = 5.0
_SOCKET_PATH = 100
_ANSWER_S = 30.0


class NodeSandbox:
    """The `docker` backend on a node. Each sandbox has `gpus` GPUs of the node for itself, and waits for them."""

    name = "docker"

    def __init__(self, connection: Connection, *, gpus: int, ttl_s: float = TTL_S) -> None:
        if connection.engine is None:
            raise NodeError(
                f"{connection.node.name}: the inventory names no engine there; name one, or take --node-for commands"
            )
        self._node = connection.node.name
        self._connection = connection
        self._there = DockerSandbox(f"unix://{connection.engine}", ttl_s=ttl_s, reach=_OverSsh(connection, gpus))
        self._here = DockerSandbox()
        self._pushing = threading.Lock()

    def availability(self) -> Availability:
        """Ask the node's engine for its version."""
        try:
            self._connection.ensure()
        except NodeError as error:
            return Availability(works=False, detail=str(error))
        found = self._there.availability()
        return Availability(works=found.works, detail=f"{self._node}: {found.detail}")

    def image_id(self, image: str) -> str:
        """The digest of the image of this machine, which is brought to the node if it is not there; else the node's.

        Raises:
            SandboxUnavailableError: neither engine has it.
            InfrastructureError: it cannot be brought there.
        """
        self._link()
        try:
            digest = self._here.image_id(image)
        except SandboxUnavailableError:
            return self._there.image_id(image)
        with self._pushing:
            if not self._has(digest):
                with self._here.saved(digest) as archive:
                    self._there.load(archive)
                if not self._has(digest):
                    line = f"its engine gives the image another digest than {digest[:19]}; load it there by hand"
                    raise InfrastructureError(f"{self._node}: {line}")
        return digest

    @contextlib.contextmanager
    def create(self, spec: SandboxSpec) -> Iterator[SandboxBox]:
        """A sandbox on the node, as `DockerSandbox.create`."""
        self._link()
        with self._there.create(spec) as box:
            yield box

    def standing(self) -> tuple[Standing, ...]:
        """Every container and volume of a sandbox on the node's engine."""
        self._link()
        return self._there.standing()

    def reap(self) -> int:
        """Remove what dead processes of this machine left on the node's engine, and what has outlived its time."""
        self._link()
        return self._there.reap()

    def _link(self) -> None:
        """Connect again where the connection has broken: what was there then is lost, what comes now is not."""
        try:
            self._connection.ensure()
        except NodeError as error:
            raise InfrastructureError(str(error)) from error

    def _has(self, digest: str) -> bool:
        try:
            return self._there.image_id(digest) == digest
        except SandboxUnavailableError:
            return False


class _OverSsh:
    """The way to a node's engine: files go into a volume there, sockets are forwarded back."""

    same_machine = False

    def __init__(self, connection: Connection, gpus: int) -> None:
        self._connection, self._gpus = connection, gpus

    @contextlib.contextmanager
    def ground(self, client: Engine, spec: SandboxSpec, labels: Mapping[str, str]) -> Iterator[Ground]:
        """Bring the files; where there is a door or a GPU, the sandbox gets a place on the node for them."""
        with contextlib.ExitStack() as stack:
            binds: dict[str, str] = {}
            if spec.read_only:
                binds |= stack.enter_context(brought(client, spec, labels))
            if not (spec.door or self._gpus):
                yield Ground(binds, None)
                return
            try:
                name = f"box-{secrets.token_hex(6)}"
                run = stack.enter_context(node_run(self._connection, name, gpus=0, patience_s=_PATIENCE_S))
                if self._gpus:
                    _leased(run, self._gpus)
                door: Door | None = None
                if spec.door:
                    binds[DOOR], door = stack.enter_context(_door(self._connection, run, spec.door))
            except NodeError as error:
                raise InfrastructureError(str(error)) from error
            yield Ground(binds, door, run.gpus)


def _leased(run: NodeRun, count: int) -> None:
    """Take GPUs as soon as so many are free.

    Raises:
        NodeError: they are not, for an hour, or the connection is lost.
    """
    end = time.monotonic() + _GPU_WAIT_S
    while True:
        try:
            run.lease(count)
        except LinkError:
            raise
        except NodeError:
            if time.monotonic() > end:
                raise
            time.sleep(_GPU_AGAIN_S)
        else:
            return


@contextlib.contextmanager
def _door(connection: Connection, run: NodeRun, names: tuple[str, ...]) -> Iterator[tuple[str, Door]]:
    """A directory on the node whose sockets lead to listening ones here."""
    place = f"{run.place}/door"
    with contextlib.ExitStack() as stack:
        quoted = shlex.quote(place)
        _must(connection, f"mkdir -m 755 {quoted} && cat >{quoted}/{RELAY.name}", RELAY.read_bytes())
        sockets = {}
        for name in names:
            remote, local = f"{place}/{name}", f"door-{secrets.token_hex(4)}"
            if len(remote) > _SOCKET_PATH:
                raise NodeError(f"{connection.node.name}: {remote} is too long for a socket; choose a shorter workdir")
            sockets[name] = stack.enter_context(listening_at(connection.directory, local))
            stack.callback((connection.directory / local).unlink, missing_ok=True)
            connection.forward(remote, local)
            stack.callback(connection.forget, remote, local)
        _must(connection, f"chmod 644 {quoted}/{RELAY.name} && cd {quoted} && chmod 666 {shlex.join(names)}")
        yield place, Door(sockets, relay_line())


def _must(connection: Connection, command: str, given: bytes = b"") -> None:
    done = connection.run(command, given, timeout_s=_ANSWER_S)
    if done.exit_code != 0:
        said = " ".join(done.err.decode("utf-8", "replace").split())
        raise NodeError(f"{connection.node.name}: the door cannot be made there: {said}")
