"""A full disk, a missing permission, a path that cannot be written: one line, exit code 8, nothing half-written."""

import os
import resource
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from sample_paper import SAMPLE, call, one_line

NOBODY = 65534


@pytest.fixture
def tiny_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 256 KiB."""
    place = tmp_path / "tiny"
    place.mkdir()
    if os.geteuid() != 0:
        pytest.skip("a small file system can be mounted by root only; the test with a file size limit runs instead")
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", str(place)], capture_output=True, check=False
    )
    if mounted.returncode != 0:
        pytest.skip("no tmpfs can be mounted here; the test with a file size limit runs instead")
    yield place
    subprocess.run(["umount", str(place)], check=True)


def whole_stages(out: Path) -> list[str]:
    """Everything below `out` that reads as a paper or a stage."""
    return [str(path) for path in out.rglob("*") if ".locks" not in path.parts and path.is_file()]


def test_a_full_disk_while_parsing(tiny_disk: Path):
    done = call("parse_paper.py", "--pdf", SAMPLE / "paper.pdf", "--out", tiny_disk / "runs")
    assert done.returncode == 8, done.stderr
    assert "full" in one_line(done)
    assert whole_stages(tiny_disk) == []


def test_a_full_disk_while_building_leaves_no_manifest(tiny_disk: Path, paper: Path):
    subprocess.run(["mount", "-o", "remount,size=16m", str(tiny_disk)], check=True)
    there = tiny_disk / "runs" / paper.name
    shutil.copytree(paper / "00-parse", there / "00-parse")
    used = sum(path.stat().st_blocks * 512 for path in there.rglob("*") if path.is_file())
    subprocess.run(["mount", "-o", f"remount,size={used // 1024 + 64}k", str(tiny_disk)], check=True)
    done = call("build_claim_tasks.py", "--paper", there)
    assert done.returncode == 8, done.stderr
    assert "full" in one_line(done)
    assert not (there / "task_manifest.json").exists()
    subprocess.run(["mount", "-o", "remount,size=64m", str(tiny_disk)], check=True)
    assert call("build_claim_tasks.py", "--paper", there).returncode == 0


def test_a_file_size_limit_while_parsing(tmp_path: Path):
    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))

    done = call("parse_paper.py", "--pdf", SAMPLE / "paper.pdf", "--out", tmp_path / "runs", preexec_fn=limited)
    assert done.returncode == 8, done.stderr
    one_line(done)
    assert whole_stages(tmp_path / "runs") == []


def _as_nobody_works() -> bool:
    if os.geteuid() != 0:
        return False
    tried = subprocess.run(
        [sys.executable, "-c", "import reproducegym.cli.app"],
        capture_output=True,
        check=False,
        user=NOBODY,
        group=NOBODY,
    )
    return tried.returncode == 0


def _call_unprivileged(*argv: str | Path):
    """As an ordinary user: this one, or `nobody` when root runs the tests."""
    if os.geteuid() != 0:
        return call(*argv)
    if not _as_nobody_works():
        pytest.skip("root runs the tests and `nobody` cannot read the environment")
    return call(*argv, env={"HOME": "/tmp"}, user=NOBODY, group=NOBODY, extra_groups=[])


def test_no_permission_to_write(tmp_path_factory: pytest.TempPathFactory):
    place = Path("/tmp") / f"reproducegym-closed-{os.getpid()}"
    place.mkdir(mode=0o555)
    try:
        done = _call_unprivileged("parse_paper.py", "--pdf", SAMPLE / "paper.pdf", "--out", place / "runs")
    finally:
        place.rmdir()
    assert done.returncode == 8, done.stderr
    assert "permission" in one_line(done)


def test_no_permission_to_read_the_paper():
    place = Path("/tmp") / f"reproducegym-secret-{os.getpid()}.pdf"
    shutil.copyfile(SAMPLE / "paper.pdf", place)
    place.chmod(0)
    try:
        done = _call_unprivileged("parse_paper.py", "--pdf", place, "--out", "/tmp/never-made")
    finally:
        place.unlink()
    assert done.returncode == 8, done.stderr
    assert "permission" in one_line(done)


def test_a_file_where_a_directory_is_needed(tmp_path: Path):
    (tmp_path / "runs").write_text("I am a file\n")
    done = call("parse_paper.py", "--pdf", SAMPLE / "paper.pdf", "--out", tmp_path / "runs")
    assert done.returncode == 8, done.stderr
    assert str(tmp_path / "runs") in one_line(done)


def test_a_reader_that_goes_away_is_no_error(paper: Path):
    from sample_paper import command_line

    program = subprocess.Popen(
        command_line("build_claim_tasks.py", "--paper", paper, "--json"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert program.stdout is not None
    program.stdout.close()
    assert program.stderr is not None
    said = program.stderr.read()
    assert program.wait(timeout=120) == 0, said
    assert "Traceback" not in said
    assert "Exception ignored" not in said
