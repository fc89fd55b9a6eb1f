"""Attacks on the sandbox itself: each ends with the host unharmed and the box still answering or honestly destroyed."""

import shutil
import threading
import time
from pathlib import Path

import pytest

from reproducegym.errors import NotFoundError
from reproducegym.pipeline.judging.transfer import RefusedFileError
from reproducegym.ports import CopyLimits, ExecOutcome, Sandbox, SandboxBox
from reproducegym.sandbox.namespaces import NamespacesSandbox

LIMITS = CopyLimits(max_files=20, max_bytes=100_000, max_file_bytes=50_000)


def run(box: SandboxBox, script: str, timeout_s: float = 20.0, output_bytes: int = 10_000) -> ExecOutcome:
    return box.exec(["/bin/bash", "-c", script], timeout_s=timeout_s, output_bytes=output_bytes)


def test_a_fork_bomb_ends_at_the_time_out_and_leaves_nothing(backend: Sandbox, spec) -> None:
    bomb = "f() { f | f & }; f; sleep 60"
    with backend.create(spec()) as box:
        began = time.monotonic()
        ended = run(box, bomb, timeout_s=2.0)
        assert ended.timed_out or ended.exit_code != 0
        assert time.monotonic() - began < 60
        box.stop_processes()
        try:
            after = run(box, "ls /proc | grep -c '^[0-9]'")
            assert int(after.output) < 12
        except RefusedFileError:
            pytest.fail("exec never refuses files")


def test_a_memory_bomb_of_many_processes_is_stopped(backend: Sandbox, spec) -> None:
    bomb = (
        "import os, time\n"
        "children = []\n"
        "for _ in range(8):\n"
        "    children.append(os.fork())\n"
        "    if children[-1] == 0:\n"
        "        held = bytearray(60 << 20); held[::4096] = b'x' * len(held[::4096]); time.sleep(8); os._exit(0)\n"
        "ended, code = os.wait()\n"
        "if code: [os.kill(child, 9) for child in children if child != ended]\n"
        "codes = [code, *(os.wait()[1] for _ in range(7))]\n"
        "print('all lived' if not any(codes) else 'some died')\n"
        "raise SystemExit(any(codes))\n"
    )
    with backend.create(spec()) as box:
        ended = box.exec(["python3", "-c", bomb], timeout_s=30.0, output_bytes=1000)
        assert b"all lived" not in ended.output
        assert ended.exit_code != 0
        assert ended.out_of_memory
        assert run(box, "echo alive").output == b"alive\n"


def test_a_full_disk_is_the_command_s_own_problem(backend: Sandbox, spec) -> None:
    with backend.create(spec()) as box:
        ended = run(box, "for i in $(seq 20); do head -c 7000000 /dev/zero > f$i || exit 9; done")
        assert ended.exit_code == 9
        with pytest.raises(RefusedFileError) as refused:
            box.get("/workspace", LIMITS)
        assert refused.value.reason == "size"


def test_a_million_names_are_refused_by_count(backend: Sandbox, spec) -> None:
    with backend.create(spec()) as box:
        run(box, "mkdir many && cd many && seq 3000 | xargs touch")
        with pytest.raises(RefusedFileError) as refused:
            box.get("/workspace", LIMITS)
        assert refused.value.reason == "count"


def test_a_flood_of_output_costs_no_memory_and_ends(backend: Sandbox, spec) -> None:
    with backend.create(spec()) as box:
        ended = run(box, "yes flood", timeout_s=2.0, output_bytes=5000)
        assert ended.timed_out
        assert ended.truncated
        assert len(ended.output) == 5000


def test_a_tower_of_directories_is_refused(backend: Sandbox, spec) -> None:
    with backend.create(spec()) as box:
        tower = "import os\nfor _ in range(1500):\n    os.mkdir('d'); os.chdir('d')\n"
        assert box.exec(["python3", "-c", tower], timeout_s=20.0, output_bytes=1000).exit_code == 0
        with pytest.raises(RefusedFileError):
            box.get("/workspace", CopyLimits(max_files=10_000, max_bytes=1000, max_file_bytes=1000))


def test_signals_to_the_first_process_do_not_end_the_box(backend: Sandbox, spec) -> None:
    with backend.create(spec()) as box:
        run(box, "kill -9 1; kill -TERM 1; kill -STOP 1; kill -USR1 1; sleep 0.2; true")
        assert run(box, "echo alive").output == b"alive\n"


