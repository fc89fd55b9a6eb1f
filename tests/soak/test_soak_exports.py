"""Every export gives the reward that we give: twenty-odd submissions through each consumer's own code."""

import json
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

EXPORTS = Path(__file__).resolve().parent.parent / "exports"
sys.path.insert(0, str(EXPORTS))

from consumers import ROOT, called, consumer  # noqa: E402
from harbor_jobs import lint, rewards  # noqa: E402
from sample_paper import SAMPLE, call, manifest  # noqa: E402
from sample_submissions import CHEAP_TASK, submissions  # noqa: E402

from reproducegym.adapters.exporters.kept import carried  # noqa: E402
from reproducegym.adapters.tasks_server.environment import Offered, TaskEnvironment  # noqa: E402
from reproducegym.adapters.tasks_server.wire import TaskAction  # noqa: E402
from reproducegym.adapters.trainers import CommandVerifier, trl_reward  # noqa: E402
from reproducegym.adapters.trainers.judging import InProcessVerifier  # noqa: E402
from reproducegym.cli import wiring  # noqa: E402
from reproducegym.cli.options import SandboxChoice  # noqa: E402
from reproducegym.pipeline.directories import write_tree  # noqa: E402
from reproducegym.pipeline.store import open_paper  # noqa: E402
from reproducegym.ports import CopyLimits  # noqa: E402

pytestmark = [pytest.mark.soak, pytest.mark.docker]

DRAWS = 3
Earned = Mapping[str, float | None]


@pytest.fixture(scope="module")
def verifier(built_sample: Path, docker_image: str) -> InProcessVerifier:
    built, _ = carried([open_paper(built_sample)], "this test")
    orders = {one.order.entry.task_id: one.order for one in built}
    return InProcessVerifier(orders, wiring.judge(SandboxChoice.DOCKER, wiring.config(None)), parallel=2)


class Ours:
    """What we give each submission; drawn again, with other hidden seeds, where a consumer's reward is another."""

    def __init__(self, verifier: InProcessVerifier) -> None:
        self._verifier = verifier
        self.drawn: dict[str, list[float]] = {name: [self._reward(name)] for name in submissions()}

    def _reward(self, name: str) -> float:
        return self._verifier.verify(CHEAP_TASK, submissions()[name]).reward

    def gives(self, name: str, got: float) -> bool:
        drawn = self.drawn[name]
        while not min(drawn) - 1e-9 <= got <= max(drawn) + 1e-9 and len(drawn) < DRAWS:
            drawn.append(self._reward(name))
        return min(drawn) - 1e-9 <= got <= max(drawn) + 1e-9


@pytest.fixture(scope="module")
def ours(verifier: InProcessVerifier) -> Ours:
    return Ours(verifier)


