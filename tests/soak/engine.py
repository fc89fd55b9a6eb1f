"""A Docker engine of a test's own, which it may kill: own data, own socket, own mounts, gone with the test."""

import contextlib
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path


class Engine:
    """An engine in the mount namespace of a process that only waits."""

    def __init__(self, place: Path, holder: int) -> None:
        self.place, self.holder = place, holder
        self.host = f"unix://{place / 'docker.sock'}"
        self.daemon: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it, again after a kill, and wait until it answers."""
        with contextlib.suppress(FileNotFoundError):
            (self.place / "docker.pid").unlink()
        options = {
            "--host": self.host,
            "--data-root": self.place / "data",
            "--exec-root": self.place / "exec",
            "--pidfile": self.place / "docker.pid",
            "--cgroup-parent": f"/{self.place.name}",
        }
        words = [f"{name}={value}" for name, value in options.items()]
        with (self.place / "log").open("ab") as log:
            self.daemon = subprocess.Popen(
                ["nsenter", "-m", "-t", str(self.holder), "dockerd", *words, "--bridge=none", "--iptables=false"],
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        deadline = time.monotonic() + 60
        while self.docker("version").returncode:
            assert time.monotonic() < deadline, (self.place / "log").read_text()[-2000:]
            time.sleep(0.2)

    def kill(self) -> None:
        """End it as a crash would, with the containerd that it had started: at once, with its containers running."""
        assert self.daemon is not None
        noted = self.place / "exec" / "containerd" / "containerd.pid"
        below = int(noted.read_text())
        self.daemon.kill()
        self.daemon.wait()
        while lives(below):
            with contextlib.suppress(ProcessLookupError):
                os.kill(below, signal.SIGKILL)
            time.sleep(0.05)
        noted.unlink()  # a dead process that nobody has waited for looks alive to the next engine

    def docker(self, *words: str) -> subprocess.CompletedProcess[str]:
        """The docker command on this engine."""
        return subprocess.run(["docker", "-H", self.host, *words], capture_output=True, text=True, check=False)

    def containers(self) -> list[str]:
        """Ids of all of its containers, also of dead ones."""
        return self.docker("ps", "-aq").stdout.split()


@contextlib.contextmanager
def own_engine(image: str) -> Iterator[Engine]:
    """An engine that has the image."""
    place = Path(tempfile.mkdtemp(prefix="soak-engine-"))
    holder = subprocess.Popen(["unshare", "--mount", "--propagation", "private", "sleep", "infinity"])
    engine = Engine(place, holder.pid)
    try:
        time.sleep(0.5)
        engine.start()
        with subprocess.Popen(["docker", "save", image], stdout=subprocess.PIPE) as saved:
            subprocess.run(
                ["docker", "-H", engine.host, "load", "-q"], stdin=saved.stdout, check=True, capture_output=True
            )
        yield engine
    finally:
        if engine.daemon is not None:
            engine.daemon.terminate()
            engine.daemon.wait(60)
        _end_rest(place)
        holder.kill()
        holder.wait()
        shutil.rmtree(place)


def _end_rest(place: Path) -> None:
    """Kill what an engine that was killed had left behind: its containerd and the shims."""
    for _ in range(50):
        left = processes_that_name(str(place))
        if not left:
            return
        for number in left:
            with contextlib.suppress(ProcessLookupError):
                os.kill(number, signal.SIGKILL)
        time.sleep(0.1)


def lives(number: int) -> bool:
    """Whether a process runs; one that has ended and waits for its parent does not."""
    try:
        return Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def processes_that_name(words: str) -> list[int]:
    """Numbers of all processes, but this one, with these words in their command line."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal() and int(entry.name) != os.getpid():
            with contextlib.suppress(OSError):
                if words.encode() in (entry / "cmdline").read_bytes():
                    found.append(int(entry.name))
    return found