def test_a_background_process_cannot_change_files_after_the_end(backend: Sandbox, spec) -> None:
    late = "(sleep 1; echo late > m.csv) >/dev/null 2>&1 & echo early > m.csv"
    with backend.create(spec()) as box:
        assert run(box, late).exit_code == 0
        box.stop_processes()
        first = box.get("/workspace", LIMITS)
        time.sleep(1.3)
        assert box.get("/workspace", LIMITS) == first == {"m.csv": b"early\n"}


def test_a_background_process_that_holds_the_output_does_not_hold_the_run(backend: Sandbox, spec) -> None:
    with backend.create(spec()) as box:
        began = time.monotonic()
        ended = run(box, "sleep 50 & echo done", timeout_s=30.0)
        assert (ended.exit_code, ended.output) == (0, b"done\n")
        assert time.monotonic() - began < 15


def test_odd_times_and_modes_do_not_break_the_copy(backend: Sandbox, spec) -> None:
    odd = "echo 1 > a; touch -d @-5000000000 a; echo 2 > b; touch -d @99999999999 b; mkdir c; touch -d @99999999999 c"
    with backend.create(spec()) as box:
        assert run(box, odd).exit_code == 0
        assert box.get("/workspace", LIMITS) == {"a": b"1\n", "b": b"2\n"}


@pytest.mark.parametrize(
    ("make", "named"),
    [
        ("echo 1 > d/a; chmod 000 d/a", "d/a"),
        ("echo 1 > d/a; chmod 000 d", "d"),
        ("echo 1 > d/a; chmod 300 d", "d"),
        ("echo 1 > d/a; chmod 600 d", "d"),
        ("python3 -c \"import socket; socket.socket(1).bind('d/s')\"; chmod 000 d", "d"),
        ("chmod 000 .", "workspace"),
    ],
)
def test_what_its_own_user_may_not_read_is_refused_by_name(backend: Sandbox, spec, make: str, named: str) -> None:
    with backend.create(spec()) as box:
        assert run(box, f"mkdir d; {make}").exit_code == 0
        with pytest.raises(RefusedFileError) as refused:
            box.get("/workspace", LIMITS)
        assert refused.value.reason == "unreadable"
        assert refused.value.place.endswith(named)


def test_put_does_not_follow_links_out_of_the_workspace(spec, tmp_path: Path) -> None:
    target = tmp_path / "target"
    target.mkdir(mode=0o777)
    with NamespacesSandbox().create(spec()) as box:
        run(box, f"ln -s {target} in")
        with pytest.raises(RefusedFileError):
            box.put({"in/x": b"1"})
    assert list(target.iterdir()) == []


def test_bad_names_are_not_put(backend: Sandbox, spec) -> None:
    with backend.create(spec()) as box:
        for name in ("../x", "/x", "a/../x", "a//b", "", "a\nb"):
            with pytest.raises(RefusedFileError):
                box.put({name: b"1"})


def test_a_private_host_directory_is_readable_inside_and_unchanged_outside(
    backend: Sandbox, spec, tmp_path: Path
) -> None:
    given = tmp_path / "given"
    (given / "sub").mkdir(parents=True)
    (given / "sub" / "f").write_text("x")
    (given / "run.sh").write_text("echo ran")
    (given / "run.sh").chmod(0o700)
    (given / "sub" / "f").chmod(0o600)
    given.chmod(0o700)
    with backend.create(spec(given=given)) as box:
        assert run(box, "cat /given/sub/f && /bin/bash /given/run.sh").output == b"xran\n"
        assert run(box, "rm -rf /given/sub").exit_code != 0
    assert (given / "sub" / "f").stat().st_mode & 0o777 == 0o600
    shutil.rmtree(given)


def test_a_missing_mount_is_said_plainly(backend: Sandbox, spec, tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match="nowhere"), backend.create(spec(given=tmp_path / "nowhere")):
        pass


def test_several_boxes_live_at_once_and_see_nothing_of_each_other(backend: Sandbox, spec) -> None:
    seen: list[bytes] = []

    def one(number: int) -> None:
        with backend.create(spec()) as box:
            run(box, f"echo {number} > mine{number}; sleep 0.5")
            seen.append(run(box, "ls").output)

    threads = [threading.Thread(target=one, args=(number,)) for number in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(seen) == [b"mine0\n", b"mine1\n", b"mine2\n"]
