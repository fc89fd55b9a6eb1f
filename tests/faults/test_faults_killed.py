"""Runs that are killed: nothing keeps running, nothing half-written reads as whole, and the next run succeeds."""

import json
import os
import random
import signal
import subprocess
import time
import uuid
from pathlib import Path

import pytest
from sample_paper import CHEAP_CLAIM, ROOT, call, command_line

from reproducegym.sandbox.namespaces import NamespacesSandbox
from reproducegym.schema.run import Result

KILLS = 2  # tests/soak has many more


@pytest.fixture(autouse=True)
def _needs_namespaces() -> None:
    availability = NamespacesSandbox().availability()
    if not availability.works:
        pytest.skip(f"no namespaces sandbox: {availability.detail}")


@pytest.fixture
def mark() -> str:
    """A length of sleep that no other story has, so that a process left by one is not taken for another's."""
    return f"86471.{uuid.uuid4().int}"


@pytest.fixture
def slow_agent(tmp_path: Path, mark: str) -> Path:
    """An agent that leaves a submission whose run takes a while, and a process of its own behind."""
    place = tmp_path / "agent"
    place.mkdir()
    script = place / "solve.sh"
    script.write_text(f"sleep {mark} &\nsleep 0.5\nprintf 'sleep 0.7\\nexit 1\\n' > reproduce.sh\n")
    return script


def argv(paper: Path, agent: Path) -> tuple[str | Path, ...]:
    named = ("--paper", paper, "--claim-id", CHEAP_CLAIM, "--agent", f"script:{agent}")
    return ("run.py", *named, "--sandbox", "namespaces")


def start(paper: Path, agent: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        command_line(*argv(paper, agent), "--json"),
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def running(paper: Path, mark: str) -> list[str]:
    """Command lines of processes that a run of this test left: our sleepers, and anything that names its files."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            try:
                line = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            except OSError:
                continue
            if mark in line or str(paper.parent.parent) in line:
                found.append(line)
    return found


def gone(paper: Path, mark: str, within_s: float = 10.0) -> bool:
    end = time.monotonic() + within_s
    while running(paper, mark):
        if time.monotonic() > end:
            return False
        time.sleep(0.1)
    return True


def attempts(paper: Path) -> list[Path]:
    return sorted(paper.glob("04-run/*/*/[0-9]*"))


def assert_whole(paper: Path) -> None:
    for number, directory in enumerate(attempts(paper), start=1):
        assert directory.name == f"{number:03d}"
        result = Result.from_json((directory / "result.json").read_text())
        assert result.attempt == number


def test_sigkill_at_random_moments_leaves_nothing_and_the_next_run_succeeds(paper: Path, slow_agent: Path, mark: str):
    moments = random.Random(20)
    for _ in range(KILLS):
        program = start(paper, slow_agent)
        time.sleep(moments.uniform(0.3, 3.0))
        program.kill()
        program.communicate()
        assert gone(paper, mark), running(paper, mark)
        assert_whole(paper)
    before = len(attempts(paper))
    done = call(*argv(paper, slow_agent), "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["attempts"][0]["attempt"] == before + 1
    assert_whole(paper)
    assert not list(paper.glob("04-run/*/*/.tmp-*"))


def again(program: subprocess.Popen[str]) -> None:
    """A second Ctrl-C, where the first one only ended what had not begun."""
    try:
        program.wait(1.5)
    except subprocess.TimeoutExpired:
        os.killpg(program.pid, signal.SIGINT)


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
@pytest.mark.parametrize("after_s", [1.2, 2.2])
def test_a_stop_is_one_line_and_ends_everything(
    paper: Path, slow_agent: Path, mark: str, number: int, code: int, after_s: float
):
    slow_agent.write_text(f"sleep {mark} &\nsleep 0.3\nprintf 'sleep {mark}\\n' > reproduce.sh\n")
    program = start(paper, slow_agent)
    time.sleep(after_s)
    program.send_signal(number)
    if number == signal.SIGINT:
        again(program)
    out, said = program.communicate(timeout=20)
    assert program.returncode == code, said
    assert json.loads(out)["error"]["exit_code"] == code
    assert said.splitlines()[-1].startswith("error: stopped")
    assert "Traceback" not in said
    assert gone(paper, mark), running(paper, mark)
    assert attempts(paper) == []


def test_ctrl_c_in_a_terminal_reaches_the_whole_group_and_still_ends_well(paper: Path, slow_agent: Path, mark: str):
    slow_agent.write_text(f"sleep {mark}\n")
    program = start(paper, slow_agent)
    time.sleep(1.5)
    os.killpg(program.pid, signal.SIGINT)
    again(program)
    _, said = program.communicate(timeout=20)
    assert program.returncode == 130, said
    assert gone(paper, mark), running(paper, mark)


def test_two_runs_at_once_get_two_numbers(paper: Path, slow_agent: Path):
    slow_agent.write_text("sleep 1\nprintf 'exit 1\\n' > reproduce.sh\n")
    programs = [start(paper, slow_agent) for _ in range(2)]
    answers = [program.communicate(timeout=120) for program in programs]
    assert [program.returncode for program in programs] == [0, 0], answers
    numbers = {json.loads(out)["attempts"][0]["attempt"] for out, _ in answers}
    assert numbers == {1, 2}
    assert_whole(paper)
