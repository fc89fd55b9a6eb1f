"""The auditor's commands called wrongly: one line each that says what to do, and nothing is begun."""

import datetime
import os
import socket
import tempfile
from pathlib import Path

import pytest

from benchmarks.policies_page import table
from reproducegym.cli.auditor_serving import app as auditor
from reproducegym.cli.commands import start
from reproducegym.cli.voice import guarded
from reproducegym.errors import MisuseError


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("validate", "localhost:7860"), 'localhost:7860" is no address of a server'),
        (("serve", "--reward", "classic", "--host", "300.1.1.1"), "nothing can listen on port 7860 of 300.1.1.1"),
        (("bench", "--reward", "classic", "--split", "test"), "there are: train, held_out"),
        (("serve", "--reward", "classic", "--torch"), "classic episodes run nothing"),
        (("bench", "--torch", "--episodes", "1"), "/nowhere, which is no directory"),
    ],
)
def test_what_is_wrong_is_said_in_a_line(
    words: tuple[str, ...], said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setenv("REPRODUCEGYM_PACKAGES", "/nowhere")
    assert guarded(lambda: start(None, ["auditor", *words], "reproducegym")) == 2
    assert said in capsys.readouterr().err


def test_policies_are_told_apart_though_their_names_have_commas(capsys: pytest.CaptureFixture[str]):
    assert guarded(lambda: start(None, ["auditor", "bench", "--policy", "rules"], "reproducegym")) == 4
    assert 'no policy "rules"; there are: no-op; spam-all; ' in capsys.readouterr().err


def test_a_port_that_is_taken_is_not_served(capsys: pytest.CaptureFixture[str]):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        words = ["auditor", "serve", "--reward", "classic", "--port", str(taken.getsockname()[1])]
        assert guarded(lambda: start(None, words, "reproducegym")) == 2
    assert "choose others with --host and --port" in capsys.readouterr().err


def test_episodes_of_a_server_without_a_named_file_are_this_users_and_go_when_their_server_is_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    pytest.importorskip("openenv", reason="the extra `openenv` is not installed")
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setenv("REPRODUCEGYM_AUDITOR_REWARD", "classic")
    monkeypatch.delenv("REPRODUCEGYM_AUDITOR_EPISODES", raising=False)
    place = tmp_path / f"reproducegym-auditor-{os.getuid()}"
    place.mkdir(mode=0o700)
    (place / "99999999.sqlite-wal").touch()
    auditor()
    assert {path.name.partition(".")[0] for path in place.iterdir()} == {str(os.getppid())}
    elsewhere = tmp_path / "elsewhere"
    place.rename(elsewhere)
    place.symlink_to(elsewhere)
    with pytest.raises(MisuseError, match="another user's"):
        auditor()


def test_what_policies_earned_is_told_beside_their_bars():
    row = {"easy": 0.5, "medium": None, "hard": 0.25, "mean": 0.4, "holding": 0.3, "least": 0.0}
    told = {"episodes": 2, "reward": "executed", "split": "held_out", "policies": {"template grep": row}, "broken": []}
    told["broken"] = ["template grep: <= 0.15 where there is a violation"]
    lines = table(told, datetime.date(2030, 1, 2)).splitlines()
    assert lines[0].startswith("2 executed episodes of held-out projects")
    assert lines[-1].endswith(
        "| 0.500 | – | 0.250 | 0.400 | 0.300 | 0.000 | <= 0.15 where there is a violation: broken |"
    )
