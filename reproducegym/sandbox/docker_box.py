"""One living container: runs commands in it, kills what runs, and moves files in and out by the engine's archives."""

import base64
import contextlib
import json
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from reproducegym.errors import InfrastructureError
from reproducegym.pipeline.judging.transfer import RefusedFileError, archive_of, check_name, read_archive
from reproducegym.ports import CopyLimits, Door, ExecOutcome, Files
from reproducegym.sandbox.byte_stream import byte_stream
from reproducegym.sandbox.engine import asking_engine
from reproducegym.sandbox.exec_stream import ExecStream
from reproducegym.sandbox.output import OutputHead

if TYPE_CHECKING:
    from docker import DockerClient
    from docker.models.containers import Container

__all__ = ["DockerBox"]

_CHUNK = 65536
_EVENT_DELAY_S = 0.2
_NOT_FOUND = 404
_STAT_HEADER = "X-Docker-Container-Path-Stat"
_KILL_S = 20.0
_KILLED = 137
_NOT_STARTED = 126
_ENDING_S = 5.0
_OWN_PROCESSES = 2  # the init and what it waits for
# Commands are the first that the kernel kills for memory, before the container's first process, with which all ends.
# A command may take that back, and then it ends its own sandbox: see `_has_died`.
_FIRST_TO_GO = ("/bin/sh", "-c", 'echo 1000 >/proc/self/oom_score_adj; unset PWD; exec "$@"', "sh")
# Ends well when no process of the user is left but this shell. One `kill -1` reaches all that run, forks included;
# what follows waits until they are gone.
_KILL_ALL = r"""
kill -9 -1
for _ in {1..200}; do
  left=0
  for status in /proc/[0-9]*/status; do
    { lines="$(<"$status")"; } 2>/dev/null || continue
    [[ "$status" == "/proc/$$/status" || "$lines" == *"State:"$'\t'Z* ]] && continue
    [[ "$lines" == *"Uid:"$'\t'"$UID"$'\t'* ]] && left=1
  done
  [ "$left" -eq 0 ] && exit 0
  kill -9 -1
  sleep 0.02
done
exit 1
"""
# For `find`: the kind and the name of the first thing that stands in the way of a copy.
_NOT_COPIED = (
    *("(", "-type", "s", "-o", "-type", "d", "!", "(", "-readable", "-executable", ")"),
    *("-o", "-type", "f", "!", "-readable", ")", "-printf", "%y%p", "-quit"),
)
# Go's file mode bits, as the engine tells them: directory; link; device, pipe, socket, irregular.
_DIRECTORY_BIT = 1 << 31
_LINK_BIT = 1 << 27
_DEVICE_BITS = 1 << 26 | 1 << 25 | 1 << 24 | 1 << 19
_OWN = "workspace"
"""The directory in which all is the user's: what its owner may read there, the user may."""
_READ, _ENTER = 0o400, 0o500


