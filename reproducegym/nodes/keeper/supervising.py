"""The supervisor of one job: in a session of its own, it keeps the output, the time, and how the job ended."""

from __future__ import annotations

import contextlib
import ctypes
import fcntl
import json
import os
import select
import signal
import subprocess
import sys
import time
import traceback
from collections.abc import Sequence
from pathlib import Path
from types import FrameType
from typing import NoReturn

from reproducegym.nodes.keeper.confine import environment
from reproducegym.nodes.keeper.ground import Asked, stamp, write_whole

__all__ = ["STATE_BYTES", "supervise"]

STATE_BYTES = 256
_BEAT_S = 10.0
_READ = 1 << 16
_PR_SET_CHILD_SUBREAPER = 36


class _StoppedError(BaseException):
    """Somebody wants the job to end."""


def supervise(asked: Asked, run: Path, place: Path, line: Sequence[str], gpus: Sequence[str], telling: int) -> NoReturn:
    """Run the command to its end, its time-out or a SIGTERM; the process ends with it."""
    try:
        _let_go(telling)
        signal.signal(signal.SIGTERM, _stop)
        # What a command leaves behind comes to us when its parent ends, so that it can be ended too.
        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        alive = os.open(place / "alive", os.O_RDWR | os.O_CREAT, 0o600)
        fcntl.flock(alive, fcntl.LOCK_EX)
        write_whole(place / "job.json", {"pid": os.getpid(), "argv": asked["argv"]})
        stamp(run / "jobs.beat")
        command = subprocess.Popen(
            line,
            cwd=run / "work",
            env=environment(run, gpus),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    except BaseException as error:  # noqa: BLE001 - whatever it is goes to who asked, and the process ends
        os.write(telling, "".join(traceback.format_exception_only(type(error), error)).strip().encode())
        os._exit(1)
    os.write(telling, b"started")
    os.close(telling)
    try:
        _watch(asked, run, place, command)
    finally:
        os._exit(0)


def _let_go(kept: int) -> None:
    """Of the connection: it may end without us, and must not wait for us."""
    null = os.open(os.devnull, os.O_RDWR)
    for handle in (0, 1, 2):
        os.dup2(null, handle)
    for handle in [int(entry.name) for entry in Path("/proc/self/fd").iterdir()]:
        if handle > 2 and handle != kept:
            with contextlib.suppress(OSError):
                os.close(handle)
    sys.stdout = sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115 - for good


def _stop(_number: int, _frame: FrameType | None) -> None:
    raise _StoppedError


def _watch(asked: Asked, run: Path, place: Path, command: subprocess.Popen[bytes]) -> None:
    began = time.monotonic()
    deadline = began + float(str(asked["timeout_s"]))
    log = _Log(place / "log", int(str(asked["log_bytes"])))
    why = ""
    try:
        if not _run_out(command, log, run, deadline):
            why = "timeout"
    except _StoppedError:
        why = "stopped"
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    _end_all(command)
    code = command.wait() if not why else None
    told = {"exit_code": _shell_code(code), "why": why, "seconds": round(time.monotonic() - began, 3)}
    text = json.dumps({**told, "dropped": log.dropped}).ljust(STATE_BYTES - 1) + "\n"
    handle = os.open(place / "state", os.O_WRONLY)
    os.pwrite(handle, text.encode(), 0)
    os.close(handle)


def _run_out(command: subprocess.Popen[bytes], log: _Log, run: Path, deadline: float) -> bool:
    """Take the output until the command has ended; False when the deadline came first."""
    if command.stdout is None:
        return True
    pipe = command.stdout.fileno()
    os.set_blocking(pipe, False)
    beaten, closed = time.monotonic(), False
    while time.monotonic() < deadline:
        if time.monotonic() - beaten > _BEAT_S:
            beaten = time.monotonic()
            with contextlib.suppress(OSError):  # a run that was cleaned up has no beat: its job is ended next
                stamp(run / "jobs.beat")
        ended = command.poll() is not None
        if closed:
            time.sleep(0.02)
        elif select.select([pipe], [], [], 0 if ended else 0.2)[0]:
            data = os.read(pipe, _READ)
            closed = not data
            log.take(data)
            continue
        if ended:
            return True
    return False


def _end_all(command: subprocess.Popen[bytes]) -> None:
    """Kill the command and whatever it left, until nothing descends from us any more."""
    for _ in range(500):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(command.pid, signal.SIGKILL)
        children = [int(pid) for pid in Path(f"/proc/self/task/{os.getpid()}/children").read_text("ascii").split()]
        for pid in children:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
            if pid != command.pid:
                with contextlib.suppress(ChildProcessError):
                    os.waitpid(pid, os.WNOHANG)
        if command.poll() is not None and not [pid for pid in children if pid != command.pid]:
            return
        time.sleep(0.01)


def _shell_code(code: int | None) -> int | None:
    return 128 - code if code is not None and code < 0 else code


class _Log:
    """The output of a job, up to a size; what finds no room is dropped and counted, and the job goes on."""

    def __init__(self, path: Path, limit: int) -> None:
        self._handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_NOFOLLOW)
        self._room = limit
        self.dropped = 0

    def take(self, data: bytes) -> None:
        """Keep it, or as much of it as there is room for."""
        kept = data[: self._room]
        written = 0
        with contextlib.suppress(OSError):  # no room on the disk
            written = os.write(self._handle, kept) if kept else 0
        self._room -= written
        self.dropped += len(data) - written
