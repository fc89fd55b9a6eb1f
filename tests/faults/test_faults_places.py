"""Places that cannot be read, written or mounted: one line that says which, and whether it was a read or a write."""

import json
import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pymupdf
import pytest
from sample_paper import SAMPLE, SOLUTION, call, call_anew, command_line, manifest, one_line
from test_faults_storage import _bound_by_permissions


def asked(paper: Path) -> tuple[str | Path, ...]:
    return ("--paper", paper, "--claim-id", manifest(paper)["tasks"][0]["claim_id"], "--sandbox", "namespaces")


@pytest.fixture
def mounted(tmp_path: Path) -> Iterator[Callable[..., Path]]:
    """Mounts something for a test."""
    places: list[Path] = []
    if os.geteuid() != 0:
        pytest.skip("only root can mount")

    def mount(name: str, *options: str) -> Path:
        place = tmp_path / name
        place.mkdir()
        if subprocess.run(["mount", *options, str(place)], capture_output=True, check=False).returncode != 0:
            pytest.skip("nothing can be mounted here")
        places.append(place)
        return place

    yield mount
    for place in places:
        subprocess.run(["umount", str(place)], check=True)


def test_a_full_temporary_directory_is_named_with_its_variable(paper: Path, mounted: Callable[..., Path]):
    tiny = mounted("tiny", "-t", "tmpfs", "-o", "size=8k", "tmpfs")
    done = call("run.py", *asked(paper), "--agent", f"script:{SOLUTION}", env={"TMPDIR": str(tiny)})
    assert done.returncode in {8, 12}, done.stderr
    last = done.stderr.splitlines()[-1]
    assert str(tiny) in last
    assert "TMPDIR" in last
    assert "--out" not in last
    assert "[(" not in last


def test_a_read_only_paper_says_what_cannot_be_written(paper: Path, mounted: Callable[..., Path]):
    fixed = mounted("fixed", "--bind", str(paper.parent))
    subprocess.run(["mount", "-o", "remount,ro,bind", str(fixed)], check=True)
    done = call("run.py", *asked(fixed / paper.name))
    assert done.returncode == 8, done.stderr
    line = done.stderr.splitlines()[-1]
    assert line.startswith(f"error: cannot lock {fixed}/.locks/")
    assert "read-only" in line


@pytest.mark.parametrize("what", ["paper", "submission", "agent", "script"])
def test_what_may_not_be_read_is_told_as_a_read(paper: Path, tmp_path: Path, what: str):
    place = tmp_path / what
    place.mkdir()
    (place / "x.sh").write_text("true\n")
    argv: tuple[str | Path, ...] = ("run.py", *asked(paper))
    closed = place
    if what == "paper":
        closed = paper
    elif what == "submission":
        argv = ("reproducegym", "verify", place, *asked(paper))
    else:
        closed = place if what == "agent" else place / "x.sh"
        argv = (*argv, "--agent", f"script:{place / 'x.sh'}")
    mode = closed.stat().st_mode
    closed.chmod(0)
    done = call_anew(*argv, preexec_fn=_bound_by_permissions)
    closed.chmod(mode)
    assert done.returncode == 8, done.stderr
    line = one_line(done)
    assert str(closed) in line
    assert "read" in line
    assert "change its permissions" in line
    assert "writ" not in line


def test_a_pipe_beside_an_agents_script_is_one_clear_line(paper: Path, tmp_path: Path):
    (tmp_path / "agent").mkdir()
    os.mkfifo(tmp_path / "agent" / "pipe")
    (tmp_path / "agent" / "x.sh").write_text("true\n")
    done = call("run.py", *asked(paper), "--agent", f"script:{tmp_path / 'agent' / 'x.sh'}")
    assert done.returncode == 2, done.stderr
    line = one_line(done)
    assert line.startswith(f"{tmp_path / 'agent' / 'pipe'} is a pipe, socket or device: the whole directory")


def test_help_says_that_an_agents_directory_is_mounted():
    assert "its whole directory is mounted" in " ".join(call("run.py", "--help").stdout.split())


def test_a_submission_with_a_link_scores_nothing_as_in_a_run(paper: Path, tmp_path: Path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "reproduce.sh").symlink_to("/etc/passwd")
    done = call("reproducegym", "verify", tmp_path / "mine", *asked(paper), "--json")
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert (answer["reward"], answer["verdict"], answer["failure_kind"]) == (0.0, "failed", "agent")
    assert "links are not copied out" in answer["failure_detail"]


def test_doctor_does_not_take_a_file_for_a_place(tmp_path: Path):
    (tmp_path / "file").write_text("")
    findings = json.loads(call("reproducegym", "doctor", "--out", tmp_path / "file", "--json").stdout)["findings"]
    (disk,) = (one for one in findings if one["name"] == "disk")
    assert disk["works"] is False
    assert "is no directory" in disk["found"]


def test_a_full_standard_output_is_one_line():
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            command_line("reproducegym", "doctor", "--json"),
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == 8
    assert done.stderr.splitlines()[-1].startswith("error: the answer cannot be written to standard output")


@pytest.mark.parametrize("text", ["", "hello"])
def test_a_page_without_text_is_not_called_an_image(tmp_path: Path, text: str):
    with pymupdf.open() as pdf:
        pdf.new_page().insert_text((72, 72), text)
        pdf.save(tmp_path / "page.pdf")
    done = call("parse_paper.py", "--pdf", tmp_path / "page.pdf", "--out", tmp_path / "runs")
    assert done.returncode == 3
    line = one_line(done)
    assert "next to no text" in line
    assert "image" not in line
    assert not (tmp_path / "runs").exists()


def test_a_name_that_is_too_long_names_the_limit(tmp_path: Path):
    done = call("parse_paper.py", "--pdf", SAMPLE / "paper.pdf", "--paper-id", "a" * 200, "--out", tmp_path / "runs")
    assert done.returncode == 2
    line = one_line(done)
    assert "at most 100" in line
    assert len(line) < 200


def test_a_group_without_a_command_says_so():
    done = call("reproducegym", "export")
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1] == "error: no command was named (see --help)"
