"""Sandboxes: make one, run `true`, remove it, against the engine's own floor."""

import shutil

from benchmarks.timing import Row, command, paired
from reproducegym.ports import Sandbox, SandboxSpec
from reproducegym.sandbox.docker import DockerSandbox
from reproducegym.sandbox.namespaces import NamespacesSandbox

__all__ = ["rows"]

_TIMES = 9
_IMAGE = "reproducegym/base"


def rows() -> list[Row]:
    """One row for each backend that works here."""
    floors: list[tuple[Sandbox, str, list[str]]] = []
    if shutil.which("unshare"):
        floor = ["unshare", "--user", "--map-root-user", "--net", "--pid", "--fork", "--ipc", "--uts", "true"]
        floors.append((NamespacesSandbox(), "unshare … true", floor))
    if shutil.which("docker"):
        floor = ["docker", "run", "--rm", "--network", "none", _IMAGE, "true"]
        floors.append((DockerSandbox(), "docker run … true", floor))
    found = []
    for sandbox, name, floor in floors:
        if sandbox.availability().works:
            ours, bare, ratio = paired(lambda sandbox=sandbox: _once(sandbox), command(floor), _TIMES)
            what = f"{sandbox.name}: make a sandbox, run `true`, remove it (against `{name}`)"
            found.append(Row(what, f"{1000 * ours:.0f} ms", f"{1000 * bare:.0f} ms", f"{ratio:.1f}"))
    return found


def _once(sandbox: Sandbox) -> None:
    spec = SandboxSpec(
        run_id="bench",
        image=_IMAGE,
        env={},
        read_only={},
        memory_mib=512,
        cpus=1.0,
        pids=64,
        workspace_mib=64,
        file_mib=64,
    )
    with sandbox.create(spec) as box:
        ended = box.exec(["/bin/true"], timeout_s=30, output_bytes=1024)
    assert ended.exit_code == 0, ended.output
