"""However the driver ends, nothing of its sandboxes stays: Ctrl-C, SIGTERM, a crash, SIGKILL."""

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from reproducegym.errors import InfrastructureError
from reproducegym.owner import Owner
from reproducegym.ports import CopyLimits, Sandbox
from reproducegym.sandbox.confine import command_line
from reproducegym.sandbox.docker import DockerSandbox
from reproducegym.sandbox.inner_root import command_chain
from reproducegym.sandbox.labels import labels_of, standing_of
from reproducegym.sandbox.namespaces import NamespacesSandbox

DRIVER = textwrap.dedent(
    """
    import signal, sys, threading
    signal.signal(signal.SIGHUP, signal.SIG_DFL)  # a test run under nohup hands it on ignored
    from reproducegym.ports import SandboxSpec
    from reproducegym.sandbox.docker import DockerSandbox
    from reproducegym.sandbox.living import destroyed_on_signals
    from reproducegym.sandbox.namespaces import NamespacesSandbox

    kind, mark, threads = sys.argv[1], sys.argv[2], int(sys.argv[3])
    sandbox = DockerSandbox() if kind == "docker" else NamespacesSandbox(kind)
    spec = SandboxSpec(mark, "reproducegym/base", {}, {}, 128, 1.0, 32, 8, 8)

    def work():
        with sandbox.create(spec) as box:
            script = f"exec -a {mark} sleep 300"
            box.exec(["/bin/bash", "-c", script], timeout_s=200.0, output_bytes=100)

    with destroyed_on_signals():
        if threads == 0:
            work()
        else:
            for _ in range(threads):
                threading.Thread(target=work).start()
            threading.Event().wait()
    """
)


