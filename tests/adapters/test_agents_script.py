"""The script and noop agents: found by name, run in a real sandbox, every end a record."""

from pathlib import Path

import pytest

from reproducegym.adapters.agents import NoopAgent, agent_named, script_agent
from reproducegym.errors import MisuseError, NotFoundError
from reproducegym.ports import Agent, AgentTask, CopyLimits, Files, SandboxSpec
from reproducegym.sandbox.namespaces import NamespacesSandbox
from reproducegym.schema.run import AgentRecord

LIMITS = CopyLimits(max_files=100, max_bytes=1 << 20, max_file_bytes=1 << 20)


def attempt(agent: Agent, timeout_s: float = 30.0) -> tuple[AgentRecord, Files]:
    sandbox = NamespacesSandbox()
    if not sandbox.availability().works:
        pytest.skip(sandbox.availability().detail)
    spec = SandboxSpec("agents", "any", {}, agent.mounts, 256, 1.0, 64, 16, 16)
    with sandbox.create(spec) as box:
        box.put({"input_files/task.md": b"do it\n"})
        record = agent.run(AgentTask("do it", timeout_s, 10_000, Path("/nowhere")), box)
        box.stop_processes()
        return record, box.get("/workspace", LIMITS)


def script(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "solve.sh"
    path.write_text(text)
    return path


def test_a_script_finds_the_task_and_its_own_neighbours(tmp_path: Path) -> None:
    (tmp_path / "method.py").write_text("print('method')\n")
    record, files = attempt(
        script_agent(script(tmp_path, 'cat input_files/task.md > seen; cp "$(dirname "$0")/method.py" .\n'))
    )
    assert record == AgentRecord(agent="script:solve.sh", outcome="finished", exit_code=0, detail="")
    assert files["seen"] == b"do it\n"
    assert files["method.py"] == b"print('method')\n"


def test_a_failing_script_is_a_record_with_its_last_words(tmp_path: Path) -> None:
    record, _ = attempt(script_agent(script(tmp_path, "echo no such data; exit 4\n")))
    assert (record.outcome, record.exit_code) == ("nonzero_exit", 4)
    assert "no such data" in record.detail


def test_a_script_past_its_budget_is_a_timeout(tmp_path: Path) -> None:
    record, files = attempt(script_agent(script(tmp_path, "echo 1 > part; sleep 60\n")), timeout_s=1.5)
    assert (record.outcome, record.exit_code, record.stopped_by) == ("timeout", None, "wall_clock")
    assert files["part"] == b"1\n"


def test_noop_leaves_the_workspace_alone() -> None:
    record, files = attempt(NoopAgent())
    assert record.outcome == "finished"
    assert set(files) == {"input_files/task.md"}


def test_agents_are_found_by_name(tmp_path: Path) -> None:
    path = script(tmp_path, "true\n")
    assert agent_named("noop").name == "noop"
    assert agent_named(f"script:{path}").mounts == {"/agent": tmp_path}


@pytest.mark.parametrize("text", ["", "script", "script:", "codex", "noop:x"])
def test_an_unknown_agent_is_misuse_with_the_known_ones(text: str) -> None:
    with pytest.raises(MisuseError, match="noop, script:FILE"):
        agent_named(text)


def test_a_missing_script_is_not_found(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match=r"nowhere\.sh"):
        agent_named(f"script:{tmp_path / 'nowhere.sh'}")
