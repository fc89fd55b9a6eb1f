"""Real command-line agents inside a sandbox, through the door, against a scripted model that solves the sample task."""

import json
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from sample_paper import call
from speaking_upstream import KEY, Asked, Raw, Said, Upstream
from speaking_upstream.solver import TRIED, in_turn, written_by_shell
from speaking_upstream.solver import call as tool
from test_tool_loop import KEYS, TELLS, found_below

from agent_trace.reading import read_trace
from reproducegym.adapters.agents.cli.agent import CommandLineAgent
from reproducegym.adapters.agents.cli.declared import declared
from reproducegym.adapters.agents.cli.installed import place_of
from reproducegym.adapters.agents.metered import Models
from reproducegym.adapters.llm import Endpoint
from reproducegym.cli.agent_choice import agent, cache_directory
from reproducegym.errors import InfrastructureError
from reproducegym.pipeline.config_file import load_config
from reproducegym.ports import AgentTask, SandboxSpec
from reproducegym.sandbox.namespaces import NamespacesSandbox
from reproducegym.schema.cli_agent import CliAgent
from reproducegym.schema.run import AgentRecord

SHELLS = {
    "codex": ("exec_command", "cmd"),
    "opencode": ("bash", "command"),
    "claude-code": ("Bash", "command"),
    "qwen-code": ("run_shell_command", "command"),
    "mini-swe-agent": ("bash", "command"),
    "openclaw": ("exec", "command"),
}
ASKS = """
import json, os, pathlib, sys, urllib.request
model = pathlib.Path(os.environ["HOME"], ".mine", "model").read_text()
asked = {"model": model, "messages": [{"role": "user", "content": sys.argv[1]}]}
head = {"Authorization": "Bearer " + os.environ["KEY"]}
request = urllib.request.Request(os.environ["AT"] + "/chat/completions", json.dumps(asked).encode(), head)
print(model, "says", json.load(urllib.request.urlopen(request))["choices"][0]["message"]["content"])
"""
DISOWNS = (
    ASKS
    + """
asked["messages"][0]["content"] = "Fail."
request = urllib.request.Request(os.environ["AT"] + "/chat/completions", json.dumps(asked).encode(), head)
urllib.request.urlopen(request)
"""
)
"""The smallest command-line agent that there is."""
LEAKS = "env > leaked.txt; cat /proc/*/environ > leaked.bin 2>/dev/null; ls -a"


def asset(name: str) -> Path:
    """Where the agent is installed; a visible skip names what is missing."""
    place = place_of(cache_directory(), name, declared().agents[name])
    if not place.is_dir():
        absent = f"agent {name} is not installed: reproducegym agents install {name}"
        if os.environ.get("REPRODUCEGYM_REQUIRE_AGENTS", "") == name:
            pytest.fail(absent)
        pytest.skip(absent)
    return place


def shell(name: str, command: str) -> tuple[str, str]:
    kind, key = SHELLS[name]
    return tool(kind, **{key: command}, **({"description": "as told"} if key == "command" else {}))


def solves(name: str) -> Callable[[Asked], Said]:
    """The model's part, with the tool that this agent has for commands."""
    return in_turn(
        Said(f"First I look around. My key is {TELLS}", (shell(name, LEAKS),), pieces=9),
        Said("", (shell(name, written_by_shell()),), pieces=40),
        Said("", (shell(name, TRIED),)),
        Said("reproduce.sh is done."),
    )


