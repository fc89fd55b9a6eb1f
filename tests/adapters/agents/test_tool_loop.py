"""The agent tool-loop on the sample task, with a scripted model behind a real HTTP server."""

import base64
import json
import urllib.parse
from collections.abc import Callable
from pathlib import Path

import pytest
from sample_paper import call
from speaking_upstream import KEY, Said, Upstream
from speaking_upstream.solver import TRIED, files, in_turn
from speaking_upstream.solver import call as tool

from agent_trace.reading import read_trace

KEYS = [KEY, base64.b64encode(KEY.encode()).decode().rstrip("=")[:-1], urllib.parse.quote(KEY + "/")[:-3]]
TELLS = " ".join([KEY, base64.b64encode(KEY.encode()).decode(), urllib.parse.quote(KEY), KEY.encode().hex()])

SOLVES = in_turn(
    Said(f"First I look around. My key is {TELLS}", (tool("bash", command="ls input_files; cat input_files/task.md"),)),
    Said("", tuple(tool("write", path=name, content=text) for name, text in files().items())),
    Said("", (tool("bash", command=TRIED, background=True), tool("bash", command="env; cat /proc/self/environ"))),
    Said("", (tool("poll", job=2, wait_s=30),)),
    Said("It runs.", (tool("submit", note="done"),)),
)


# In Docker its hand is tested by itself, and codex solves the task there: `make test` need not solve it a fourth time.
@pytest.mark.parametrize(
    "sandbox", [pytest.param("docker", marks=[pytest.mark.docker, pytest.mark.soak]), "namespaces"]
)
def test_a_model_that_solves_the_task_is_paid_and_its_trace_is_kept(
    attempt: Callable, upstream: Upstream, sandbox: str, request: pytest.FixtureRequest, tmp_path: Path
):
    if sandbox == "docker":
        request.getfixturevalue("docker_image")
    upstream.script = SOLVES
    done = attempt("tool-loop", sandbox=sandbox)
    assert done.result["reward"] >= 0.9, done.result
    agent = done.result["agent"]
    assert (agent["agent"], agent["outcome"], agent.get("stopped_by")) == ("tool-loop", "finished", None)
    assert agent["usage"] == {
        "completions": 5,
        "prompt_tokens": 500,
        "completion_tokens": 50,
        "dollars": None,
        "tool_calls": 5 + len(files()),
    }
    assert "calls of tools" in str(upstream.asked[0].body["messages"][1])
    records = read_trace(done.trace).records
    assert [record.end for record in records] == ["complete"] * 5
    shown = call("reproducegym", "trace", "show", done.directory)
    assert "First I look around" in shown.stderr
    for form in ("raw", "sft", "rl", "atif", "summary"):
        told = call("reproducegym", "trace", "export", done.directory, "--format", form, "--out", tmp_path / form)
        assert told.returncode == 0, told.stderr
    (line,) = (tmp_path / "sft").read_text().splitlines()
    assert json.loads(line)["loss_mask"].count(True) == 5
    assert json.loads(line)["reward"] == done.result["reward"]
    assert found_below(done.directory, KEYS) == []
    assert not any(key in done.said for key in KEYS)


def found_below(directory: Path, secrets: list[str]) -> list[str]:
    """Where one of them stands, in any file below."""
    read = {path: path.read_bytes() for path in directory.rglob("*") if path.is_file()}
    assert len(read) > 5
    return [f"{path.name}: {one}" for path, data in read.items() for one in secrets if one.encode() in data]
