"""Whoever brings down a sandbox by its memory has used too much of it: never the engine's fault, and never for free."""

import os
import platform
import struct
import time
from pathlib import Path

import pytest

from reproducegym.errors import InfrastructureError
from reproducegym.pipeline.judging.transfer import RefusedFileError
from reproducegym.ports import CopyLimits, ExecOutcome, Sandbox, SandboxBox
from reproducegym.sandbox.docker import DockerSandbox
from reproducegym.sandbox.namespaces import NamespacesSandbox

LIMITS = CopyLimits(max_files=20, max_bytes=100_000, max_file_bytes=50_000)
LAST_TO_GO = "echo 0 >/proc/self/oom_score_adj; exec /given/eater"


def run(box: SandboxBox, script: str, timeout_s: float = 30.0) -> ExecOutcome:
    return box.exec(["/bin/bash", "-c", script], timeout_s=timeout_s, output_bytes=10_000)


@pytest.fixture
def eater(tmp_path: Path) -> Path:
    """A directory with a program of a few bytes that takes memory, and holds next to none of its own.

    It makes memory files of 4 MiB without end, which count for the sandbox but not for the program: when the kernel
    looks for the biggest process to kill, every other one is bigger.
    """
    if platform.machine() != "x86_64":
        pytest.skip("the program is machine code for x86_64")
    call = b"\x0f\x05"
    code = b"\x6a\x61"  # push 'a', the name
    loop = len(code)
    code += b"\xb8" + struct.pack("<I", 319) + b"\x48\x89\xe7\x31\xf6" + call  # memfd_create(name, 0)
    code += b"\x89\xc7\xb8" + struct.pack("<I", 285) + b"\x31\xf6\x31\xd2\x41\xba" + struct.pack("<I", 4 << 20) + call
    code += b"\xeb" + struct.pack("b", loop - len(code) - 2)  # fallocate(file, 0, 0, 4 MiB), and again
    base, size = 0x400000, 120 + len(code)
    head = b"\x7fELF\x02\x01\x01" + bytes(9)
    head += struct.pack("<HHIQQQIHHHHHH", 2, 62, 1, base + 120, 64, 0, 0, 64, 56, 1, 0, 0, 0)
    head += struct.pack("<IIQQQQQQ", 1, 5, 0, base, base, size, size, 0x1000)
    (tmp_path / "eater").write_bytes(head + code)
    (tmp_path / "eater").chmod(0o755)
    return tmp_path


def test_memory_held_in_files_of_no_directory_is_limited_and_the_box_lives_on(
    backend: Sandbox, spec, eater: Path
) -> None:
    with backend.create(spec(given=eater)) as box:
        ended = run(box, "exec /given/eater")
        assert ended.exit_code == 137
        assert ended.out_of_memory
        assert run(box, "echo alive").output == b"alive\n"


def test_a_command_that_lets_the_kernel_kill_all_else_is_out_of_memory(backend: Sandbox, spec, eater: Path) -> None:
    with backend.create(spec(given=eater)) as box:
        began = time.monotonic()
        ended = run(box, LAST_TO_GO)
        assert ended.out_of_memory
        assert ended.exit_code not in (0, None)
        box.stop_processes()
        assert time.monotonic() - began < 15


@pytest.mark.docker
def test_a_container_killed_from_within_says_so_from_then_on(docker_image: str, spec, eater: Path) -> None:
    with DockerSandbox().create(spec(given=eater)) as box:
        assert run(box, LAST_TO_GO).out_of_memory
        again = run(box, "echo alive")
        assert (again.exit_code, again.out_of_memory) == (137, True)
        assert b"destroyed: its memory ran out" in again.output
        box.stop_processes()
        for use in (lambda: box.get("/workspace", LIMITS), lambda: box.put({"a": b"1"})):
            with pytest.raises(RefusedFileError, match="its memory ran out") as refused:
                use()
            assert refused.value.reason == "destroyed"


