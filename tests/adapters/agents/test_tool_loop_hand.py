"""What a model can do in a sandbox through its hand, in each backend."""

from collections.abc import Iterator

import pytest

from reproducegym.adapters.agents.tool_loop.hands import HAND, INSIDE, Hand, HandLostError, ready_hand
from reproducegym.ports import Sandbox, SandboxBox, SandboxSpec
from reproducegym.sandbox.docker import DockerSandbox
from reproducegym.sandbox.namespaces import NamespacesSandbox


@pytest.fixture(params=[pytest.param("docker", marks=pytest.mark.docker), "bubblewrap", "unshare"])
def box(request: pytest.FixtureRequest) -> Iterator[SandboxBox]:
    if request.param == "docker":
        request.getfixturevalue("docker_image")
    backend: Sandbox = DockerSandbox() if request.param == "docker" else NamespacesSandbox(request.param)
    spec = SandboxSpec("story", "reproducegym/base", {}, INSIDE, 192, 1.0, 40, 16, 8, door=(HAND,))
    with backend.create(spec) as made:
        yield made


@pytest.fixture
def hand(box: SandboxBox) -> Iterator[Hand]:
    assert box.door is not None
    with ready_hand(box, box.door, timeout_s=120.0) as living:
        yield living


KNOCKS = """
echo kept >kept
python3 -c 'import os, socket
for one in [socket.socket(socket.AF_UNIX) for _ in range(9)]: one.connect("/door/hand")
os.kill(-1, 9)'
"""
"""Knocks at the door in the hand's place, and kills everything."""


def bash(hand: Hand, command: str, *, timeout_s: float = 20.0, background: bool = False, limit: int = 1000):
    request = {"do": "bash", "command": command, "cwd": "/workspace", "timeout_s": timeout_s}
    return hand.ask({**request, "background": background, "limit": limit}, within_s=timeout_s)


def test_commands_and_files(hand: Hand) -> None:
    made = hand.ask({"do": "write", "path": "code/a.py", "content": "print('ä')\nprint(2)\n"}, within_s=5)
    assert (made["ok"], made["bytes"]) == (True, 21)
    ran = bash(hand, "python3 code/a.py; echo gone >&2; exit 3")
    assert (ran["exit_code"], ran["output"], ran["timed_out"]) == (3, "ä\n2\ngone\n", False)
    read = hand.ask({"do": "read", "path": "code/a.py", "first": 2, "count": 1, "limit": 1000}, within_s=5)
    assert (read["output"], read["more"]) == ("print(2)\n", False)
    absent = hand.ask({"do": "read", "path": "none.txt", "first": 1, "count": 1, "limit": 9}, within_s=5)
    assert absent == {"ok": False, "error": "none.txt: No such file or directory"}
    refused = hand.ask({"do": "write", "path": "/etc/passwd", "content": ""}, within_s=5)
    assert refused["ok"] is False


def test_long_commands_are_stopped_or_go_on_in_the_background(hand: Hand) -> None:
    stopped = bash(hand, "echo begun; sleep 60", timeout_s=0.5)
    assert (stopped["timed_out"], stopped["exit_code"], stopped["output"]) == (True, 137, "begun\n")
    job = bash(hand, "for n in 1 2 3; do echo $n; sleep 0.3; done", background=True)
    assert job["exit_code"] is None
    assert bash(hand, "echo meanwhile")["output"] == "meanwhile\n"
    ended = hand.ask({"do": "poll", "job": job["job"], "wait_s": 10, "limit": 1000}, within_s=10)
    assert (ended["exit_code"], str(job["output"]) + str(ended["output"])) == (0, "1\n2\n3\n")
    unknown = hand.ask({"do": "poll", "job": 9, "wait_s": 1, "limit": 9}, within_s=5)
    assert unknown == {"ok": False, "error": "there is no job 9; there are: 1, 2, 3"}
    endless = bash(hand, "sleep 600", background=True)
    assert hand.ask({"do": "stop", "job": endless["job"], "limit": 9}, within_s=5)["exit_code"] == 137


def test_a_flood_of_output_is_shown_by_its_ends_and_kept_in_a_file(hand: Hand) -> None:
    flood = bash(hand, "seq 100000", limit=100)
    assert str(flood["output"]).startswith("1\n2\n")
    assert str(flood["tail"]).endswith("100000\n")
    assert flood["left_out"] == 588895 - 100
    assert bash(hand, f"tail -n 1 {flood['log']}")["output"] == "100000\n"


def test_a_command_that_kills_everything_takes_the_hand_along(box: SandboxBox) -> None:
    assert box.door is not None
    with ready_hand(box, box.door, timeout_s=60.0) as hand, pytest.raises(HandLostError, match="closed its end"):
        bash(hand, KNOCKS)
    with ready_hand(box, box.door, timeout_s=60.0) as again:
        assert bash(again, "cat kept")["output"] == "kept\n"
