"""Jobs of a run: each under a supervisor of its own, which outlives the connection and is asked how the job is."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import select
import signal
import time
from dataclasses import dataclass
from pathlib import Path

from reproducegym.nodes.keeper.confine import command_line
from reproducegym.nodes.keeper.ground import Asked, Places, RefusedError, chunk, named, tell
from reproducegym.nodes.keeper.leases import held_by
from reproducegym.nodes.keeper.supervising import STATE_BYTES, supervise

__all__ = ["follow", "jobs_of", "logs", "poll", "start", "stop", "stop_all"]

_POLL_S = 0.05
_STOP_S = 10.0
_BORN_S = 2.0
_READ = 1 << 16


def start(asked: Asked) -> None:
    """Start a job under a name; asked again under the same name it is the same job, and nothing is started twice."""
    places = Places(str(asked["workdir"]))
    run, name = places.run(asked), named(asked, "job")
    place = run / "jobs" / name
    line = command_line(asked, run, places.root, held_by(places, run.name))
    try:
        place.mkdir(mode=0o700)
    except FileExistsError:
        tell(job=name, started=False)
        return
    (place / "log").touch(mode=0o600)
    (place / "state").write_bytes(b" " * STATE_BYTES)  # its room is there then, whatever fills the disk later
    told, telling = os.pipe()
    child = os.fork()
    if child == 0:
        os.setsid()
        if os.fork() == 0:
            os.close(told)
            supervise(asked, run, place, line, held_by(places, run.name), telling)
        os._exit(0)
    os.close(telling)
    os.waitpid(child, 0)
    with os.fdopen(told, "rb") as reader:
        said = reader.read()
    if said != b"started":
        raise RefusedError(f"the job could not be started: {said.decode('utf-8', 'replace') or 'its supervisor died'}")
    tell(job=name, started=True)


@dataclass(frozen=True)
class State:
    """How a job is: `running`, `ended` (`exit_code`, or `why` it was ended: `timeout`, `stopped`), or `lost`."""

    state: str
    exit_code: int | None
    why: str
    seconds: float
    log_bytes: int
    dropped_bytes: int


def state_of(place: Path) -> State:
    """Read from what the supervisor left; one that died without a word has lost its job."""
    if not place.is_dir():
        raise RefusedError(f"there is no job {place.name}")
    alive = _is_supervised(place)  # before the state is read: what ends in between has written it
    size = (place / "log").stat().st_size
    text = (place / "state").read_bytes().decode("ascii", "replace").strip()
    if text:
        told = json.loads(text)
        return State("ended", told["exit_code"], told["why"], told["seconds"], size, told["dropped"])
    began = place.stat().st_ctime
    if alive or time.time() - began < _BORN_S:
        return State("running", None, "", max(0.0, time.time() - (place / "job.json").stat().st_mtime), size, 0)
    return State("lost", None, "its supervisor was killed, or the node was started anew", 0.0, size, 0)


def poll(asked: Asked) -> None:
    """How a job is now."""
    _tell_state(state_of(_place(asked)))


def logs(asked: Asked) -> None:
    """A piece of a job's output from a byte on, then how it is."""
    place, left, at = _place(asked), int(str(asked["max_bytes"])), int(str(asked["offset"]))
    state = state_of(place)
    with (place / "log").open("rb") as log:
        log.seek(at)
        while left > 0 and (data := log.read(min(left, _READ))):
            chunk(data)
            left -= len(data)
    _tell_state(state)


def follow(asked: Asked) -> None:
    """A job's output from a byte on, as it comes, then how it ended."""
    place, at = _place(asked), int(str(asked["offset"]))
    reader = select.poll()
    reader.register(1, 0)
    with (place / "log").open("rb") as log:
        log.seek(at)
        while not reader.poll(0):  # until nobody reads any more: the connection has ended
            state = state_of(place)
            while data := log.read(_READ):
                chunk(data)
            if state.state != "running":
                _tell_state(state)
                return
            time.sleep(_POLL_S)


def stop(asked: Asked) -> None:
    """End a job with all that it started; tells how it is then."""
    place = _place(asked)
    _stop(place)
    _tell_state(state_of(place))


def jobs_of(run: Path) -> list[Path]:
    """The jobs of a run."""
    return sorted((run / "jobs").glob("*")) if (run / "jobs").is_dir() else []


def stop_all(run: Path) -> int:
    """End all that runs for a run; returns how many jobs that were."""
    running = [place for place in jobs_of(run) if state_of(place).state == "running"]
    for place in running:
        _stop(place)
    return len(running)


def _stop(place: Path) -> None:
    end = time.monotonic() + _STOP_S
    while state_of(place).state == "running" and time.monotonic() < end:
        if _is_supervised(place):
            pid = int(json.loads((place / "job.json").read_text("utf-8"))["pid"])
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGTERM)
        time.sleep(_POLL_S)


def _is_supervised(place: Path) -> bool:
    """Whether the supervisor lives: it holds a lock for as long as it does, which no other process can seem to do."""
    try:
        handle = os.open(place / "alive", os.O_RDWR | os.O_NOFOLLOW)
    except FileNotFoundError:
        return False
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(handle)
    return False


def _place(asked: Asked) -> Path:
    return Places(str(asked["workdir"])).run(asked) / "jobs" / named(asked, "job")


def _tell_state(state: State) -> None:
    tell(
        state=state.state,
        exit_code=state.exit_code,
        why=state.why,
        seconds=round(state.seconds, 3),
        log_bytes=state.log_bytes,
        dropped_bytes=state.dropped_bytes,
    )
