"""Runs inside a sandbox: does what is asked of it through the door, one request a line, one answer a line.

It is run as a file by the sandbox's own Python alone: hand.py SOCKET. Commands go on in the background for as long as
it lives; what each of them prints is kept whole in a file, of which answers show the head and the tail.
"""

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

__all__ = ()

_LOGS = Path("/tmp/commands")  # noqa: S108 - inside the sandbox


class _RefusedError(Exception):
    """A request that cannot be done, in words for whoever asked."""


class _Job:
    """One command, and how much of its output has been shown."""

    def __init__(self, number: int, command: str, cwd: str) -> None:
        self.log = _LOGS / f"{number}.log"
        self.shown = 0
        with self.log.open("wb") as output:
            self.process = subprocess.Popen(
                ["/bin/bash", "-c", command],
                cwd=cwd,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def ended_within(self, seconds: float) -> bool:
        """Whether it is done at the latest after some seconds."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(seconds)
        return self.process.returncode is not None

    def kill(self) -> None:
        """Kill it with all that it started and that stayed in its session."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def output(self, limit: int) -> dict[str, object]:
        """What it printed since the last look: head and tail, and how many bytes between them were left out."""
        size = self.log.stat().st_size
        start, self.shown = self.shown, size
        with self.log.open("rb") as log:
            log.seek(start)
            if size - start <= limit:
                return {"output": log.read(limit).decode("utf-8", "replace"), "left_out": 0}
            head = log.read(limit // 2)
            log.seek(size - limit // 2)
            tail = log.read(limit // 2)
        words = {"output": head.decode("utf-8", "replace"), "tail": tail.decode("utf-8", "replace")}
        return {**words, "left_out": size - start - 2 * (limit // 2)}


class _Hand:
    def __init__(self) -> None:
        self._jobs: dict[int, _Job] = {}
        _LOGS.mkdir(exist_ok=True)
        self._first = len(list(_LOGS.iterdir()))

    def answer(self, asked: dict[str, object]) -> dict[str, object]:
        """Do one request."""
        kinds = {"bash": self._bash, "poll": self._poll, "stop": self._stop, "read": _read, "write": _write}
        try:
            return {"ok": True, **kinds[str(asked["do"])](asked)}
        except _RefusedError as error:
            return {"ok": False, "error": str(error)}
        except OSError as error:
            return {"ok": False, "error": f"{error.filename or ''}: {error.strerror}".removeprefix(": ")}

    def _bash(self, asked: dict[str, object]) -> dict[str, object]:
        number = self._first + len(self._jobs) + 1
        job = self._jobs[number] = _Job(number, str(asked["command"]), str(asked["cwd"]))
        if asked["background"]:
            return self._state(number, job, 0.2, asked)
        timed_out = not job.ended_within(float(str(asked["timeout_s"])))
        if timed_out:
            job.kill()
        return {**self._state(number, job, 0.0, asked), "timed_out": timed_out}

    def _poll(self, asked: dict[str, object]) -> dict[str, object]:
        number, job = self._known(asked)
        return self._state(number, job, float(str(asked["wait_s"])), asked)

    def _stop(self, asked: dict[str, object]) -> dict[str, object]:
        number, job = self._known(asked)
        job.kill()
        return self._state(number, job, 0.0, asked)

    def _known(self, asked: dict[str, object]) -> tuple[int, _Job]:
        number = int(str(asked["job"]))
        if number not in self._jobs:
            raise _RefusedError(f"there is no job {number}; there are: {', '.join(map(str, self._jobs)) or 'none'}")
        return number, self._jobs[number]

    def _state(self, number: int, job: _Job, wait_s: float, asked: dict[str, object]) -> dict[str, object]:
        job.ended_within(wait_s)
        code = job.process.returncode
        ended = None if code is None else (code if code >= 0 else 128 - code)
        return {"job": number, "exit_code": ended, "log": str(job.log), **job.output(int(str(asked["limit"])))}


def _read(asked: dict[str, object]) -> dict[str, object]:
    """Some lines of a text file, from line `first` (1 is the first)."""
    path, first, count, limit = (asked[name] for name in ("path", "first", "count", "limit"))
    lines: list[str] = []
    size = 0
    more = False
    with Path(str(path)).open(encoding="utf-8", errors="replace") as file:
        for number, line in enumerate(file, 1):
            if number < int(str(first)):
                continue
            if len(lines) == int(str(count)) or size + len(line) > int(str(limit)):
                more = True
                break
            lines.append(line)
            size += len(line)
    return {"output": "".join(lines), "more": more}


def _write(asked: dict[str, object]) -> dict[str, object]:
    path = Path(str(asked["path"]))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(str(asked["content"]), "utf-8")
    return {"bytes": path.stat().st_size}


def _main(place: str) -> None:
    os.chdir("/workspace")
    hand = _Hand()
    with socket.socket(socket.AF_UNIX) as door:
        door.connect(place)
        with door.makefile("rb") as requests:
            for line in requests:
                told = json.dumps(hand.answer(json.loads(line))) + "\n"
                door.sendall(told.encode())


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    _main(sys.argv[1])
