"""The program that a node runs, as its shell starts it: leases by its own clock, and Python as old as we promise."""

import ast
import json
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import reproducegym.nodes
from reproducegym.nodes.asking import command_line, question
from reproducegym.nodes.keeper.ground import LEASE_S, boot_id, now
from reproducegym.schema.node import Node

KEEPER = sorted(Path(reproducegym.nodes.__file__).with_name("keeper").glob("*.py"))


def ask(workdir: Path, command: str, **asked: object) -> dict:
    node = Node(name="here", host="h", user="u", known_hosts="k", workdir=str(workdir), python=sys.executable)
    given = question({"command": command, "workdir": str(workdir), **asked})
    done = subprocess.run(["sh", "-c", command_line(node)], input=given, capture_output=True, check=True)
    return json.loads(done.stdout.splitlines()[-1])


def opened(workdir: Path, run: str) -> Path:
    return Path(ask(workdir, "open", run=run, owner="1:1:x", pid_namespace="pid:[1]")["place"])


def beat_at(place: Path, name: str, seconds_ago: float, boot: str | None = None) -> None:
    (place / name).write_text(f"{boot or boot_id()} {now() - seconds_ago:.3f}")


@pytest.mark.parametrize("path", KEEPER, ids=lambda path: path.name)
def test_the_keeper_is_written_for_an_old_python_and_stands_alone(path: Path):
    tree = ast.parse(path.read_text(), feature_version=(3, 9))
    named = [node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    named += [alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names]
    strangers = {name for name in named if name.split(".")[0] not in sys.stdlib_module_names}
    assert all(name.startswith("reproducegym.nodes.keeper.") for name in strangers - {"typing_extensions"})


def test_of_many_runs_that_want_a_gpu_at_once_one_gets_it(tmp_path: Path):
    runs = [f"r{n}" for n in range(8)]
    for run in runs:
        opened(tmp_path, run)
    with ThreadPoolExecutor(8) as pool:
        told = list(pool.map(lambda run: ask(tmp_path, "lease", run=run, gpus=["0"], count=1), runs))
    assert sorted("refused" in one for one in told) == [False] + [True] * 7
    assert sum(one.get("gpus") == ["0"] for one in told) == 1


def test_a_lease_ends_by_silence_and_not_while_the_driver_or_a_job_speaks(tmp_path: Path):
    first = opened(tmp_path, "first")
    opened(tmp_path, "second")
    wanted = {"gpus": ["0", "1"], "count": 2}
    assert ask(tmp_path, "lease", run="first", **wanted)["gpus"] == ["0", "1"]
    for speaks in ("beat", "jobs.beat"):
        for silent in ("beat", "jobs.beat"):
            beat_at(first, silent, LEASE_S + 9)
        beat_at(first, speaks, LEASE_S - 9)
        assert "held: 0 by first, 1 by first" in ask(tmp_path, "lease", run="second", **wanted)["refused"]
    beat_at(first, "jobs.beat", LEASE_S + 9)
    assert ask(tmp_path, "lease", run="second", **wanted)["gpus"] == ["0", "1"]
    assert ask(tmp_path, "beat", run="first")["gpus"] == []


def test_a_beat_of_before_the_node_was_started_anew_counts_no_more(tmp_path: Path):
    first = opened(tmp_path, "first")
    opened(tmp_path, "second")
    ask(tmp_path, "lease", run="first", gpus=["0"], count=1)
    for name in ("beat", "jobs.beat"):
        beat_at(first, name, 0.0, boot="00000000-0000-0000-0000-000000000000")
    assert ask(tmp_path, "lease", run="second", gpus=["0"], count=1)["gpus"] == ["0"]


def test_a_job_is_started_once_under_its_name_and_its_children_end_with_it(tmp_path: Path):
    place = opened(tmp_path, "run")
    mark = f"{tmp_path.name}-{time.monotonic_ns()}"
    sleeper = f"exec -a {mark} sleep 300"
    script = f'echo once >>"$HOME/count"; ({sleeper}) & (setsid bash -c "{sleeper}" &); sleep 0.3'
    asked = {"run": "run", "job": "j", "argv": ["bash", "-c", script], "prelude": "", "confine": "none", "visible": []}
    told = [ask(tmp_path, "start", **asked, timeout_s=30, log_bytes=99) for _ in range(2)]
    assert [one["started"] for one in told] == [True, False]
    state = ask(tmp_path, "follow", run="run", job="j", offset=0)
    assert (state["state"], state["exit_code"]) == ("ended", 0)
    assert (place / "work" / "count").read_text() == "once\n"
    assert mark not in subprocess.run(["ps", "ax"], capture_output=True, text=True, check=True).stdout
    assert ask(tmp_path, "remove", run="run") == {"removed": True, "jobs": 0}
    assert list((tmp_path / "runs").iterdir()) == []
