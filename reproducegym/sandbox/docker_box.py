"""One living container: runs commands in it, kills what runs, and moves files in and out by the engine's archives."""

import base64
import contextlib
import json
import queue
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from reproducegym.errors import InfrastructureError
from reproducegym.pipeline.transfer import RefusedFileError, archive_of, check_name, read_archive
from reproducegym.ports import CopyLimits, ExecOutcome, Files
from reproducegym.sandbox.byte_stream import byte_stream
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
# Go's file mode bits, as the engine tells them: directory; link, device, pipe, socket, irregular.
_DIRECTORY_BIT = 1 << 31
_SPECIAL_BITS = 1 << 27 | 1 << 26 | 1 << 25 | 1 << 24 | 1 << 19


class DockerBox:
    """A container as `ports.SandboxBox`; made and removed by `DockerSandbox.create`."""

    def __init__(self, client: "DockerClient", container: "Container", *, user: int) -> None:
        self._client = client
        self._container = container
        self._user = f"{user}:{user}"
        self._uid = user
        self._oom_kills = 0
        self._destroyed = ""

    def put(self, files: Files, *, executable: Iterable[str] = ()) -> None:
        """Write plain files below /workspace."""
        archive = archive_of(files, executable=executable, uid=self._uid)
        with _engine("could not write files into the sandbox"):
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
        head = OutputHead(output_bytes, on_output)
        began = time.monotonic()
        if self._destroyed:
            return ExecOutcome(None, False, False, self._destroyed.encode(), False, 0.0)
        with _engine("could not start a command"):
            started = self._client.api.exec_create(
                self._container.id, argv, user=self._user, workdir=cwd, environment=dict(env or {})
            )
            exec_id = str(started["Id"])
            stream = self._client.api.exec_start(exec_id, stream=True)
        chunks = _Chunks(stream)
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
        return ExecOutcome(code, timed_out, out_of_memory, head.kept(), head.truncated, seconds)

    def stop_processes(self) -> None:
        """Kill everything of the user; a sandbox whose processes fork too fast to be killed is destroyed as a whole."""
        deadline = time.monotonic() + _KILL_S
        while not (self._destroyed or self._killed_all(deadline)):
            if time.monotonic() > deadline:
                with _engine("could not stop the processes"):
                    self._container.kill()
                self._destroyed = "the sandbox was destroyed: its processes could not be stopped"

    def _killed_all(self, deadline: float) -> bool:
        """One try to kill everything; a sandbox full of processes may leave no room even for the killer."""
        import docker.errors

        api = self._client.api
        with _engine("could not stop the processes"):
            try:
                made = api.exec_create(self._container.id, ["/bin/bash", "-c", _KILL_ALL], user=self._user)
                api.exec_start(made["Id"], detach=True)
            except docker.errors.APIError:
                self._container.reload()  # the engine answers, so it is the sandbox that has no room
                time.sleep(0.1)
                return False
        return self._exit_code(str(made["Id"]), deadline) == 0

    def get(self, path: str, limits: CopyLimits) -> Files:
        """Plain files below a path, through the engine's archive stream and the strict reader."""
        if self._destroyed:
            raise RefusedFileError("destroyed", path, self._destroyed)
        parts = PurePosixPath(path).parts
        check_name("/".join(parts[1:]))
        for depth in range(2, len(parts) + 1):
            self._refuse_special(str(PurePosixPath(*parts[:depth])), last=depth == len(parts))
        self._refuse_sockets(path)
        with _engine("could not copy files out of the sandbox"):
            answer = self._client.api.get(self._archive_url(), params={"path": path}, stream=True)
            with contextlib.closing(answer):
                answer.raise_for_status()
                return read_archive(byte_stream(answer.iter_content(_CHUNK)), limits, root=parts[-1])

    def _archive_url(self) -> str:
        """Where the engine serves archives; the SDK's own call hides the response, which must be closed."""
        api = self._client.api
        return f"{api.base_url}/v{api.api_version}/containers/{self._container.id}/archive"

    def _refuse_special(self, path: str, *, last: bool) -> None:
        """Refuse a path that leads through a link, or is not there."""
        with _engine("could not look at a file in the sandbox"):
            answer = self._client.api.head(self._archive_url(), params={"path": path})
            if answer.status_code == _NOT_FOUND:
                raise RefusedFileError("absent", path, "there is no such file or directory")
            answer.raise_for_status()
            mode = int(json.loads(base64.b64decode(answer.headers[_STAT_HEADER]))["mode"])
        if not (mode & _DIRECTORY_BIT or (last and not mode & _SPECIAL_BITS)):
            raise RefusedFileError("link", path, "the path leads through a link or a special file")

    def _refuse_sockets(self, path: str) -> None:
        """Refuse sockets, which the engine's archives leave out without a word."""
        found = self.exec(
            ["/usr/bin/find", path, "-type", "s", "-print", "-quit"], timeout_s=_KILL_S, output_bytes=_CHUNK
        )
        name = found.output.decode("utf-8", "surrogateescape").strip()
        if found.exit_code == 0 and name:
            raise RefusedFileError("device", name, "devices, pipes and sockets are not copied out")

    def _follow(self, chunks: "_Chunks", head: OutputHead, deadline: float) -> bool:
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
            with _engine("could not tell how a command ended"):
                code = self._client.api.exec_inspect(exec_id)["ExitCode"]
            if code is not None:
                return int(code)
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
        with _engine("could not tell about memory"):
            answer = api.get(f"{api.base_url}/v{api.api_version}/events", params=wanted)
            answer.raise_for_status()
        kills = len(answer.text.splitlines())
        grew, self._oom_kills = kills > self._oom_kills, kills
        return grew


class _Chunks:
    """A blocking stream read in a thread of its own, so that its reader can stop waiting at a deadline."""

    def __init__(self, stream: Iterator[bytes]) -> None:
        self._queue: queue.Queue[bytes | Exception | None] = queue.Queue(maxsize=64)
        self._discarding = threading.Event()
        threading.Thread(target=self._pump, args=(stream,), daemon=True).start()

    def next(self, timeout_s: float) -> bytes | None:
        """The next bytes, or None at the end.

        Raises:
            TimeoutError: nothing came in time.
            InfrastructureError: the stream broke.
        """
        try:
            item = self._queue.get(timeout=timeout_s)
        except queue.Empty as error:
            raise TimeoutError from error
        if isinstance(item, Exception):
            raise InfrastructureError(f"the Docker engine dropped the output of a command: {item}") from item
        return item

    def discard(self) -> None:
        """Take and drop what still comes, so that nobody waits for room; nothing may be asked for after it."""
        self._discarding.set()
        with contextlib.suppress(queue.Empty):
            while True:
                self._queue.get_nowait()

    def _pump(self, stream: Iterator[bytes]) -> None:
        try:
            for chunk in stream:
                if not self._discarding.is_set():
                    self._queue.put(chunk)
        except (OSError, ValueError) as error:  # requests' and the socket's errors are OSErrors
            end: Exception | None = error
        else:
            end = None
        if not self._discarding.is_set():
            self._queue.put(end)


@contextlib.contextmanager
def _engine(what: str) -> Iterator[None]:
    """Tell the engine's failures as what they are for us."""
    import docker.errors

    try:
        yield
    except (docker.errors.DockerException, OSError) as error:  # requests' errors are OSErrors
        raise InfrastructureError(f"the Docker engine {what}: {error}") from error
