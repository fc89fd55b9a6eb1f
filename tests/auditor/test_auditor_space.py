"""The Space: its doors lead to the package, its image serves as uid 1000, a model plays and the suite examines."""

import json
import os
import socket
import subprocess
import sys
import sysconfig
import time
from pathlib import Path

import httpx
import pytest
from model_server import KEY, Answer, Asked, Bytes, ModelServer, Status, echo_of_secrets
from playing import case, true_audit, true_triage

from reproducegym.adapters.auditor_client.model import json_of
from reproducegym.adapters.auditor_client.suite import CHECKS, examined
from reproducegym.cli.commands import start
from reproducegym.cli.voice import guarded

SPACE = Path(__file__).resolve().parents[2] / "spaces" / "reproducibility-auditor"


def ended(*words: str) -> int:
    return guarded(lambda: start(None, ["auditor", *words], "reproducegym"))


def test_the_suite_passes_a_server_and_fails_what_is_none(url: str, capsys: pytest.CaptureFixture[str]):
    assert ended("validate", url, "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert told["passed"] and len(told["checks"]) == len(CHECKS) == 10
    assert not any(one.passed for one in examined("http://127.0.0.1:9"))
    assert ended("validate", "http://127.0.0.1:9") == 1


def test_a_model_plays_at_a_server_and_in_process_and_earns_what_it_knows(
    url: str, model_server: ModelServer, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path
):
    monkeypatch.chdir(tmp_path)
    seeds = {(level, seed): case(level, seed) for level in ("easy", "hard") for seed in (0, 1)}

    def script(asked: Asked):
        if asked.number == 1:
            return Status(500)  # sent again
        one = next(c for c in seeds.values() if next(iter(c.files.values())) in asked.user)
        told = true_audit(one) if "report every violation" in asked.user else true_triage(one)
        if one.level == "hard" and "report every violation" in asked.user:
            return Answer("There is nothing to say.")
        return Answer(f"Here it is:\n```json\n{told}\n```\nDone.")

    model_server.script = script
    for name, value in (("API_BASE_URL", model_server.base_url), ("MODEL_NAME", "small-model"), ("HF_TOKEN", KEY)):
        monkeypatch.setenv(name, value)
    for where in (["--server", url], ["--reward", "classic"]):
        model_server.hits = 0
        assert ended("infer", *where, "--task", "easy", "--task", "hard", "--episodes", "2", "--json") == 0
        said = capsys.readouterr()
        assert json.loads(said.out)["mean"] == {"easy": 1.0, "hard": 0.0}
        assert KEY not in said.out + said.err
    for reply, words in (
        (lambda asked: echo_of_secrets(401, asked.headers), "[removed]"),
        (lambda asked: Bytes(b"<html>", "text/html"), "no answer of a chat API"),
    ):
        model_server.script = reply
        assert ended("infer", "--server", url, "--retries", "0") == 13
        said = capsys.readouterr().err
        assert words in said and KEY not in said
    monkeypatch.delenv("HF_TOKEN")
    assert ended("infer", "--server", url) == 13
    assert "HF_TOKEN is not set" in capsys.readouterr().err
    assert json_of("no json") == "no json"


def test_openenvs_static_validator_passes_the_space():
    pytest.importorskip("openenv", reason="the extra `openenv` is not installed")
    from openenv.validation.runner import run_validation
    from openenv.validation.types import Level

    report = run_validation(SPACE, max_level=Level.STATIC, skip_build=True)
    assert report.verdict.value == "pass", report


def test_its_doors_lead_to_the_package():
    told = subprocess.run(
        [sys.executable, SPACE / "inference.py", "--help"], capture_output=True, text=True, check=True, cwd=SPACE
    ).stdout
    assert "Example: reproducegym auditor infer" in told


def test_a_variable_of_its_server_that_is_wrong_is_said_in_a_line():
    wrong = os.environ | {"REPRODUCEGYM_AUDITOR_CAPACITY": "many", "REPRODUCEGYM_AUDITOR_REWARD": "classic"}
    ended = subprocess.run(
        [sys.executable, "app.py"], capture_output=True, text=True, check=False, cwd=SPACE, env=wrong
    )
    assert (ended.returncode, ended.stderr) == (2, "error: REPRODUCEGYM_AUDITOR_CAPACITY=many is no number\n")


@pytest.mark.docker
def test_the_image_is_built_and_serves_as_uid_1000(docker_image: str, root: Path):
    packages = sysconfig.get_path("purelib")
    tag = f"reproducibility-auditor-test:{os.getpid()}"
    build = ["docker", "build", "-q", "-t", tag, "--network", "none", "--build-arg", f"BASE={docker_image}"]
    subprocess.run([*build, "--build-arg", "REQUIREMENTS=/dev/null", SPACE], check=True, capture_output=True)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    run = [
        "docker",
        "run",
        "-d",
        "--rm",
        "--network",
        "host",
        "-e",
        "HOST=127.0.0.1",
        "-e",
        f"PORT={port}",
        "-e",
        "ALSO_PORT=",
    ]
    run += ["-v", f"{packages}:/packages:ro"]
    run += ["-v", f"{root}:/checkout:ro", "-e", "PYTHONPATH=/checkout:/packages", "--read-only", "--tmpfs", "/tmp"]
    name = subprocess.run([*run, "--cap-drop", "ALL", tag], check=True, capture_output=True, text=True).stdout.strip()
    try:
        end = time.monotonic() + 180  # OpenEnv imports a web interface, which takes long on a busy machine
        while time.monotonic() < end:
            try:
                if httpx.get(f"http://127.0.0.1:{port}/health", timeout=1).json() == {"status": "healthy"}:
                    break
            except httpx.HTTPError:
                time.sleep(0.1)
        logs = subprocess.run(["docker", "logs", name], capture_output=True, text=True, check=False)
        assert [one for one in examined(f"http://127.0.0.1:{port}") if not one.passed] == [], logs.stderr[-2000:]
        user = subprocess.run(["docker", "exec", name, "id", "-u"], capture_output=True, text=True, check=True).stdout
        assert user.strip() == "1000"
    finally:
        subprocess.run(["docker", "rm", "-f", name], capture_output=True, check=False)
        subprocess.run(["docker", "rmi", "-f", tag], capture_output=True, check=False)
