"""A full disk, a missing permission, a path that cannot be written: one line, exit code 8, nothing half-written."""

import ctypes
import os
import resource
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from sample_paper import SAMPLE, call, call_anew, manifest, one_line

PR_CAPBSET_DROP = 24


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

    done = call_anew("parse_paper.py", "--pdf", SAMPLE / "paper.pdf", "--out", tmp_path / "runs", preexec_fn=limited)
    assert done.returncode == 8, done.stderr
    one_line(done)
    assert whole_stages(tmp_path / "runs") == []


def _bound_by_permissions() -> None:
    """Even root is bound by file modes once it cannot override them (CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH)."""
    if os.geteuid() == 0:
        libc = ctypes.CDLL(None, use_errno=True)
        for capability in (1, 2):
            if libc.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) != 0:
                raise OSError(ctypes.get_errno(), "a capability cannot be dropped")


def test_no_permission_to_write(tmp_path: Path):
    place = tmp_path / "closed"
    place.mkdir(mode=0o555)
    argv = ("parse_paper.py", "--pdf", SAMPLE / "paper.pdf", "--out", place / "runs")
    done = call_anew(*argv, preexec_fn=_bound_by_permissions)
    assert done.returncode == 8, done.stderr
    assert "permission" in one_line(done)


def test_no_permission_to_write_an_attempt(paper: Path):
    claim = manifest(paper)["tasks"][0]["claim_id"]
    paper.chmod(0o555)
    asked = ("run.py", "--paper", paper, "--claim-id", claim, "--sandbox", "namespaces")
    done = call_anew(*asked, preexec_fn=_bound_by_permissions)
    paper.chmod(0o755)
    assert done.returncode == 8, done.stderr
    assert "permission" in done.stderr.splitlines()[-1]
    assert not (paper / "04-run").exists()


def test_no_permission_to_read_the_paper(tmp_path: Path):
    pdf = tmp_path / "secret.pdf"
    shutil.copyfile(SAMPLE / "paper.pdf", pdf)
    pdf.chmod(0)
    done = call_anew("parse_paper.py", "--pdf", pdf, "--out", tmp_path / "runs", preexec_fn=_bound_by_permissions)
    assert done.returncode == 8, done.stderr
    assert "permission" in one_line(done)
    assert not (tmp_path / "runs").exists()


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
