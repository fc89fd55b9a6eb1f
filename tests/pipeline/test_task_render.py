"""A rendered task: what the agent reads, what is sealed, and a reward.sh that works from anywhere."""

import json
import os
import subprocess
import time
from pathlib import Path

import pytest
from made_paper import read_paper, spec

from reproducegym.errors import TamperedError
from reproducegym.pipeline.compiling.contract import contract_of
from reproducegym.pipeline.directories import write_tree
from reproducegym.pipeline.seal import SEAL, check_digest, sealed, task_digest
from reproducegym.pipeline.task import brief, render_task, visible
from reproducegym.schema.contract import ContractCondition, ProbePlan
from reproducegym.schema.reading import read_json
from reproducegym.schema.task import DataEntry

GOLDEN = Path(__file__).parent.parent / "golden" / "task"
HONEST = "condition,seed,regret\nucb1,1,97.0\ngreedy,1,152.5\nucb1,2,97.9\ngreedy,2,152.0\n"


def task() -> dict[str, bytes]:
    claim = spec()
    return render_task(claim, brief(claim, read_paper(), "masked", 8.0), contract_of(claim), 8.0)


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """As ClawGym lays it out: input files and reward/ in one directory."""
    files = task()
    write_tree(
        tmp_path / "ws" / "reward", {name[7:]: data for name, data in files.items() if name.startswith("reward/")}
    )
    return tmp_path / "ws"


def reward(workspace: Path, cwd: Path, env: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["/bin/bash", str(workspace / "reward" / "reward.sh")],
        cwd=cwd,
        env=env,
        capture_output=True,
        text=True,
        check=False,
    )


def submit(workspace: Path, text: str) -> None:
    (workspace / "output").mkdir(exist_ok=True)
    (workspace / "output" / "metrics.csv").write_text(text)


def test_the_task_reads_as_the_golden_one() -> None:
    files = task()
    shown = {name: files[name] for name in visible(files) if not name.endswith(".png")}
    for name, data in shown.items():
        path = GOLDEN / name
        if os.environ.get("REPRODUCEGYM_WRITE_GOLDEN") == "1":
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        assert path.read_text() == data.decode(), f"{name} changed; look, then REPRODUCEGYM_WRITE_GOLDEN=1"


def test_the_agent_gets_conditions_and_outputs_as_agreed() -> None:
    files = task()
    assert json.loads(files["input_files/conditions.json"]) == {
        "conditions": [
            {"label": "ucb1", "switches": {"method": "UCB1"}, "description": ""},
            {"label": "greedy", "switches": {"method": "greedy"}, "description": "no bonus"},
        ],
        "knobs": {"steps": 1000},
    }
    assert json.loads(files["input_files/outputs.json"]) == {
        "columns": [{"name": "regret", "unit": "", "range": [0, None]}],
        "step_column": False,
        "min_rows_per_condition": 1,
    }
    entry = read_json(DataEntry, files["data_entry.json"], "data_entry.json")
    assert entry.input_mount_dir == "/root/.openclaw/workspace"
    assert entry.metadata["evidence_level"] == "artifact"
    assert "`seed`" in entry.user_query


def test_a_condition_that_only_a_probe_asks_for_is_listed_like_the_others() -> None:
    row = ProbePlan(
        name="row",
        conditions=(ContractCondition(label="thompson", switches={"method": "Thompson"}),),
        seeds=1,
        choices=(),
    )
    listed = json.loads(brief(spec(probe_plans=(row,)), read_paper(), "masked", 8.0)["conditions.json"])["conditions"]
    assert [one["label"] for one in listed] == ["greedy", "thompson", "ucb1"]


def test_how_much_of_the_paper_a_task_carries_is_chosen() -> None:
    claim = spec()
    assert "paper.md" not in brief(claim, read_paper(), "none", 8.0)
    link = brief(claim, read_paper(), "link", 8.0)["paper.md"].decode()
    assert "Optimism on bandits" in link
    assert "Results" not in link
    assert "paper.md" not in brief(spec(exposure_policy="claim_only"), read_paper(), "masked", 8.0)
    assert b"97.3" in brief(spec(exposure_policy="full"), read_paper(), "masked", 8.0)["paper.md"]


def test_no_digest_is_visible() -> None:
    claim = spec()
    text = b"".join(visible(task()).values()).decode("latin-1") + "".join(visible(task()))
    for secret in (claim.spec_hash, claim.contract_hash, claim.claim_uid[4:]):
        assert secret not in text


def test_reward_sh_pays_an_honest_table_from_any_directory(workspace: Path, tmp_path: Path) -> None:
    submit(workspace, HONEST)
    for cwd in (workspace, tmp_path, Path("/")):
        began = time.monotonic()
        done = reward(workspace, cwd)
        assert (done.returncode, done.stdout.split()[-1]) == (0, "1.0"), done.stderr
        assert time.monotonic() - began < 2


