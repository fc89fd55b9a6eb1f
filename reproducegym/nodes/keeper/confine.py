"""The command line by which an agent's command runs on the node: held by bubblewrap, without a network."""

from __future__ import annotations

import re
import shutil
from collections.abc import Sequence
from pathlib import Path

from reproducegym.nodes.keeper.ground import Asked, RefusedError

__all__ = ["command_line", "environment"]

_UID = "12345"
_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
# What the drivers of NVIDIA and AMD want besides the device of the GPU itself.
_DEVICES = ("/dev/nvidiactl", "/dev/nvidia-uvm", "/dev/nvidia-uvm-tools", "/dev/nvidia-modeset", "/dev/kfd", "/dev/dri")
_HIDDEN = ("/tmp", "/var/tmp", "/run", "/home", "/root", "/mnt", "/media", "/srv")  # noqa: S108 - paths to hide


def environment(run: Path, gpus: Sequence[str]) -> dict[str, str]:
    """All that a command finds: nothing of the account's own, and the GPUs of the run alone."""
    work = str(run / "work")
    visible = ",".join(gpus)
    return {
        "PATH": _PATH,
        "HOME": work,
        "LANG": "C.UTF-8",
        "TMPDIR": "/tmp",  # noqa: S108 - the command's own
        "CUDA_VISIBLE_DEVICES": visible,
        "HIP_VISIBLE_DEVICES": visible,
        "REPRODUCEGYM_RUN": run.name,
    }


def command_line(asked: Asked, run: Path, root: Path, gpus: Sequence[str]) -> list[str]:
    """The command with what holds it and what goes before it.

    Raises:
        RefusedError: the command or its directory is none, or bubblewrap is missing.
    """
    argv = asked["argv"]
    if not isinstance(argv, list) or not argv or not all(isinstance(word, str) and "\0" not in word for word in argv):
        raise RefusedError("a command is a list of words")
    work = run / "work"
    cwd = str(asked.get("cwd") or ".")
    if cwd.startswith("/") or ".." in cwd.split("/"):
        raise RefusedError(f"the directory {cwd[:100]!r} is not below the run's own")
    inner = ["/bin/sh", "-c", f'cd -- "$0" || exit 126\n{asked["prelude"]}\nexec "$@"', cwd, *argv]
    if asked["confine"] == "none":
        return inner
    bwrap = shutil.which("bwrap")
    if bwrap is None:
        raise RefusedError("there is no bwrap on the node, which holds an agent's commands; install bubblewrap")
    line = [bwrap, "--unshare-all", "--unshare-user", "--die-with-parent", "--new-session", "--cap-drop", "ALL"]
    line += ["--uid", _UID, "--gid", _UID, "--hostname", "node", "--ro-bind", "/", "/", "--proc", "/proc"]
    line += ["--dev", "/dev"]
    for device in _devices(gpus):
        line += ["--dev-bind-try", device, device]
    for place in _HIDDEN:
        if Path(place).is_dir() and not Path(place).is_symlink():
            line += ["--tmpfs", place]
    if not _below(root, _HIDDEN):
        line += ["--tmpfs", str(root)]
    shown = asked["visible"]
    for place in shown if isinstance(shown, list) else []:
        line += ["--ro-bind-try", str(place), str(place)]
    line += ["--bind", str(work), str(work), "--chdir", str(work), "--clearenv"]
    for name, value in environment(run, gpus).items():
        line += ["--setenv", name, value]
    return [*line, "--", *inner]


def _below(root: Path, places: Sequence[str]) -> bool:
    return any(str(root).startswith(place + "/") for place in places)


def _devices(gpus: Sequence[str]) -> list[str]:
    """The devices of the leased GPUs: those by number where all ids are numbers, else every one there is."""
    if not gpus:
        return []
    if all(gpu.isdecimal() for gpu in gpus):
        own = [f"/dev/nvidia{gpu}" for gpu in gpus]
    else:
        own = sorted(str(place) for place in Path("/dev").iterdir() if re.fullmatch(r"nvidia\d+", place.name))
    return [*own, *_DEVICES]
