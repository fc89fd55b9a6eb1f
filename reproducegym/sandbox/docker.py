"""Sandboxes on a Docker engine: no network, read-only root, one sized volume, an unprivileged uid, hard limits."""

import contextlib
import secrets
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING

from reproducegym.errors import InfrastructureError, SandboxUnavailableError
from reproducegym.ports import Availability, SandboxBox, SandboxSpec, Standing
from reproducegym.resources import shipped
from reproducegym.sandbox.byte_stream import byte_stream
from reproducegym.sandbox.docker_box import DockerBox
from reproducegym.sandbox.door import DOORS
from reproducegym.sandbox.engine import asking_engine
from reproducegym.sandbox.labels import OWNER_LABEL, TTL_S, labels_of, standing_of
from reproducegym.sandbox.living import destroyed_on_signals, go_on_ending, living
from reproducegym.sandbox.reach import Ground, Here, Reach
from reproducegym.sandbox.staging import MOUNT_COPY
from reproducegym.scratch import sweep

if TYPE_CHECKING:
    from docker import DockerClient
    from docker.models.containers import Container

__all__ = ["DockerSandbox"]

_USER = 12345
# The container's first process has a uid of its own: nothing inside may signal, trace or limit it.
_WARDEN = 12346
_ANSWER_S = 60
_MIB = 2**20
_REMOVALS = 100
_MAX_INODES = 262_144
_ENVIRONMENT = {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": "/workspace", "LANG": "C.UTF-8"}


class DockerSandbox:
    """The `docker` backend. `host` names an engine (`unix://`, `tcp://`); None takes the SDK's default.

    `reach` is the way to it, where it does not see this machine's files. What it makes may be removed by anybody after
    `ttl_s` seconds.
    """

    name = "docker"

    def __init__(self, host: str | None = None, *, ttl_s: float = TTL_S, reach: Reach | None = None) -> None:
        self._host = host
        self._reach = reach or Here()
        self._ttl_s = ttl_s
        self._reaped = False
        self._left: set[str] = set()

    def availability(self) -> Availability:
        """Ask the engine for its version."""
        try:
            with self._client() as client:
                version = str(client.version()["Version"])
        except SandboxUnavailableError as error:
            return Availability(works=False, detail=str(error))
        return Availability(works=True, detail=f"Docker engine {version}")

    def image_id(self, image: str) -> str:
        """The engine's content digest of the image."""
        with self._client() as client:
            import docker.errors

            try:
                with asking_engine(f"could not look up {image}"):
                    return str(client.images.get(image).id)
            except InfrastructureError as error:
                if isinstance(error.__cause__, docker.errors.ImageNotFound):
                    raise SandboxUnavailableError(_no_image(image)) from error
                raise

    @contextlib.contextmanager
    def saved(self, digest: str) -> Iterator[Iterator[bytes]]:
        """An image as an archive that another engine can load.

        Raises:
            InfrastructureError: the engine cannot give it.
        """
        with self._client() as client:
            with asking_engine(f"could not save {digest[:19]}"):
                archive = client.api.get_image(digest)
            yield archive

    def load(self, archive: Iterator[bytes]) -> None:
        """Take an image from another engine.

        Raises:
            InfrastructureError: the engine cannot take it, for want of room most often.
        """
        with self._client() as client, asking_engine("could not load an image"):
            client.images.load(byte_stream(archive))

    @contextlib.contextmanager
    def create(self, spec: SandboxSpec) -> Iterator[SandboxBox]:
        """Make a container and its volume; both are gone when the context is left, whatever the way.

        The first call also removes what dead processes left behind.
        """
        if not self._reaped:
            self._reaped = True
            self.reap()
        with contextlib.ExitStack() as stack:
            stack.enter_context(destroyed_on_signals())
            client = stack.enter_context(self._client())
            import docker.errors
            import requests.exceptions

            labels = labels_of(spec.run_id, self._ttl_s)
            ground = stack.enter_context(self._reach.ground(client, spec, labels))
            name = f"reproducegym-{secrets.token_hex(8)}"
            # Once more at the end even if a signal removed it: it may have come while the engine was still making it.
            stack.callback(self._removed, client, name)
            stack.callback(living(lambda: self._removed(client, name)))
            try:
                container = _start(client, name, spec, ground, labels)
            except docker.errors.ImageNotFound as error:
                raise SandboxUnavailableError(_no_image(spec.image)) from error
            except (docker.errors.DockerException, requests.exceptions.RequestException) as error:
                raise InfrastructureError(f"the Docker engine could not make a sandbox: {error}") from error
            go_on_ending()
            yield DockerBox(client, container, user=_USER, door=ground.door)

    def standing(self) -> tuple[Standing, ...]:
        """Every container and volume of a sandbox on this engine."""
        with self._client() as client:
            return tuple(standing for standing, _ in _labelled(client, local=self._reach.same_machine))

    def reap(self) -> int:
        """Remove containers and volumes whose owner is a dead process of this machine, or whose time is over."""
        with self._client() as client:
            removable = [
                remove
                for standing, remove in _labelled(client, local=self._reach.same_machine)
                if standing.dead or standing.expired
            ]
            for remove in removable:
                _gone(remove)
            left = sorted(self._left)
            for name in left:
                self._removed(client, name)
        return len(removable) + len(left) + sweep(MOUNT_COPY, DOORS)

    def _removed(self, client: "DockerClient", name: str) -> None:
        """Remove one of our sandboxes, or note that it is left: its owner lives on, so no other reaper takes it."""
        self._left.add(name)
        _remove(client, name)
        self._left.discard(name)

    @contextlib.contextmanager
    def _client(self) -> Iterator["DockerClient"]:
        """A connection to an engine that answers.

        Raises:
            SandboxUnavailableError: the SDK is missing or no engine answers.
        """
        try:
            import docker
            import docker.errors
            import requests.exceptions
        except ImportError as error:
            line = "the docker SDK is not installed: pip install 'reproducegym[docker]'"
            raise SandboxUnavailableError(line) from error
        try:
            if self._host is None:
                client = docker.from_env(timeout=_ANSWER_S)
            else:
                client = docker.DockerClient(base_url=self._host, timeout=_ANSWER_S)
        except docker.errors.DockerException as error:
            raise SandboxUnavailableError(f"no Docker engine answers ({_first_line(error)})") from error
        with contextlib.closing(client):
            try:
                client.ping()
            except (docker.errors.DockerException, requests.exceptions.RequestException) as error:
                raise SandboxUnavailableError(f"no Docker engine answers ({_first_line(error)})") from error
            yield client


def _start(client: "DockerClient", name: str, spec: SandboxSpec, ground: Ground, labels: dict[str, str]) -> "Container":
    from docker.types import DeviceRequest, DriverConfig, LogConfig, Mount, Ulimit

    size = f"size={spec.workspace_mib}m,nosuid,nodev"
    # A tmpfs volume and not a plain tmpfs mount: only volumes can be written and read through the engine's archives.
    options = f"{size},uid={_USER},gid={_USER},mode=0755,nr_inodes={_MAX_INODES}"
    driver = DriverConfig("local", {"type": "tmpfs", "device": "tmpfs", "o": options})
    mounts = [Mount("/workspace", name, type="volume", no_copy=True, labels=labels, driver_config=driver)]
    mounts += [Mount(inside, place, type="bind", read_only=True) for inside, place in ground.binds.items()]
    gpus = [DeviceRequest(device_ids=list(ground.gpus), capabilities=[["gpu"]])] if ground.gpus else []
    # What lies in the workspace is memory of the sandbox too, so its room comes on top of what programs may use.
    memory = (spec.memory_mib + spec.workspace_mib) * _MIB
    return client.containers.run(
        spec.image,
        ["sleep", "infinity"],
        name=name,
        detach=True,
        init=True,
        user=f"{_WARDEN}:{_WARDEN}",
        hostname="sandbox",
        working_dir="/workspace",
        environment={**_ENVIRONMENT, **spec.env},
        labels=labels,
        network_mode="none",
        read_only=True,
        tmpfs={"/tmp": f"{size},exec,mode=1777"},  # noqa: S108 - a path inside the sandbox
        mounts=mounts,
        cap_drop=["ALL"],
        security_opt=["no-new-privileges"],
        device_requests=gpus,
        pids_limit=spec.pids,
        mem_limit=memory,
        memswap_limit=memory,
        nano_cpus=int(spec.cpus * 1e9),
        ulimits=[
            Ulimit(name="fsize", soft=spec.file_mib * _MIB, hard=spec.file_mib * _MIB),
            Ulimit(name="core", soft=0, hard=0),
            Ulimit(name="nofile", soft=4096, hard=4096),
        ],
        log_config=LogConfig(type="none"),
        stdin_open=False,
        tty=False,
    )


def _labelled(client: "DockerClient", *, local: bool) -> list[tuple[Standing, Callable[[], None]]]:
    """What stands of sandboxes, containers before the volumes that they hold, each with what removes it."""
    local = local and client.api.base_url.startswith(("http+docker://", "npipe://"))
    with asking_engine("could not list old sandboxes"):
        containers = client.containers.list(all=True, filters={"label": OWNER_LABEL}, ignore_removed=True)
        volumes = client.volumes.list(filters={"label": OWNER_LABEL})
    found: list[tuple[Standing, Callable[[], None]]] = []
    for container in containers:
        standing = standing_of("container", str(container.name), container.labels, local=local)
        found.append((standing, partial(container.remove, force=True, v=True)))
    for volume in volumes:
        standing = standing_of("volume", volume.name, volume.attrs["Labels"], local=local)
        found.append((standing, partial(volume.remove, force=True)))
    return found


def _remove(client: "DockerClient", name: str) -> None:
    """Remove the container and the volume of one sandbox, if they are there; they may be in the making."""
    import docker.errors

    for _ in range(_REMOVALS):
        _gone(lambda: client.containers.get(name).remove(force=True, v=True))
        try:
            with asking_engine("could not remove a sandbox"):
                client.volumes.get(name).remove(force=True)
        except InfrastructureError as error:
            if isinstance(error.__cause__, docker.errors.NotFound):
                return
            if "volume is in use" not in str(error):
                raise
            time.sleep(0.1)
        else:
            return
    raise InfrastructureError(f"the Docker engine does not let go of the volume {name}; run reproducegym clean")


def _gone(removal: Callable[[], None]) -> None:
    """Remove something that may be gone already, or is just being removed by someone else."""
    import docker.errors

    try:
        with asking_engine("could not remove a sandbox"):
            removal()
    except InfrastructureError as error:
        if not isinstance(error.__cause__, docker.errors.NotFound) and "is already in progress" not in str(error):
            raise


def _no_image(image: str) -> str:
    return f"the Docker engine has no image {image} (make it: bash {shipped('docker', 'build-base.sh')})"


def _first_line(error: BaseException) -> str:
    """What stands at the bottom of an error of the SDK, which wraps the system's own several times."""
    inner: BaseException | None = error
    while inner is not None:
        if isinstance(inner, OSError) and inner.strerror:
            return inner.strerror
        nested = [argument for argument in inner.args if isinstance(argument, BaseException)]
        inner = nested[0] if nested else inner.__cause__ or inner.__context__
    return str(error).splitlines()[0]
