"""Runs inside a sandbox, as a program of its own: lays a project out, runs its command, and tells how that ended.

    python3 -I -S begin.py

reads /workspace/order.json and removes it, prints `begun` before anything of the project runs, and one line of JSON at
the end. The project is somebody else's code under the same uid: this process hides from it (no memory, no descriptors
of it can be opened), and believes of the project's process only its state (see sitecustomize), once.
"""

import ctypes
import json
import os
import platform
import select
import shutil
import sys
from pathlib import Path
from typing import TypedDict

__all__ = ["main"]

WORKSPACE = Path("/workspace")
GIVEN = WORKSPACE / "given"
ORDER = WORKSPACE / "order.json"
STATE = "REPRODUCEGYM_STATE"
_TAIL = 4000
_MOST_STATE = 1 << 18
_CHUNK = 1 << 16
_PR_SET_DUMPABLE = 4


class Order(TypedDict):
    """What to run: files of `given/` in the order in which they are made below `place`, and the circumstances."""

    place: str
    files: list[str]
    written_at: float
    command: list[str]
    processor: int
    processes: int
    environment: dict[str, str]


def main() -> None:
    """Lay out, run, tell."""
    ctypes.CDLL(None).prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)
    order: Order = json.loads(ORDER.read_text("utf-8"))
    ORDER.unlink()
    place = WORKSPACE / order["place"]
    _lay_out(place, order)
    processors = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {processors[order["processor"] % len(processors)]})
    for _ in range(order["processes"]):  # so that the project's process has another number
        child = os.fork()
        if child == 0:
            os._exit(0)
        os.waitpid(child, 0)
    sys.stdout.write("begun\n")
    sys.stdout.flush()
    code, said, told = _run(place, order)
    line = {"exit_code": code, "output": said.decode("utf-8", "replace"), "python": platform.python_version()}
    sys.stdout.write(json.dumps({**line, "state": told.decode("utf-8", "replace")}) + "\n")


def _lay_out(place: Path, order: Order) -> None:
    """Make the files, in this order: a directory of the workspace lists what it holds by when it was made."""
    place.mkdir(parents=True)
    (WORKSPACE / order["environment"]["HOME"]).mkdir(exist_ok=True)
    for name in order["files"]:
        path = place / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes((GIVEN / name).read_bytes())
        os.utime(path, (order["written_at"], order["written_at"]))
    shutil.rmtree(GIVEN, ignore_errors=True)


def _run(place: Path, order: Order) -> tuple[int, bytes, bytes]:
    """Exit code of the command (128 + number of a signal), the end of what it printed, what it told of itself."""
    printed, printing = os.pipe()
    told, telling = os.pipe()
    read_mark, write_mark = os.pipe()
    mark = os.urandom(16).hex().encode()
    os.write(write_mark, mark)
    os.close(write_mark)
    child = os.fork()
    if child == 0:
        _become(place, order, printing, (telling, read_mark))
    for one in (printing, telling, read_mark):
        os.close(one)
    said, state = _follow(child, printed, told)
    _, status = os.waitpid(child, 0)
    code = os.waitstatus_to_exitcode(status)
    return (code if code >= 0 else 128 - code), said, _own(state, mark)


def _become(place: Path, order: Order, printing: int, state: tuple[int, int]) -> None:
    """In the child: become the project's command."""
    os.chdir(place)
    nothing = os.open(os.devnull, os.O_RDONLY)
    for source, target in ((nothing, 0), (printing, 1), (printing, 2)):
        os.dup2(source, target)
    for one in state:
        os.set_inheritable(one, True)
    environment = {**order["environment"], STATE: "{},{}".format(*state)}
    environment["HOME"] = str(WORKSPACE / environment["HOME"])
    try:
        os.execvpe(order["command"][0], order["command"], environment)  # noqa: S606 - no shell is wanted
    except OSError as error:
        os.write(2, f"{order['command'][0]}: {error.strerror}\n".encode())
    os._exit(127)


def _follow(child: int, printed: int, told: int) -> tuple[bytes, bytes]:
    """Take what comes until the process has ended; what it left running may keep its pipes open, and is let be."""
    end = os.pidfd_open(child)
    kept = {printed: b"", told: b""}
    open_ones = {printed, told}
    ended = False
    while True:
        ready, _, _ = select.select([*open_ones, *([] if ended else [end])], [], [], 0 if ended else None)
        ended = ended or end in ready
        readable = [one for one in ready if one != end]
        if ended and not readable:
            return kept[printed], kept[told]
        for one in readable:
            chunk = os.read(one, _CHUNK)
            if not chunk:
                open_ones.discard(one)
            kept[one] = (kept[one] + chunk)[-_TAIL:] if one == printed else (kept[one] + chunk)[: _MOST_STATE + 1]
        if ended and kept[told][_MOST_STATE:]:
            return kept[printed], kept[told]


def _own(state: bytes, mark: bytes) -> bytes:
    """The one line that bears the mark, which is given to the process once; nothing where others stand there too."""
    lines = state[:_MOST_STATE].splitlines()
    if len(lines) != 1 or len(state) > _MOST_STATE or not lines[0].startswith(mark + b" "):
        return b""
    return lines[0].removeprefix(mark + b" ")


if __name__ == "__main__":
    main()