@pytest.mark.parametrize("sandbox", [pytest.param("docker", marks=pytest.mark.docker), "namespaces"])
def test_a_real_agent_solves_the_task_through_the_door(
    attempt: Callable, upstream: Upstream, sandbox: str, request: pytest.FixtureRequest
):
    asset("codex")
    if sandbox == "docker":
        request.getfixturevalue("docker_image")
    upstream.script = solves("codex")
    done = attempt("codex", sandbox=sandbox)
    assert done.result["reward"] >= 0.9, done.result
    agent = done.result["agent"]
    assert (agent["outcome"], agent["detail"]) == ("finished", "reproduce.sh is done.")
    assert agent["usage"]["tool_calls"] == 3
    records = read_trace(done.trace).records
    assert {record.api for record in records} == {"openai.responses"}
    assert (done.trace / "output.log").stat().st_size > 500
    shown = call("reproducegym", "trace", "show", done.trace)
    assert "First I look around" in shown.stderr
    tokens = {asked.headers.get("authorization", "").removeprefix("Bearer ") for asked in upstream.asked}
    assert tokens == {KEY}
    assert found_below(done.directory, KEYS) == []
    files = [path.read_bytes() for path in done.directory.rglob("*") if path.is_file()]
    assert [found for data in files for found in re.findall(rb"run-[\w-]{43}", data)] == []
    assert b"GYM_TOKEN=[redacted:run-token]" in (done.directory / "workspace" / "leaked.bin").read_bytes()
    assert not (done.directory / "workspace" / ".agent-home").exists()


def hasty(declaration: CliAgent) -> CliAgent:
    """The same agent that gives its endpoint up sooner."""
    few = 'wire_api = "responses"\nrequest_max_retries = 1\nstream_max_retries = 0'
    files = {name: text.replace('wire_api = "responses"', few) for name, text in declaration.files.items()}
    return declaration.model_copy(update={"files": files})


@pytest.fixture
def alone(upstream: Upstream, tmp_path: Path) -> Iterator[Callable[..., AgentRecord]]:
    """Let an agent work on a small thing in a sandbox; no judge."""
    sandbox = NamespacesSandbox()
    if not sandbox.availability().works:
        pytest.skip(sandbox.availability().detail)

    def run(name: str, *, timeout_s: float = 300.0, **knobs: object) -> AgentRecord:
        shipped = load_config(None)
        settings = shipped.model_copy(update={"agent": shipped.agent.model_copy(update=knobs)})
        declaration = hasty(declared().agents[name])
        vendor = "anthropic" if declaration.api == "anthropic.messages" else "openai"
        models = Models({vendor: Endpoint(upstream.base_url, KEY, "the test")}, "a-model", settings)
        agent = CommandLineAgent(name, declaration, asset(name), models)
        spec = SandboxSpec("alone", "any", {}, agent.mounts, 4096, 2.0, 256, 256, 128, door=agent.door)
        with sandbox.create(spec) as box:
            record = agent.run(AgentTask("Make a file.", timeout_s, 10_000, tmp_path), box)
            left = box.exec(["/bin/ls", "-A"], timeout_s=9, output_bytes=999).output.decode().split()
            return record.model_copy(update={"detail": f"{record.detail} | {' '.join(left)}"})

    yield run


@pytest.mark.parametrize("name", ["opencode", "claude-code", "qwen-code", "mini-swe-agent", "openclaw"])
def test_other_agents_use_their_tools_and_end(alone: Callable, upstream: Upstream, name: str):
    done = Said("", (shell(name, "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT"),))
    last = done if name == "mini-swe-agent" else Said("All done.")
    upstream.script = in_turn(Said("", (shell(name, "echo hi > made.txt"),)), last)
    record = alone(name)
    assert record.outcome == "finished"
    assert record.detail.endswith("All done. | made.txt" if last is not done else "| made.txt")
    assert record.usage.completions == 2


@pytest.fixture
def own(upstream: Upstream, tmp_path: Path, monkeypatch) -> Callable[[str], AgentRecord]:
    """Let a program of one's own work in a sandbox."""
    return lambda program: worked(program, upstream, tmp_path, monkeypatch)


