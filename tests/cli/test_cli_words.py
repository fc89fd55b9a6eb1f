"""What the commands say: help with a real example, JSON on stdout, words on stderr, one line for a defect."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from sample_paper import ROOT, call, call_anew, one_line

from reproducegym import __version__
from reproducegym.cli.voice import guarded
from reproducegym.errors import StorageError, TamperedError

COMMANDS = [
    "parse",
    "build",
    "run",
    "verify",
    "regrade",
    "redteam",
    "export",
    "trace",
    "nodes",
    "doctor",
    "demo",
    "clean",
]

GROUPED = [["export", "clawgym"], ["trace", "show"], ["trace", "export"], ["nodes", "probe"], ["nodes", "clean"]]


def test_help_lists_every_command():
    done = call("reproducegym", "--help")
    assert done.returncode == 0
    assert all(command in done.stdout for command in COMMANDS)


@pytest.mark.parametrize(
    "command", [*([one] for one in COMMANDS if one not in ("export", "trace", "nodes")), *GROUPED], ids=" ".join
)
def test_help_of_a_command_shows_a_real_example(command: list[str]):
    done = call("reproducegym", *command, "--help")
    assert done.returncode == 0
    assert f"Example: reproducegym {' '.join(command)}" in " ".join(done.stdout.split())


@pytest.mark.parametrize("script", ["parse_paper.py", "build_claim_tasks.py", "run.py"])
def test_the_scripts_are_the_same_commands(script: str):
    done = call_anew(script, "--help")
    assert done.returncode == 0
    assert f"Usage: python {script}" in " ".join(done.stdout.split())
    assert len((ROOT / script).read_text().splitlines()) < 12


def test_the_scripts_work_from_any_directory(tmp_path: Path):
    done = call_anew("run.py", "--claim-id", "c001_x", cwd=tmp_path)
    assert done.returncode == 4
    assert "no paper below runs" in done.stderr


def test_the_version():
    assert call_anew("reproducegym", "--version").stdout == f"reproducegym {__version__}\n"


def test_doctor_answers_in_json_and_never_shows_a_key():
    done = call("reproducegym", "doctor", "--json", env={"OPENAI_API_KEY": "sk-very-secret"})
    answer = json.loads(done.stdout)
    findings = {one["name"]: one for one in answer["findings"]}
    assert done.returncode == (0 if answer["usable"] else 9)
    assert findings["keys"]["found"] == "OPENAI_API_KEY"
    assert "sk-very-secret" not in done.stdout + done.stderr
    assert {"python", "sandbox docker", "sandbox namespaces", "gpus", "disk"} <= set(findings)
    assert all(one["cost"] for one in answer["findings"])


def test_estimate_says_whose_attempts_there_are_and_bounds_a_batch(built_sample):
    asked = ("reproducegym", "estimate", "--paper", built_sample, "--all")
    done = call(*asked, "--agent", "tool-loop:m")
    assert done.returncode == 0
    assert "--agent tool-loop:m: no attempt of it was scored here; those that were are of nobody" in done.stderr
    for option in ("--attempts", "--parallel"):
        assert f"'{option}': Input should be less than or equal to" in one_line(call(*asked, option, "9" * 14))


def test_clean_of_a_directory_that_is_none_is_no_all_clear(tmp_path):
    (tmp_path / "file").write_text("")
    for place in (tmp_path / "nowhere", tmp_path / "file"):
        done = call("reproducegym", "clean", "--runs", place)
        assert done.returncode == 4
        assert f"--runs {place}: there is no such directory" in one_line(done)


def test_clean_says_what_it_removed():
    done = call("reproducegym", "clean", "--json")
    assert done.returncode == 0, done.stderr
    assert set(json.loads(done.stdout)["removed"]) == {"docker", "namespaces", "attempts", "submissions"}


def _raise(error: BaseException):
    def command() -> object:
        raise error

    return command


@pytest.mark.parametrize(
    ("error", "code", "words"),
    [
        (TamperedError("two\nlines  become one"), 7, "error: two lines become one\n"),
        (StorageError("no [bold]markup[/bold]"), 8, "error: no [bold]markup[/bold]\n"),
        (OSError(28, "No space left on device", "/x/y"), 8, "error: /x/y: No space left on device; free some space"),
        (PermissionError(13, "Permission denied", "/x/y"), 8, "error: /x/y: Permission denied; change its permissions"),
        (KeyboardInterrupt(), 130, "error: stopped"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, BaseException) else None,
)
def test_every_failure_is_one_line(error: BaseException, code: int, words: str, capfd: pytest.CaptureFixture[str]):
    assert guarded(_raise(error)) == code
    said = capfd.readouterr()
    assert said.err.startswith(words)
    assert said.err.count("\n") == 1
    assert said.out == ""


def test_a_defect_is_one_line_and_its_traceback_is_in_a_file(capfd: pytest.CaptureFixture[str]):
    assert guarded(_raise(ZeroDivisionError("division by zero"))) == 1
    (line,) = capfd.readouterr().err.splitlines()
    assert line.startswith("error: unexpected ZeroDivisionError: division by zero")
    path = Path(next(word for word in line.split() if word.startswith("/")).rstrip(","))
    assert "Traceback" in path.read_text()
    path.unlink()


def test_what_a_command_returns_is_its_exit_code(capfd: pytest.CaptureFixture[str]):
    assert guarded(lambda: 9) == 9
    assert guarded(lambda: None) == 0
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("loaded", ["reproducegym.cli.app", "reproducegym.cli.build"])
def test_help_and_a_build_without_work_are_quick_because_heavy_parts_load_late(loaded: str):
    heavy = ("pymupdf", "sympy", "scipy", "openai", "reproducegym.pipeline.judging.verify")
    probe = f"import sys, {loaded}; print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_parse_keeps_the_licence_it_is_told(tmp_path: Path):
    paper = tmp_path / "paper.md"
    paper.write_text("# A Paper\n\nSome text.\n")
    argv = ("reproducegym", "parse", "--md", paper, "--paper-id", "licensed", "--out", tmp_path / "runs")
    done = call(*argv, "--licence", "CC-BY-4.0", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["licence"] == "CC-BY-4.0"
    assert call(*argv, "--licence", " ").returncode == 2