@pytest.mark.docker
@pytest.mark.parametrize("then", ["exec", "stop", "get"])
def test_a_container_killed_after_its_command_ended_is_not_the_engine_s_fault(
    docker_image: str, spec, eater: Path, then: str
) -> None:
    with DockerSandbox().create(spec(given=eater)) as box:
        assert run(box, f"(sleep 0.5; {LAST_TO_GO}) >/dev/null 2>&1 & exit 0").exit_code == 0
        time.sleep(2)
        if then == "exec":
            assert run(box, "echo alive").out_of_memory
        if then == "stop":
            box.stop_processes()
        with pytest.raises(RefusedFileError):
            box.get("/workspace", LIMITS)
        assert run(box, "echo alive").out_of_memory


@pytest.mark.docker
@pytest.mark.parametrize("how", ["stop", "remove"])
def test_a_container_that_somebody_outside_ends_is_not_the_agent_s_fault(docker_image: str, spec, how: str) -> None:
    import docker

    mark = f"outside-{os.getpid()}-{how}"
    given = spec()
    with DockerSandbox().create(type(given)(**{**given.__dict__, "run_id": mark})) as box:
        client = docker.from_env()
        (container,) = client.containers.list(filters={"label": f"reproducegym.run={mark}"})
        if how == "stop":
            container.stop(timeout=5)
        else:
            container.remove(force=True)
        client.close()
        with pytest.raises(InfrastructureError):
            run(box, "echo alive")
        with pytest.raises(InfrastructureError):
            box.stop_processes()


@pytest.fixture(params=["bubblewrap", "unshare"])
def uncounted(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> NamespacesSandbox:
    """A namespaces backend on a machine where this process may make no control group."""
    monkeypatch.setattr("reproducegym.sandbox.namespaces.make_cgroup", lambda *_, **__: None)
    sandbox = NamespacesSandbox(request.param)
    if not sandbox.availability().works:
        pytest.skip(sandbox.availability().detail)
    return sandbox


def python(box: SandboxBox, script: str) -> ExecOutcome:
    return box.exec(["python3", "-c", f"import mmap, os, time\n{script}"], timeout_s=30.0, output_bytes=10_000)


def test_without_a_control_group_no_memory_hangs_on_nothing(uncounted: NamespacesSandbox, spec) -> None:
    segment = "import ctypes; print(ctypes.CDLL(None).shmget(0, ctypes.c_size_t(1 << 20), 0o1600))"
    with uncounted.create(spec()) as box:
        refused = python(box, "os.memfd_create('a')")
        assert refused.exit_code == 1
        assert b"Function not implemented" in refused.output
        assert python(box, segment).output == b"-1\n"
        mounted = run(box, "unshare --user --map-root-user --mount mount -t tmpfs tmpfs /tmp && echo mounted")
        assert b"mounted\n" not in mounted.output


def test_without_a_control_group_shared_memory_is_counted_even_when_given_back(
    uncounted: NamespacesSandbox, spec
) -> None:
    hide = (
        "held = []\n"
        "for _ in range(7):\n"
        "    piece = mmap.mmap(-1, 40 << 20)\n"
        "    piece[:: 4096] = b'x' * len(range(0, 40 << 20, 4096))\n"
        "    piece.madvise(mmap.MADV_DONTNEED); held.append(piece); time.sleep(0.2)\n"
        "time.sleep(5); print('held')\n"
    )
    with uncounted.create(spec()) as box:
        ended = python(box, hide)
        assert b"held" not in ended.output
        assert ended.out_of_memory
        assert run(box, "echo alive").output == b"alive\n"


def test_without_a_control_group_what_several_share_counts_once(uncounted: NamespacesSandbox, spec) -> None:
    share = (
        "piece = mmap.mmap(-1, 100 << 20)\n"
        "piece[:: 4096] = b'x' * len(range(0, 100 << 20, 4096))\n"
        "for _ in range(3):\n"
        "    if os.fork() == 0: sum(piece[:: 4096]); time.sleep(1); os._exit(0)\n"
        "print([os.wait()[1] for _ in range(3)])\n"
    )
    with uncounted.create(spec()) as box:
        ended = python(box, share)
        assert (ended.output, ended.out_of_memory) == (b"[0, 0, 0]\n", False)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may look into mappings")
def test_without_a_control_group_room_that_is_only_reserved_does_not_count(uncounted: NamespacesSandbox, spec) -> None:
    with uncounted.create(spec()) as box:
        ended = python(box, "piece = mmap.mmap(-1, 2 << 30); time.sleep(1); print('fine')")
        assert (ended.output, ended.out_of_memory) == (b"fine\n", False)