def worked(program: str, upstream: Upstream, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AgentRecord:
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "ask.py").write_text(program)
    told = {"about": "mine", "api": "openai.chat", "packages": [], "mounts": {"/opt/mine": str(mine)}, "resume": None}
    told |= {"argv": ["python3", "/opt/mine/ask.py", "${prompt}"], "env": {"KEY": "${token}", "AT": "${base_url}"}}
    told |= {"files": {".mine/model": "${model}"}, "output": {"format": "text", "said": [], "failed": []}}
    file = tmp_path / "agents.yaml"
    file.write_text(json.dumps({"schema_version": 1, "agents": {"mine": {**told, "tried": "run"}}}))
    keys = {"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": upstream.base_url, "OPENAI_MODEL": "a-model"}
    for name, value in {**keys, "REPRODUCEGYM_AGENTS": str(file), "REPRODUCEGYM_CACHE": str(tmp_path)}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(tmp_path)
    assert call("reproducegym", "agents", "install", "mine", cwd=tmp_path).returncode == 0
    made = agent("mine", load_config(None))
    spec = SandboxSpec("mine", "any", {}, made.mounts, 256, 1.0, 64, 64, 64, door=made.door)
    (trace := tmp_path / "trace").mkdir()
    with NamespacesSandbox().create(spec) as box:
        return made.run(AgentTask("Say hello.", 60.0, 10_000, trace), box)


def test_an_agent_of_ones_own_is_a_declaration(own: Callable, upstream: Upstream):
    record = own(ASKS)
    assert (record.agent, record.outcome, record.detail) == ("mine@own", "finished", "a-model says hello")
    assert "Say hello." in upstream.asked[0].body["messages"][0]["content"]


def test_an_agent_cannot_disown_its_work_by_making_its_models_fail(own: Callable, upstream: Upstream, tmp_path: Path):
    broken = Raw([b"{}"], 500, "application/json")
    upstream.script = lambda asked: broken if "Fail." in str(asked.body) else Said("hello")
    record = own(DISOWNS)
    assert (record.outcome, record.exit_code) == ("nonzero_exit", 1)
    assert len(read_trace(tmp_path / "trace" / "check").records) == 1


def test_models_that_fail_us_too_are_the_endpoints_fault(own: Callable, upstream: Upstream):
    broken = Raw([b"{}"], 500, "application/json")
    upstream.script = lambda asked: broken if len(upstream.asked) > 1 else Said("hello")
    with pytest.raises(InfrastructureError, match="the last answer had status 500"):
        own(DISOWNS)


def test_a_budget_ends_an_agent_and_is_told(alone: Callable, upstream: Upstream):
    upstream.script = in_turn(Said("", (shell("codex", "echo hi >> made.txt"),)))
    record = alone("codex", max_tool_calls=3)
    assert (record.outcome, record.stopped_by) == ("budget", "tool_calls")
    assert (record.detail, len(upstream.asked)) == ("3 calls of tools are used up | made.txt", 3)


def test_the_wall_clock_ends_an_agent(alone: Callable, upstream: Upstream):
    upstream.script = in_turn(Said("", (shell("codex", "echo hi > made.txt; sleep 60"),)))
    record = alone("codex", timeout_s=6.0)
    assert (record.outcome, record.stopped_by) == ("timeout", "wall_clock")
    assert record.detail.endswith("| made.txt")


def test_an_agent_without_its_models_is_the_endpoints_fault(alone: Callable, upstream: Upstream, tmp_path: Path):
    upstream.script = lambda asked: Raw([b'{"error": {"message": "no such model"}}'], 404, "application/json")
    with pytest.raises(InfrastructureError, match=r"gave up without its models \(the last answer had status 404\)"):
        alone("codex")
    assert KEY not in (tmp_path / "output.log").read_text()


def test_an_agent_whose_connection_broke_resumes_where_it_was(alone: Callable, upstream: Upstream):
    def script(asked: Asked) -> Said | Raw:
        told = str(asked.body["input"])
        if "Go on." in told:
            return Said("All done.")
        if "function_call_output" in told:
            return Raw([b"{}"], 500, "application/json")
        return Said("", (shell("codex", "echo hi >> made.txt"),))

    upstream.script = script
    record = alone("codex")
    assert (record.outcome, record.detail) == ("finished", "All done. | made.txt")
