"""What an agent left in a framework's sandbox is packed inside, where the agent rules, and read on the host."""

import os
import subprocess
from pathlib import Path

import pytest

from reproducegym.adapters.trainers import pack_script, pieces_named, unpacked
from reproducegym.pipeline.judging.transfer import RefusedFileError
from reproducegym.ports import CopyLimits

LIMITS = CopyLimits(max_files=4, max_bytes=1000, max_file_bytes=1000)


def packed(place: Path, path: str = os.environ["PATH"]) -> subprocess.CompletedProcess[str]:
    line = ["bash", "-c", pack_script(LIMITS), "-", str(place)]
    return subprocess.run(line, capture_output=True, text=True, check=False, env={"PATH": path})


def taken(place: Path, printed: str) -> dict[str, bytes]:
    return dict(unpacked([(place / name).read_bytes() for name in pieces_named(printed, LIMITS)], LIMITS))


def test_all_but_the_input_files_comes_out_as_often_as_it_is_asked_for(tmp_path: Path):
    for name, text in (("reproduce.sh", "true"), ("code/a b.py", "1"), ("input_files/given.csv", "2")):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    for _ in range(2):
        assert taken(tmp_path, packed(tmp_path).stdout) == {"reproduce.sh": b"true", "code/a b.py": b"1"}


@pytest.mark.parametrize("sizes", [[1] * 5, [600, 600]], ids=["too many", "too large"])
def test_more_than_the_limits_allow_is_not_packed(tmp_path: Path, sizes: list[int]):
    for number, size in enumerate(sizes):
        (tmp_path / str(number)).write_bytes(bytes(size))
    done = packed(tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (3, "", "more than 4 files or 1000 bytes\n")
    assert len(list(tmp_path.iterdir())) == len(sizes)


def test_an_archive_that_the_agent_wrote_itself_is_the_agents_fault(tmp_path: Path):
    (own := tmp_path / "bin").mkdir()
    (own / "split").write_text('#!/bin/sh\nfor last; do :; done\nhead -c 700 "$6" > "${last}0000"\n')
    (own / "split").chmod(0o755)
    (work := tmp_path / "work").mkdir()
    (work / "reproduce.sh").write_text("true")
    done = packed(work, f"{own}:{os.environ['PATH']}")
    assert done.returncode == 0
    with pytest.raises(RefusedFileError):
        taken(work, done.stdout)
    with pytest.raises(RefusedFileError, match="pieces"):
        pieces_named("piece " * 5, LIMITS)
