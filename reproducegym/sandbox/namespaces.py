"""Sandboxes of Linux namespaces on this machine, with bubblewrap or util-linux alone; no engine, no root needed."""

import contextlib
import hashlib
import json
import platform
import shutil
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from reproducegym.errors import InfrastructureError, ReproduceGymError
from reproducegym.ports import Availability, Door, SandboxBox, SandboxSpec, Standing
from reproducegym.sandbox.cgroup import make_cgroup, remove_cgroups
from reproducegym.sandbox.door import DOOR, DOORS, open_door
from reproducegym.sandbox.holder import held_workspace
from reproducegym.sandbox.inner_root import TOOL_PATH, interpreter, lay_out, search_path
from reproducegym.sandbox.labels import TTL_S, labels_of, standing_of
from reproducegym.sandbox.living import destroyed_on_signals, living
from reproducegym.sandbox.namespaces_box import NamespacesBox, Way
from reproducegym.sandbox.staging import MOUNT_COPY, readable_by_all
from reproducegym.scratch import abandoned, belonging, scratch_directory, sweep

__all__ = ["NamespacesSandbox"]

_MIB = 2**20
_NEEDED = ("unshare", "nsenter", "setpriv", "prlimit", "mount", "umount", "pivot_root", "bash", "env")
_ENVIRONMENT = {"HOME": "/workspace", "LANG": "C.UTF-8"}
_INSTALL = "install bubblewrap and util-linux, and allow user namespaces, or start a Docker engine"
_PURPOSE = "box"
_LABELS = "labels.json"


class NamespacesSandbox:
    """The `namespaces` backend. `way` forces bubblewrap or unshare; None takes bubblewrap where it is installed."""

    name = "namespaces"

    def __init__(self, way: Way | None = None, *, ttl_s: float = TTL_S) -> None:
        self._reaped = False
        self._ttl_s = ttl_s
        self._way: Way = way or ("bubblewrap" if shutil.which("bwrap", path=TOOL_PATH) else "unshare")

    def availability(self) -> Availability:
        """Make a sandbox and run a command in it."""
        missing = [tool for tool in self._tools() if shutil.which(tool, path=TOOL_PATH) is None]
        if sys.platform != "linux" or missing:
            what = f"{', '.join(missing)} missing" if missing else f"{platform.system()} has no namespaces"
            return Availability(works=False, detail=f"{what}: {_INSTALL}")
        spec = SandboxSpec("availability", "", {}, {}, 512, 1.0, 32, 4, 4)
        try:
            with self.create(spec) as box:
                ended = box.exec(["/bin/bash", "-c", "exit 7"], timeout_s=20.0, output_bytes=4096)
        except ReproduceGymError as error:
            return Availability(works=False, detail=f"{str(error).splitlines()[0]}: {_INSTALL}")
        if ended.exit_code != 7:
            return Availability(works=False, detail=f"a command in a namespace sandbox did not end well: {_INSTALL}")
        return Availability(works=True, detail=f"Linux namespaces with {self._way}")

    def image_id(self, image: str) -> str:
        """A digest of what stands in for an image: the interpreters, the installed packages, the machine's release.

        The name `image` plays no part: inside is always this machine's own software.
        """
        return f"sha256:{_software_digest()}"

    @contextlib.contextmanager
    def create(self, spec: SandboxSpec) -> Iterator[SandboxBox]:
        """Make a sandbox; all of it is gone when the context is left, and nothing runs on when this process dies.

        The first call also removes what dead processes left behind.
        """
        if not self._reaped:
            self._reaped = True
            self.reap()
        with contextlib.ExitStack() as stack:
            stack.enter_context(destroyed_on_signals())
            home = stack.enter_context(_home(labels_of(spec.run_id, self._ttl_s)))
            mounts = {inside: stack.enter_context(readable_by_all(path)) for inside, path in spec.read_only.items()}
            door: Door | None = None
            if spec.door:
                mounts[DOOR], door = stack.enter_context(open_door(spec.door))
            root = lay_out(home / "etc", home / "workspace", mounts, spec.workspace_mib)
            memory = (spec.memory_mib + spec.workspace_mib) * _MIB
            cgroup = make_cgroup(home.name, memory=memory, pids=spec.pids, cpus=spec.cpus)
            if cgroup is not None:
                stack.callback(cgroup.remove)
            holder = stack.enter_context(held_workspace(home / "workspace", spec.workspace_mib))
            box = NamespacesBox(
                spec,
                way=self._way,
                root=root,
                mount_point=home / "root",
                holder=holder,
                cgroup=cgroup,
                door=door,
                env={"PATH": search_path(), **_ENVIRONMENT, **spec.env},
            )
            stack.callback(living(box.destroy))
            yield box

    def standing(self) -> tuple[Standing, ...]:
        """The directory of every sandbox of this user; its control group has the same name."""
        return tuple(standing for _, standing in _homes())

    def reap(self) -> int:
        """Remove directories and control groups that dead processes left (their own died with them) or that expired."""
        removed = sweep(MOUNT_COPY, DOORS)
        for home, standing in _homes():
            if not (standing.dead or standing.expired):
                continue
            with contextlib.suppress(FileNotFoundError):  # another process reaps at the same moment
                remove_cgroups(home.name)
                shutil.rmtree(home)
                removed += 1
        return removed

    def _tools(self) -> tuple[str, ...]:
        return (*_NEEDED, "bwrap" if self._way == "bubblewrap" else "hostname")


@contextlib.contextmanager
def _home(labels: dict[str, str]) -> Iterator[Path]:
    """A private directory for one sandbox, with its labels."""
    with contextlib.ExitStack() as stack:
        try:
            home = stack.enter_context(scratch_directory(_PURPOSE))
            for name in ("etc", "workspace", "root"):
                (home / name).mkdir()
            (home / _LABELS).write_text(json.dumps(labels), "utf-8")
        except OSError as error:
            raise InfrastructureError(f"this machine could not make a sandbox: {error}") from error
        yield home


def _homes() -> Iterator[tuple[Path, Standing]]:
    """Every sandbox's directory; one whose labels are not written yet is judged by the owner in its name."""
    gone = set(abandoned(_PURPOSE))
    for home in belonging(_PURPOSE):
        try:
            labels: dict[str, str] = json.loads((home / _LABELS).read_text("utf-8"))
        except (FileNotFoundError, ValueError):
            labels = {}
        standing = standing_of("directory", home.name, labels, local=True)
        yield home, replace(standing, dead=home in gone)


def _software_digest() -> str:
    """What runs inside: the system's release, both Pythons, and all packages that they can import."""
    described = [platform.machine(), sys.version, str(interpreter())]
    release = Path("/etc/os-release")
    described.append(release.read_text("utf-8") if release.is_file() else "")
    system = Path("/usr/bin/python3")
    described.append(hashlib.sha256(system.read_bytes()).hexdigest() if system.is_file() else "")
    for place in (*sys.path, "/usr/lib/python3/dist-packages"):
        described += sorted(packages.name for packages in Path(place).glob("*-info"))
    return hashlib.sha256("\n".join(described).encode()).hexdigest()
