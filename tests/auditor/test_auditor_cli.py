"""The auditor's commands called wrongly: one line each that says what to do, and nothing is begun."""

import datetime
import socket

import pytest

from benchmarks.policies_page import table
from reproducegym.cli.commands import start
from reproducegym.cli.voice import guarded


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("validate", "localhost:7860"), 'localhost:7860" is no address of a server'),
        (("serve", "--reward", "classic", "--host", "300.1.1.1"), "nothing can listen on port 7860 of 300.1.1.1"),
        (("bench", "--reward", "classic", "--split", "test"), "there are: train, held_out"),
        (("bench", "--torch", "--episodes", "1"), "/nowhere, which is no directory"),
    ],
)
def test_what_is_wrong_is_said_in_a_line(
    words: tuple[str, ...], said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setenv("REPRODUCEGYM_PACKAGES", "/nowhere")
    assert guarded(lambda: start(None, ["auditor", *words], "reproducegym")) == 2
    assert said in capsys.readouterr().err


def test_a_port_that_is_taken_is_not_served(capsys: pytest.CaptureFixture[str]):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        words = ["auditor", "serve", "--reward", "classic", "--port", str(taken.getsockname()[1])]
        assert guarded(lambda: start(None, words, "reproducegym")) == 2
    assert "choose others with --host and --port" in capsys.readouterr().err


def test_what_policies_earned_is_told_beside_their_bars():
    row = {"easy": 0.5, "medium": None, "hard": 0.25, "mean": 0.4, "holding": 0.3, "least": 0.0}
    told = {"episodes": 2, "reward": "executed", "split": "held_out", "policies": {"template grep": row}, "broken": []}
    told["broken"] = ["template grep: <= 0.15 where there is a violation"]
    lines = table(told, datetime.date(2030, 1, 2)).splitlines()
    assert lines[0].startswith("2 executed episodes of held-out projects")
    assert lines[-1].endswith(
        "| 0.500 | – | 0.250 | 0.400 | 0.300 | 0.000 | <= 0.15 where there is a violation: broken |"
    )