@pytest.fixture(scope="module")
def workspaces(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Every submission as a directory."""
    place = tmp_path_factory.mktemp("workspaces")
    for name, files in submissions().items():
        (place / name).mkdir()
        write_tree(place / name, dict(files))
    return place


def agree(earned: Earned, ours: Ours, record: Callable[[str, object], None]) -> None:
    assert set(earned) == set(ours.drawn)
    assert len(earned) >= 20
    assert {reward for drawn in ours.drawn.values() for reward in drawn} >= {0.0, 1.0}
    apart = {name: got for name, got in earned.items() if got is None or not ours.gives(name, got)}
    record("submissions", len(earned))
    record("apart", len(apart))
    assert apart == {}, {name: ours.drawn[name] for name in apart}


def test_rewards_through_harbor_are_ours(
    built_sample: Path, tmp_path: Path, ours: Ours, workspaces: Path, record_property
):
    out = tmp_path / "all"
    done = call("reproducegym", "export", "harbor", "--paper", built_sample, "--out", out)
    assert done.returncode == 0, done.stderr
    for left in workspaces.iterdir():
        task = tmp_path / "set" / left.name
        task.parent.mkdir(exist_ok=True)
        subprocess.run(["cp", "-r", out / CHEAP_TASK, task], check=True)
        solution = {f"left/{path.relative_to(left)}": path.read_bytes() for path in left.rglob("*") if path.is_file()}
        solve = (
            b'#!/bin/bash\nhere="$(dirname "$(readlink -f "$0")")"\n[ ! -d "$here/left" ] || cp -r "$here/left/." .\n'
        )
        write_tree(task / "solution", {**solution, "solve.sh": solve})
    agree(rewards(tmp_path / "set", tmp_path / "jobs", "oracle")["oracle"], ours, record_property)


def test_harbor_pays_the_reference_in_every_task(built_sample: Path, tmp_path: Path, record_property):
    argv = ("--paper", built_sample, "--solution", SAMPLE / "solution", "--out", tmp_path / "all")
    assert call("reproducegym", "export", "harbor", *argv).returncode == 0
    assert lint(*(tmp_path / "all").iterdir()).strip() == ""
    earned = rewards(tmp_path / "all", tmp_path / "jobs", "oracle", "nop")
    paid, idle = earned["oracle"], earned["nop"]
    record_property("least_oracle", min(one or 0.0 for one in paid.values()))
    assert len(paid) == len(idle) == 12
    assert all(one is not None and one >= 0.9 for one in paid.values()), paid
    assert set(idle.values()) == {0.0}


def project(framework: str, built_sample: Path, tmp_path: Path) -> dict[str, str]:
    done = call("reproducegym", "export", framework, "--paper", built_sample, "--out", tmp_path / "project")
    assert done.returncode == 0, done.stderr
    command = f"{sys.executable} -m reproducegym"
    return {"PYTHONPATH": f"{tmp_path / 'project'}:{ROOT}", "REPRODUCEGYM_COMMAND": command, "HOME": str(tmp_path)}


def test_rewards_through_verifiers_are_ours(
    built_sample: Path, tmp_path: Path, ours: Ours, workspaces: Path, record_property
):
    python, env = consumer("verifiers") / "python", project("verifiers", built_sample, tmp_path)
    told = called(python, EXPORTS / "verifiers_score.py", CHEAP_TASK, workspaces, env=env, cwd=tmp_path)
    agree(json.loads(told.splitlines()[-1]), ours, record_property)


def test_rewards_through_inspect_are_ours(
    built_sample: Path, tmp_path: Path, ours: Ours, workspaces: Path, record_property
):
    python, env = consumer("inspect") / "python", project("inspect", built_sample, tmp_path)
    cases = json.dumps({left.name: {"commands": [f"cp -r {left}/. ."]} for left in workspaces.iterdir()})
    argv = (EXPORTS / "inspect_eval.py", CHEAP_TASK, tmp_path / "logs", cases)
    told = json.loads(called(python, *argv, env=env, cwd=tmp_path).splitlines()[-1])
    agree({name: one["scores"][0] if one["scores"] else None for name, one in told.items()}, ours, record_property)


def test_rewards_through_openenv_are_ours(verifier: InProcessVerifier, built_sample: Path, ours: Ours, record_property):
    built, _ = carried([open_paper(built_sample)], "this test")
    order = next(one.order for one in built if one.order.entry.task_id == CHEAP_TASK)
    offered = Offered(CHEAP_TASK, order.instructions, order.input_files, order.contract.evidence_level)
    limits = CopyLimits(max_files=5000, max_bytes=1 << 29, max_file_bytes=1 << 29)
    environment = TaskEnvironment({CHEAP_TASK: offered}, verifier, limits)
    earned: dict[str, float | None] = {}
    for name, files in submissions().items():
        environment.reset(task_id=CHEAP_TASK)
        texts = {path: data.decode() for path, data in files.items()}
        told = environment.step(TaskAction(files=texts)).reward
        earned[name] = None if told is None else float(told)
    agree(earned, ours, record_property)


def test_rewards_through_trl_are_ours(built_sample: Path, ours: Ours, record_property):
    places = {one["task_id"]: built_sample / one["task_dir"] for one in manifest(built_sample)["tasks"]}
    reward = trl_reward(CommandVerifier(places, (sys.executable, "-m", "reproducegym")))
    names = list(submissions())
    said = [
        "\n".join(f"````text {path}\n{data.decode()}````\n" for path, data in files.items())
        for files in submissions().values()
    ]
    paid = reward(prompts=["?"] * len(said), completions=said, task_id=[CHEAP_TASK] * len(said))
    agree(dict(zip(names, paid, strict=True)), ours, record_property)