def running(mark: str) -> list[int]:
    """Numbers of the processes whose first word is the mark."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                words = (entry / "cmdline").read_bytes().split(b"\0")
            except OSError:
                continue
            if words[0] == mark.encode():
                found.append(int(entry.name))
    return found


def wait_until(condition, seconds: float) -> bool:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if condition():
            return True
        time.sleep(0.05)
    return False


def kind_of(backend: Sandbox) -> str:
    return "docker" if backend.name == "docker" else backend.availability().detail.rpartition(" ")[2]


def left_behind(backend: Sandbox, mark: str) -> int:
    """Containers and volumes of a run, or box directories of it."""
    if isinstance(backend, DockerSandbox):
        import docker

        client = docker.from_env()
        labelled = {"label": f"reproducegym.run={mark}"}
        count = len(client.containers.list(all=True, filters=labelled)) + len(client.volumes.list(filters=labelled))
        client.close()
        return count
    return sum(1 for one in backend.standing() if one.run_id == mark)


@pytest.fixture
def mark() -> Iterator[str]:
    yield f"mark-{os.getpid()}-{time.monotonic_ns()}"


def start(backend: Sandbox, mark: str, threads: int, at_least: int) -> subprocess.Popen[bytes]:
    driver = subprocess.Popen([sys.executable, "-c", DRIVER, kind_of(backend), mark, str(threads)])
    assert wait_until(lambda: len(running(mark)) >= at_least, 60), "the sandbox did not start"
    return driver


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP], ids=lambda number: number.name)
def test_a_signal_to_the_driver_leaves_nothing(backend: Sandbox, mark: str, number: signal.Signals) -> None:
    driver = start(backend, mark, threads=0, at_least=1)
    driver.send_signal(number)
    assert driver.wait(60) != 0
    assert running(mark) == []
    assert left_behind(backend, mark) == 0


def test_a_signal_ends_the_sandboxes_of_all_threads(backend: Sandbox, mark: str) -> None:
    driver = start(backend, mark, threads=2, at_least=2)
    driver.send_signal(signal.SIGTERM)
    assert driver.wait(60) != 0
    assert running(mark) == []
    assert left_behind(backend, mark) == 0


def test_after_sigkill_of_the_driver_reaping_leaves_nothing(backend: Sandbox, mark: str) -> None:
    driver = start(backend, mark, threads=0, at_least=1)
    assert left_behind(backend, mark) > 0
    driver.kill()
    driver.wait(60)
    backend.reap()
    assert wait_until(lambda: running(mark) == [], 20)
    assert left_behind(backend, mark) == 0


def test_namespaces_die_with_the_driver_before_any_reaping(mark: str) -> None:
    sandbox = NamespacesSandbox()
    if not sandbox.availability().works:
        pytest.skip(sandbox.availability().detail)
    driver = start(sandbox, mark, threads=0, at_least=1)
    driver.kill()
    driver.wait(60)
    assert wait_until(lambda: running(mark) == [], 20)
    sandbox.reap()


@pytest.mark.parametrize("driver_lives", [True, False])
def test_a_command_never_begins_for_a_driver_that_has_died(tmp_path: Path, driver_lives: bool) -> None:
    # Nothing on the way to the command is bound to the driver's death at once: what counts is that it lives at the end.
    report, ready = os.pipe()
    limits = {"pids": 10_000, "file_mib": 1, "data_mib": None}
    command = ["/bin/touch", str(tmp_path / "begun")]
    chain = command_chain(command, cwd="/", env={}, ready=ready, become=(), **limits)
    if not driver_lives:
        os.close(report)
    subprocess.run(command_line([], chain, memory_files=True), pass_fds=(ready,), timeout=60, check=driver_lives)
    os.close(ready)
    if driver_lives:
        os.close(report)
    assert (tmp_path / "begun").exists() is driver_lives


def test_what_outlives_its_time_is_removed_under_a_living_owner(backend: Sandbox, mark: str, spec) -> None:
    hurried = type(backend)(None if backend.name == "docker" else kind_of(backend), ttl_s=-1.0)
    # Any reaper may come at any moment, another test's too.
    with pytest.raises((InfrastructureError, OSError)), hurried.create(replace(spec(), run_id=mark)) as box:
        backend.reap()
        assert left_behind(backend, mark) == 0
        box.exec(["/bin/true"], timeout_s=20.0, output_bytes=100)


def test_labels_say_whose_a_thing_is_and_until_when() -> None:
    mine = standing_of("volume", "v", labels_of("run-7", 60.0), local=True)
    assert (mine.run_id, mine.owner, mine.dead, mine.expired) == ("run-7", Owner.this_process().label(), False, False)
    assert standing_of("volume", "v", labels_of("run-7", -1.0), local=True).expired
    assert not standing_of("volume", "v", {}, local=True).dead


def test_reaping_spares_what_lives(backend: Sandbox, mark: str, spec) -> None:
    driver = start(backend, mark, threads=0, at_least=1)
    try:
        with backend.create(spec()) as box:
            backend.reap()
            assert box.exec(["/bin/echo", "here"], timeout_s=20.0, output_bytes=100).output == b"here\n"
        assert len(running(mark)) >= 1
    finally:
        driver.terminate()
        driver.wait(60)


def test_an_error_in_the_body_destroys_the_box_and_stays_the_error(backend: Sandbox, mark: str, spec) -> None:
    with pytest.raises(ZeroDivisionError), backend.create(replace(spec(), run_id=mark)):
        raise ZeroDivisionError
    assert left_behind(backend, mark) == 0


def test_an_owner_is_told_apart_from_a_later_process_of_its_number() -> None:
    here = Owner.this_process()
    assert not here.is_dead(same_machine=True)
    read = Owner.parse(here.label(), here.pid_namespace)
    assert read == here
    pid, started, boot = here.label().split(":")
    later = Owner.parse(f"{pid}:{int(started) - 1}:{boot}", here.pid_namespace)
    assert later is not None
    assert later.is_dead(same_machine=True)
    elsewhere = Owner.parse(f"{pid}:{started}:another-boot", here.pid_namespace)
    assert elsewhere is not None
    assert elsewhere.is_dead(same_machine=True)
    assert not elsewhere.is_dead(same_machine=False)
    hidden = Owner.parse(f"1:1:{boot}", "pid:[1]")
    assert hidden is not None
    assert not hidden.is_dead(same_machine=True)
    assert Owner.parse("nonsense", "") is None


def end_from_outside(mark: str, number: signal.Signals) -> None:
    """End a sandbox as an operator, or the kernel short of memory, would: its container, or its outermost program."""
    ours = ["docker", "ps", "-q", "--filter", f"label=reproducegym.run={mark}"]
    containers = subprocess.run(ours, check=False, capture_output=True, text=True).stdout.split()
    for container in containers:
        subprocess.run(["docker", "kill", "--signal", number.name, container], check=True, capture_output=True)
    if not containers:
        inner = running(mark)[0]
        while (parent := int(Path(f"/proc/{inner}/stat").read_text().rpartition(")")[2].split()[1])) != os.getpid():
            inner = parent
        os.kill(inner, number)


def test_a_sandbox_that_is_ended_from_outside_is_never_the_commands_own_failure(
    backend: Sandbox, spec, mark: str
) -> None:
    def kill() -> None:
        wait_until(lambda: running(mark), 20.0)
        end_from_outside(mark, signal.SIGKILL)

    with backend.create(replace(spec(), run_id=mark)) as box:
        killer = threading.Thread(target=kill)
        killer.start()
        with pytest.raises(InfrastructureError, match="ended from outside"):
            box.exec(["/bin/bash", "-c", f"exec -a {mark} sleep 60"], timeout_s=50.0, output_bytes=100)
        killer.join()
    assert not running(mark)


def test_what_a_killed_container_held_is_not_missed_as_if_it_had_never_been_written(
    docker_image: str, spec, mark: str
) -> None:
    with DockerSandbox().create(replace(spec(), run_id=mark)) as box:
        box.put({"kept.txt": b"kept"})
        end_from_outside(mark, signal.SIGKILL)
        with pytest.raises(InfrastructureError, match="ended from outside"):
            box.get("/workspace/kept.txt", CopyLimits(max_files=1, max_bytes=10, max_file_bytes=10))


def test_a_command_that_kills_itself_failed_by_itself(backend: Sandbox, spec) -> None:
    with backend.create(spec()) as box:
        assert box.exec(["/bin/bash", "-c", "kill -9 $$"], timeout_s=30.0, output_bytes=100).exit_code == 137
        assert box.exec(["/bin/bash", "-c", "echo on"], timeout_s=30.0, output_bytes=100).output == b"on\n"