class DockerBox:
    """A container as `ports.SandboxBox`; made and removed by `DockerSandbox.create`."""

    def __init__(self, client: "DockerClient", container: "Container", *, user: int, door: Door | None) -> None:
        self.door = door
        self._client = client
        self._container = container
        self._user = f"{user}:{user}"
        self._uid = user
        self._oom_kills = 0
        self._destroyed = ""
        self._died_of_memory = False

    def put(self, files: Files, *, executable: Iterable[str] = (), directories: Iterable[str] = ()) -> None:
        """Write plain files and directories below /workspace."""
        if self._destroyed:
            raise RefusedFileError("destroyed", "/workspace", self._destroyed)
        archive = archive_of(files, directories, executable=executable, uid=self._uid)
        with asking_engine("could not write files into the sandbox"):
            self._container.put_archive("/workspace", archive)

    def exec(
        self,
        argv: list[str],
        *,
        cwd: str = "/workspace",
        env: Mapping[str, str] | None = None,
        timeout_s: float,
        output_bytes: int,
        on_output: Callable[[bytes], None] | None = None,
    ) -> ExecOutcome:
        """Run one command; at the time-out everything in the sandbox is killed."""
        began = time.monotonic()
        head = OutputHead(output_bytes, on_output)
        if self._destroyed:
            return self._outcome_of_destroyed()
        try:
            exec_id, chunks = self._started(argv, cwd, env or {})
        except InfrastructureError as error:
            return self._outcome_of_unstarted(error)
        try:
            timed_out = not self._follow(chunks, head, began + timeout_s)
        finally:
            chunks.discard()  # the engine does not tell how anything ends while its output finds no taker
        if timed_out:
            self.stop_processes()
        seconds = time.monotonic() - began
        code = None if timed_out else self._exit_code(exec_id, time.monotonic() + _KILL_S)
        if code is None and not timed_out:
            raise InfrastructureError("the Docker engine does not tell how a command ended")
        out_of_memory = code != 0 and self._out_of_memory()
        if code is not None and code >= _NOT_STARTED and not self._stands():
            out_of_memory = out_of_memory or self._died_of_memory
        return ExecOutcome(code, timed_out, out_of_memory, head.kept(), head.truncated, seconds)

    def _started(self, argv: list[str], cwd: str, env: Mapping[str, str]) -> tuple[str, ExecStream]:
        """The engine's name of a started command, and its output."""
        api = self._client.api
        with asking_engine("could not start a command"):
            made = api.exec_create(
                self._container.id, [*_FIRST_TO_GO, *argv], user=self._user, workdir=cwd, environment=dict(env)
            )
            return str(made["Id"]), ExecStream(api.exec_start(made["Id"], stream=True))

    def _outcome_of_destroyed(self) -> ExecOutcome:
        return ExecOutcome(_KILLED, False, self._died_of_memory, self._destroyed.encode(), False, 0.0)

    def _outcome_of_unstarted(self, error: InfrastructureError) -> ExecOutcome:
        """How a command ended that what ran before it did not let start; the error, if the engine is to blame."""
        if self._has_died():
            return self._outcome_of_destroyed()
        with asking_engine("could not look at the processes"):
            running = len(self._container.top()["Processes"])
        if running <= _OWN_PROCESSES:
            raise error
        full = f"the sandbox has no room for a command beside the {running} processes that run in it"
        return ExecOutcome(_NOT_STARTED, False, False, full.encode(), False, 0.0)

    def stop_processes(self) -> None:
        """Kill everything of the user; a sandbox whose processes fork too fast to be killed is destroyed as a whole."""
        deadline = time.monotonic() + _KILL_S
        while not (self._destroyed or self._killed_all(deadline)):
            if time.monotonic() > deadline and not self._has_died():
                self._destroyed = "the sandbox was destroyed: its processes could not be stopped"
                with asking_engine("could not stop the processes"):
                    self._container.kill()

    def _killed_all(self, deadline: float) -> bool:
        """One try to kill everything; a sandbox full of processes may leave no room even for the killer."""
        api = self._client.api
        try:
            with asking_engine("could not stop the processes"):
                made = api.exec_create(self._container.id, ["/bin/bash", "-c", _KILL_ALL], user=self._user)
                api.exec_start(made["Id"], detach=True)
        except InfrastructureError:
            if not self._has_died():  # the engine answers, so it is the sandbox that has no room
                time.sleep(0.1)
            return False
        return self._exit_code(str(made["Id"]), deadline) == 0

    def _stands(self) -> bool:
        """Whether the sandbox still stands where it may be about to be gone.

        When a container is killed, its commands end and its files go before the engine says so. So one more command
        tells; where none can start, the engine gets a while to say that the container has ended (else it is full).

        Raises:
            InfrastructureError: as `_has_died`.
        """
        api = self._client.api
        deadline = time.monotonic() + _ENDING_S
        while not self._has_died():
            with contextlib.suppress(InfrastructureError), asking_engine("could not look into a sandbox"):
                made = api.exec_create(self._container.id, ["/bin/true"], user=self._user)
                api.exec_start(made["Id"])
                if api.exec_inspect(made["Id"])["ExitCode"] == 0:
                    return True
            if time.monotonic() > deadline:
                return True
            time.sleep(0.05)
        return False

    def _has_died(self) -> bool:
        """Whether the container has ended by itself: memory ran out, and the kernel has killed its first process.

        Nothing inside may signal that one; the kernel takes it when it finds none to take first. Then the sandbox
        counts as destroyed from within.

        Raises:
            InfrastructureError: the engine does not answer, or somebody has killed, stopped or removed the container.
        """
        if self._destroyed:
            return True
        with asking_engine("could not look at a sandbox"):
            state = self._client.api.inspect_container(str(self._container.id))["State"]
        if state["Running"]:
            return False
        self._died_of_memory = bool(state["OOMKilled"]) or self._oom_kills > 0 or self._out_of_memory()
        if state["Status"] != "exited" or state["ExitCode"] != _KILLED or not self._died_of_memory:
            raise InfrastructureError(f"the container of a sandbox was ended from outside: it is {state['Status']}")
        self._destroyed = "the sandbox was destroyed: its memory ran out"
        return True

    def get(self, path: str, limits: CopyLimits) -> Files:
        """Plain files below a path, through the engine's archive stream and the strict reader."""
        if self._destroyed:
            raise RefusedFileError("destroyed", path, self._destroyed)
        try:
            return self._copied_out(path, limits)
        except RefusedFileError as error:
            if not self._stands():  # what a sandbox held goes with it
                raise RefusedFileError("destroyed", path, self._destroyed) from error
            raise

    def _copied_out(self, path: str, limits: CopyLimits) -> Files:
        parts = PurePosixPath(path).parts
        check_name("/".join(parts[1:]))
        modes = [
            self._mode(str(PurePosixPath(*parts[:depth])), last=depth == len(parts))
            for depth in range(2, len(parts) + 1)
        ]
        if parts[1] != _OWN or not _one_readable_file(modes):
            self._refuse_unreadable(path)
        with asking_engine("could not copy files out of the sandbox"):
            answer = self._client.api.get(self._archive_url(), params={"path": path}, stream=True)
            with contextlib.closing(answer):
                answer.raise_for_status()
                return read_archive(byte_stream(answer.iter_content(_CHUNK)), limits, root=parts[-1])

    def _archive_url(self) -> str:
        """Where the engine serves archives; the SDK's own call hides the response, which must be closed."""
        api = self._client.api
        return f"{api.base_url}/v{api.api_version}/containers/{self._container.id}/archive"

    def _mode(self, path: str, *, last: bool) -> int:
        """The mode bits of what stands there, as Go has them; a link on the way is refused, and so is nothing."""
        with asking_engine("could not look at a file in the sandbox"):
            answer = self._client.api.head(self._archive_url(), params={"path": path})
            if answer.status_code == _NOT_FOUND:
                raise RefusedFileError("absent", path, "there is no such file or directory")
            answer.raise_for_status()
            mode = int(json.loads(base64.b64decode(answer.headers[_STAT_HEADER]))["mode"])
        if last and mode & _DEVICE_BITS:
            raise RefusedFileError("device", path, "devices, pipes and sockets are not copied out")
        if not (mode & _DIRECTORY_BIT or (last and not mode & _LINK_BIT)):
            raise RefusedFileError("link", path, "the path leads through a link or a special file")
        return mode

    def _refuse_unreadable(self, path: str) -> None:
        """Refuse what the user inside may not read (the engine may), and sockets, which its archives leave out."""
        found = self.exec(["/usr/bin/find", path, *_NOT_COPIED], timeout_s=_KILL_S, output_bytes=_CHUNK)
        said = found.output.decode("utf-8", "surrogateescape")
        if self._destroyed:
            raise RefusedFileError("destroyed", path, self._destroyed)
        if found.exit_code != 0:
            raise RefusedFileError("unreadable", path, f"it cannot be looked through: {said.strip()}")
        if said.startswith("s"):
            raise RefusedFileError("device", said[1:], "devices, pipes and sockets are not copied out")
        if said:
            raise RefusedFileError("unreadable", said[1:], "the sandbox's own user cannot read it")

    def _follow(self, chunks: "ExecStream", head: OutputHead, deadline: float) -> bool:
        """Take output until the command ends; False when the deadline came first."""
        while (left := deadline - time.monotonic()) > 0:
            try:
                chunk = chunks.next(left)
            except TimeoutError:
                return False
            if chunk is None:
                return True
            head.feed(chunk)
        return False

    def _exit_code(self, exec_id: str, deadline: float) -> int | None:
        """The exit code as soon as the engine knows it; None when the deadline came first."""
        while True:
            try:
                with asking_engine("could not tell how a command ended"):
                    code = self._client.api.exec_inspect(exec_id)["ExitCode"]
            except InfrastructureError:
                if self._has_died():
                    return _KILLED
                raise
            if code is not None:
                return int(code)
            if self._has_died():
                return _KILLED
            if time.monotonic() > deadline:
                return None
            time.sleep(0.01)

    def _out_of_memory(self) -> bool:
        """Whether the kernel killed something for memory since the last look, by the engine's own events."""
        api = self._client.api
        wanted = {
            "since": "1",
            "until": f"{time.time() + _EVENT_DELAY_S:.3f}",
            "filters": json.dumps({"container": [str(self._container.id)], "event": ["oom"]}),
        }
        with asking_engine("could not tell about memory"):
            answer = api.get(f"{api.base_url}/v{api.api_version}/events", params=wanted)
            answer.raise_for_status()
        kills = len(answer.text.splitlines())
        grew, self._oom_kills = kills > self._oom_kills, kills
        return grew


def _one_readable_file(modes: Sequence[int]) -> bool:
    """Whether a path leads to a file that its owner may read, through directories that it may enter, by their modes."""
    *above, last = modes
    return all(mode & _ENTER == _ENTER for mode in above) and not last & _DIRECTORY_BIT and last & _READ != 0
