"""Batches as a user runs them: all that was asked for, once, however often the run is stopped on the way."""

import json
import os
import signal
import subprocess
import time
from pathlib import Path

import pytest
from batch_checks import assert_each_slot_once, in_progress, lines, wait_for
from sample_paper import ROOT, call, command_line, one_line
from speaking_upstream import KEY, Raw, speaking

from reproducegym.ports import Sandbox
from reproducegym.sandbox.docker import DockerSandbox
from reproducegym.sandbox.namespaces import NamespacesSandbox


def argv(paper: Path, agent: str, *more: str, sandbox: str = "namespaces") -> tuple[str | Path, ...]:
    return ("run.py", "--paper", paper, "--all", "--agent", agent, "--sandbox", sandbox, *more)


def start(*words: str | Path, **env: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        command_line(*words),
        cwd=ROOT,
        env={**os.environ, "COLUMNS": "200", **env},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def test_every_task_gets_its_attempts_and_one_line_for_each(paper: Path):
    done = call(*argv(paper, "noop", "--attempts", "2", "--parallel", "3", "--json"))
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert answer["batch"]["missing"] == 0
    assert len(answer["task_ids"]) == 2
    assert len(answer["attempts"]) == 4
    assert_each_slot_once(paper, 4)
    again = call("run.py", "--runs", paper.parent, "--resume", "last", "--json")
    assert again.returncode == 0, again.stderr
    assert json.loads(again.stdout)["attempts"] == []
    assert_each_slot_once(paper, 4)
    damaged = Path(answer["attempts"][0]["attempt_dir"]) / "result.json"
    damaged.write_bytes(damaged.read_bytes()[:100])
    for words in (("reproducegym", "estimate", "--paper", paper, "--all"), ("run.py", "--resume", "last", "--runs")):
        told = call(*words, *([paper.parent] if words[-1] == "--runs" else []))
        assert told.returncode == 0, told.stderr
        assert f"{damaged} is not JSON" in told.stderr
        assert "the attempt does not count: put the file back, or remove the attempt's directory" in told.stderr
    assert "1 of 4 missing" in told.stderr
    assert len(lines(paper)) == 4


@pytest.mark.parametrize("sandbox", [pytest.param("docker", marks=pytest.mark.docker), "namespaces"])
def test_a_killed_run_is_resumed_to_exactly_what_was_asked(
    paper: Path, slow: str, sandbox: str, request: pytest.FixtureRequest
):
    if sandbox == "docker":
        request.getfixturevalue("docker_image")
    program = start(*argv(paper, slow, "--attempts", "3", "--parallel", "2", sandbox=sandbox))
    wait_for(lambda: len(list(paper.glob("04-run/*/*/001"))) >= 1 and in_progress(paper))
    program.kill()
    program.communicate()
    said = b"what it had said\n"
    left = in_progress(paper)
    (left[0] / "trace" / "words.jsonl").write_bytes(said)
    kept = {path: path.stat().st_mtime_ns for path in paper.glob("04-run/*/*/[0-9]*")}
    done = call("run.py", "--runs", paper.parent, "--resume", "last", "--parallel", "3", "--json")
    assert done.returncode == 0, done.stderr
    assert len(json.loads(done.stdout)["attempts"]) == 6 - len(kept)
    assert_each_slot_once(paper, 6)
    assert all(path.stat().st_mtime_ns == then for path, then in kept.items())
    evidence = list(paper.glob("04-run/lost/*/*/*/trace/words.jsonl"))
    assert [path.read_bytes() for path in evidence] == [said]
    batch_id = json.loads(done.stdout)["batch"]["batch_id"]
    assert not (paper.parent / ".locks" / f"batch.{batch_id}").exists()
    backend: Sandbox = DockerSandbox() if sandbox == "docker" else NamespacesSandbox()
    assert [one for one in backend.standing() if one.run_id.startswith(batch_id)] == []


def test_one_ctrl_c_keeps_what_is_in_progress_and_begins_no_more(paper: Path, slow: str):
    program = start(*argv(paper, slow, "--attempts", "4", "--parallel", "2", "--json"))
    wait_for(lambda: len(in_progress(paper)) == 2)
    os.killpg(program.pid, signal.SIGINT)  # as a terminal does it: the sandboxes' processes get it too
    out, said = program.communicate(timeout=60)
    assert program.returncode == 130, said
    answer = json.loads(out)
    assert answer["error"]["kind"] == "Stopped"
    assert f"--resume {answer['batch']['batch_id']}" in said
    assert len(answer["attempts"]) == 2
    assert all(row["reward_valid"] and row["agent"]["outcome"] == "finished" for row in answer["attempts"])
    assert_each_slot_once(paper, 2)


def test_two_ctrl_c_stop_at_once_and_leave_nothing_of_what_was_in_progress(paper: Path, tmp_path: Path):
    script = tmp_path / "solve.sh"
    script.write_text("sleep 600\n")
    program = start(*argv(paper, f"script:{script}", "--attempts", "4", "--parallel", "2"))
    wait_for(lambda: len(in_progress(paper)) == 2)
    program.send_signal(signal.SIGINT)
    time.sleep(0.5)
    assert program.poll() is None
    program.send_signal(signal.SIGINT)
    _, said = program.communicate(timeout=30)
    assert program.returncode == 130, said
    assert in_progress(paper) == []
    assert list(paper.glob("04-run/*/*/*")) == []


@pytest.mark.parametrize(("numbers", "code"), [((signal.SIGINT, signal.SIGINT), 130), ((signal.SIGTERM,), 143)])
def test_a_stop_waits_for_no_model(paper: Path, numbers: tuple[signal.Signals, ...], code: int):
    with speaking() as upstream:
        upstream.script = lambda asked: Raw([b"{"], 200, "application/json", stall_s=60.0)
        keys = {"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": upstream.base_url, "OPENAI_MODEL": "a-model"}
        program = start(*argv(paper, "tool-loop"), **keys)
        wait_for(lambda: upstream.asked)
        for number in numbers:
            time.sleep(0.3)
            program.send_signal(number)
        began = time.monotonic()
        _, said = program.communicate(timeout=30)
    assert time.monotonic() - began < 15
    assert program.returncode == code, said
    assert "stopped; nothing is left running" in said
    assert list(paper.glob("04-run/*/*/*")) == []


def test_a_batch_that_was_half_written_is_one_line_and_keeps_no_other_from_being_resumed(paper: Path):
    assert call(*argv(paper, "noop")).returncode == 0
    (whole,) = (paper.parent / ".batches").glob("*.json")
    (whole.parent / ".tmp-another.json").write_bytes(b"{")  # as a run that was killed while writing leaves it
    (whole.parent / "harmed.json").write_bytes(whole.read_bytes()[:100])
    assert call("run.py", "--runs", paper.parent, "--resume", whole.stem).returncode == 0
    for name in ("harmed", "last"):
        done = call("run.py", "--runs", paper.parent, "--resume", name)
        assert done.returncode == 6
        said = one_line(done)
        assert "harmed.json is not JSON" in said
        assert said.endswith("remove the file, or resume another batch by its id")


def test_a_batch_is_worked_on_by_one_process_at_a_time(paper: Path, slow: str):
    program = start(*argv(paper, slow, "--attempts", "2"))
    wait_for(lambda: in_progress(paper))
    second = call("run.py", "--runs", paper.parent, "--resume", "last")
    assert second.returncode == 11
    program.communicate(timeout=60)
    assert_each_slot_once(paper, 4)


OTHER_ORDERS = [
    ("--agent", "noop"),
    ("--attempts", "1"),
    ("--sandbox", "namespaces"),
    ("--gpus", "2"),
    ("--nodes", "x"),
]


def test_a_resumed_batch_takes_no_other_order_and_an_unknown_one_lists_those_there_are(paper: Path):
    assert call(*argv(paper, "noop")).returncode == 0
    (batch,) = (paper.parent / ".batches").glob("*.json")
    for flag, value in OTHER_ORDERS:
        done = call("run.py", "--runs", paper.parent, "--resume", "last", flag, value)
        assert done.returncode == 2
        assert f"as the batch was begun; leave out {flag}" in one_line(done)
    done = call("run.py", "--runs", paper.parent, "--resume", "nobody")
    assert done.returncode == 4
    assert batch.stem in one_line(done)


def test_what_a_node_is_for_needs_a_node_and_no_batch_is_endless(paper: Path):
    for words in (("--node-for", "commands"), ("--gpus", "2"), ("--nodes", "x.yaml")):
        done = call(*argv(paper, "noop", *words))
        assert done.returncode == 2
        assert words[0] in one_line(done)
        assert "with --node" in one_line(done)
    assert call(*argv(paper, "noop", "--attempts", "9" * 20)).returncode == 2
    assert call(*argv(paper, "noop", "--parallel", "9" * 20)).returncode == 2


def test_a_batch_that_finds_nobody_to_work_on_it_is_not_kept(paper: Path):
    done = call(*argv(paper, "noop", "--executor", "ray", "--ray-address", "127.0.0.1:1"))
    assert done.returncode == 12
    assert "Ray at 127.0.0.1:1 does not answer" in one_line(done)
    assert not list((paper.parent / ".batches").glob("*.json"))
