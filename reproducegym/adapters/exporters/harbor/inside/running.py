"""One run of a submission in the verifier's container: as a user of its own, watched, ended whole, one file taken."""

import contextlib
import ctypes
import os
import resource
import subprocess
import threading
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from reproducegym.adapters.exporters.harbor.inside.ground import SUBMISSION, WORKSPACE, lay, size_of
from reproducegym.adapters.exporters.harbor.inside.submission import RefusedError, read_plain
from reproducegym.pipeline.judging.drawing import PlannedRun, conditions_json, knobs_json

__all__ = ["Ended", "Terms", "run"]

_ENTRY = "reproduce.sh"
_OUT = f"{WORKSPACE}/out"
_ENVIRONMENT = {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": WORKSPACE, "LANG": "C.UTF-8"}
_FIRST_TO_GO = ("/bin/sh", "-c", 'echo 1000 >/proc/self/oom_score_adj; unset PWD; exec "$@"', "sh")
"""The kernel takes a run before the judge, where memory ends."""
_MIB = 2**20
_LOOK_S = 0.05
_MEASURE_S = 2.0
_KILLS = 500
_NO_NEW_PRIVILEGES = 38


@dataclass(frozen=True)
class Terms:
    """What a run may take: wall seconds, MiB of memory, of all its files and of one, processes, bytes of output."""

    budget_s: int
    memory_mib: int
    workspace_mib: int
    file_mib: int
    pids: int
    output_bytes: int
    metrics_bytes: int


@dataclass(frozen=True)
class Ended:
    """How a run ended, in the words of a run's record, and its table."""

    outcome: str
    exit_code: int | None
    detail: str
    seconds: float
    metrics_csv: bytes | None
    output: bytes


def run(plan: PlannedRun, files: Mapping[str, bytes], terms: Terms, uid: int) -> Ended:
    """Make one planned run on fresh ground; every process of `uid` is gone when it returns.

    Raises:
        RuntimeError: what runs cannot be ended: nothing that follows could be trusted.
        OSError: the container fails.
    """
    lay(files, {"in/conditions.json": conditions_json(plan), "in/knobs.json": knobs_json(plan.knobs)}, uid)
    Path(_OUT).mkdir(0o755)
    os.chown(_OUT, uid, uid)
    environment = {
        **_ENVIRONMENT,
        "REPRODUCEGYM_SEED": str(plan.seed),
        "REPRODUCEGYM_OUT": _OUT,
        "REPRODUCEGYM_BUDGET_S": str(terms.budget_s),
        "REPRODUCEGYM_CONDITIONS": f"{WORKSPACE}/in/conditions.json",
        "REPRODUCEGYM_KNOBS": f"{WORKSPACE}/in/knobs.json",
    }
    began = time.monotonic()
    with subprocess.Popen(
        [*_FIRST_TO_GO, "/bin/bash", f"{SUBMISSION}/{_ENTRY}"],
        cwd=SUBMISSION,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        user=uid,
        group=uid,
        extra_groups=[],
        umask=0o022,
        start_new_session=True,
        preexec_fn=lambda: _confine(terms),  # noqa: PLW1509 - no thread of ours runs when it forks
    ) as process:
        kept = _Output(process, terms.output_bytes)
        broken = _watched(process, terms, uid, began)
        seconds = time.monotonic() - began
        _end(uid)
        process.wait()
        kept.thread.join()
    if broken is not None:
        outcome, detail = broken
        return Ended(outcome, None, detail, seconds, None, kept.head)
    if process.returncode != 0:
        detail = f"{_ENTRY} ended with exit code {process.returncode}"
        return Ended("nonzero_exit", process.returncode, detail, seconds, None, kept.head)
    return _measured(terms, seconds, kept.head)


def _measured(terms: Terms, seconds: float, output: bytes) -> Ended:
    if not os.path.lexists(f"{_OUT}/metrics.csv"):
        return Ended("no_output", 0, "no metrics.csv in $REPRODUCEGYM_OUT", seconds, None, output)
    try:
        table = read_plain(f"{_OUT}/metrics.csv", terms.metrics_bytes)
    except RefusedError as error:
        return Ended("refused", 0, str(error), seconds, None, output)
    if table is None:
        return Ended("refused", 0, "metrics.csv is no plain file with one name", seconds, None, output)
    return Ended("ok", 0, "", seconds, table, output)


def _confine(terms: Terms) -> None:
    """Limits of the run's own process and of all that come from it."""
    ctypes.CDLL(None).prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    most = ((resource.RLIMIT_NPROC, terms.pids), (resource.RLIMIT_FSIZE, terms.file_mib * _MIB))
    for kind, value in (*most, (resource.RLIMIT_CORE, 0), (resource.RLIMIT_NOFILE, 4096)):
        resource.setrlimit(kind, (value, value))


class _Output:
    """Takes all that a run prints, and keeps the beginning."""

    def __init__(self, process: "subprocess.Popen[bytes]", most: int) -> None:
        self.head = b""
        self._most = most
        self.thread = threading.Thread(target=self._read, args=(process,), daemon=True)
        self.thread.start()

    def _read(self, process: "subprocess.Popen[bytes]") -> None:
        assert process.stdout is not None
        while chunk := os.read(process.stdout.fileno(), 65536):
            self.head += chunk[: self._most - len(self.head)]


def _watched(process: "subprocess.Popen[bytes]", terms: Terms, uid: int, began: float) -> tuple[str, str] | None:
    """None where the run ended by itself; else in a word and a line what it went beyond."""
    measured = began
    while process.poll() is None:
        now = time.monotonic()
        if now - began > terms.budget_s:
            return "timeout", f"not done after {terms.budget_s} s"
        if _memory(uid) > terms.memory_mib * _MIB:
            return "out_of_memory", f"more than {terms.memory_mib} MiB were needed"
        if now - measured > _MEASURE_S:
            measured = now
            if size_of(terms.workspace_mib * _MIB) > terms.workspace_mib * _MIB:
                return "refused", f"more than {terms.workspace_mib} MiB were written"
        time.sleep(_LOOK_S)
    return None


def _of(uid: int) -> Iterator[Path]:
    """Directories in /proc of what runs as a user."""
    for place in Path("/proc").iterdir():
        if place.name.isdigit():
            with contextlib.suppress(OSError):  # it ended meanwhile
                lines = (place / "status").read_text("utf-8", "replace").splitlines()
                told = dict(line.split(":", 1) for line in lines if ":" in line)
                if told["Uid"].split()[0] == str(uid) and told["State"].split()[0] not in "ZX":
                    yield place


def _memory(uid: int) -> int:
    """Bytes of memory that hang on a user's processes."""
    total = 0
    for place in _of(uid):
        with contextlib.suppress(OSError):
            total += int((place / "statm").read_text("ascii").split()[1])
    return total * resource.getpagesize()


def _end(uid: int) -> None:
    """Kill all that runs as a user, and remove what of it outlives processes."""
    for _ in range(_KILLS):
        # As the user itself: one signal reaches all of its processes at once, those that fork too, and no other.
        subprocess.run(["/bin/bash", "-c", "kill -9 -1"], user=uid, group=uid, extra_groups=[], check=False)
        if not any(_of(uid)):
            break
        time.sleep(0.02)
    else:
        raise RuntimeError(f"processes of user {uid} cannot be ended")
    subprocess.run(["/usr/bin/ipcrm", "--all"], user=uid, group=uid, extra_groups=[], check=True)