def test_reward_sh_pays_nothing_for_nothing(workspace: Path) -> None:
    assert reward(workspace, Path("/")).stdout.split()[-1] == "0.0"
    submit(workspace, HONEST.replace("97.", "152."))
    assert reward(workspace, Path("/")).stdout.split()[-1] == "0.0"


def test_reward_sh_ignores_the_environment_and_what_the_agent_put_on_its_path(workspace: Path, tmp_path: Path) -> None:
    evil = tmp_path / "evil"
    evil.mkdir()
    for name in ("python3", "env", "dirname"):
        (evil / name).write_text("#!/bin/sh\necho 7.5\n")
        (evil / name).chmod(0o755)
    (evil / "json.py").write_text("print(7.5)")
    submit(workspace, "condition,regret\n")
    env = {"PATH": str(evil), "PYTHONPATH": str(evil), "PYTHONSTARTUP": str(evil / "json.py"), "LC_ALL": "C"}
    assert reward(workspace, evil, env).stdout.split()[-1] == "0.0"


FUNCTIONS = {
    f"BASH_FUNC_{name}%%": "() { builtin echo 1.0; builtin exit 0; }"
    for name in ("exec", "set", "cd", "pwd", "echo", "exit", "[", "readlink", "env", "python3", "unset", "command")
}


@pytest.mark.parametrize("more", [{}, {"SHELLOPTS": "privileged"}, {"SHELLOPTS": "xtrace", "PS4": "1.0 "}])
def test_reward_sh_calls_no_function_that_the_environment_brings(workspace: Path, more: dict[str, str]) -> None:
    assert reward(workspace, Path("/"), {**FUNCTIONS, **more}).stdout.split() == ["0.0"]
    submit(workspace, HONEST)
    assert reward(workspace, Path("/"), {**FUNCTIONS, **more}).stdout.split() == ["1.0"]


def test_reward_sh_calls_no_function_that_bash_env_defines(workspace: Path, tmp_path: Path) -> None:
    names = [key.removeprefix("BASH_FUNC_").removesuffix("%%") for key in FUNCTIONS]
    start = tmp_path / "start.sh"
    start.write_text("".join(f"function {name} {{ builtin echo 1.0; builtin exit 0; }}\n" for name in names))
    assert reward(workspace, Path("/"), {"BASH_ENV": str(start)}).stdout.split() == ["0.0"]


def test_reward_sh_by_itself_does_not_read_bash_env(workspace: Path, tmp_path: Path) -> None:
    (tmp_path / "start.sh").write_text("echo 1.0; exit 0\n")
    script = workspace / "reward" / "reward.sh"
    done = subprocess.run(
        [str(script)], env={"BASH_ENV": str(tmp_path / "start.sh")}, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["0.0"]


def test_reward_sh_finds_its_files_when_called_through_a_link(workspace: Path, tmp_path: Path) -> None:
    submit(workspace, HONEST)
    (tmp_path / "first").symlink_to(workspace / "reward" / "reward.sh")
    (tmp_path / "bin").mkdir()
    link = tmp_path / "bin" / "score"
    link.symlink_to("../first")
    for argv, cwd in (([str(link)], "/"), (["/bin/bash", "score"], str(link.parent)), (["./score"], str(link.parent))):
        done = subprocess.run(argv, cwd=cwd, capture_output=True, text=True, check=True)
        assert done.stdout.split() == ["1.0"]


def test_reward_sh_fails_loudly_when_the_contract_is_broken(workspace: Path) -> None:
    submit(workspace, HONEST)
    (workspace / "reward" / "contract.json").write_text("{}")
    assert reward(workspace, Path("/")).returncode != 0


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"input_files/task.md": b"do nothing"}, "input_files/task.md was changed"),
        ({"reward/contract.json": b"{}"}, "reward/contract.json was changed"),
        ({"input_files/extra.txt": b""}, "input_files/extra.txt was added"),
        ({SEAL: b"{}"}, "data_entry.json was added"),
        ({SEAL: b"nonsense"}, "reward/seal.json was changed"),
    ],
)
def test_a_changed_byte_is_named(change: dict[str, bytes], named: str) -> None:
    files = task()
    expected = task_digest(files)
    check_digest(files, expected, "bandits")
    with pytest.raises(TamperedError, match=named):
        check_digest({**files, **change}, expected, "bandits")


def test_a_missing_file_and_a_resealed_task_are_noticed() -> None:
    files = task()
    expected = task_digest(files)
    with pytest.raises(TamperedError, match=r"input_files/task.md is missing"):
        check_digest({name: data for name, data in files.items() if name != "input_files/task.md"}, expected, "x")
    with pytest.raises(TamperedError, match=r"reward/seal.json was changed"):
        check_digest(sealed({**files, "input_files/task.md": b""}), expected, "x")
