"""Projects for verifiers and inspect-ai: installed as their users do, run by the frameworks' own code."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from consumers import ROOT, called, consumer
from once import once, shared_directory
from sample_paper import SAMPLE, call
from sample_submissions import CHEAP_TASK

from reproducegym.errors import MisuseError
from reproducegym.pipeline.directories import read_tree

Installed = Callable[[str], dict[str, str]]


@pytest.fixture(scope="module")
def installed(built_sample: Path, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """Exports a project and installs it; the environment in which it is found, with our verifier on the host."""

    def install(framework: str) -> dict[str, str]:
        def make(place: Path) -> None:
            argv = ("--paper", built_sample, "--solution", SAMPLE / "solution", "--out", place / "project")
            done = call("reproducegym", "export", framework, *argv)
            assert done.returncode == 0, done.stderr
            assert "evidence level reexecute, kept in 12 tasks" in done.stderr
            pip = (sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-build-isolation", "--no-index")
            subprocess.run([*pip, "--target", place / "site", place / "project"], check=True, capture_output=True)

        place = once(shared_directory(tmp_path_factory), f"project-{framework}", make)
        return {
            "PYTHONPATH": f"{place / 'site'}:{ROOT}",
            "REPRODUCEGYM_COMMAND": f"{sys.executable} -m reproducegym",
            "PYTHONDONTWRITEBYTECODE": "1",
        }

    return install


def test_a_project_holds_nothing_hidden_and_replaces_only_itself(built_sample: Path, tmp_path: Path):
    from reproducegym.adapters.exporters.projects import FRAMEWORKS, export_project
    from reproducegym.pipeline.config_file import load_config
    from reproducegym.pipeline.store import open_paper

    def export() -> None:
        settings = load_config(None).sandbox
        export_project(FRAMEWORKS["verifiers"], [open_paper(built_sample)], tmp_path / "p", settings, None, None)

    export()
    files = read_tree(tmp_path / "p")
    assert not [name for name in files if "reward" in name or "contract" in name or name.endswith("solve.sh")]
    export()
    assert read_tree(tmp_path / "p") == files
    (tmp_path / "p" / "mine").write_text("")
    with pytest.raises(MisuseError, match="holds 'mine'"):
        export()


def test_verifiers_validates_gold_and_noop(installed: Installed, tmp_path: Path):
    place, env = consumer("verifiers"), installed("verifiers") | {"HOME": str(tmp_path)}
    chosen = ("--taskset.image", "", "--select.include.names", f'["{CHEAP_TASK}"]')
    argv = ("reproducegym_tasks", "--runtime.type", "subprocess", *chosen, "--rich", "False", "-o", tmp_path / "out")
    called(place / "vf-validate", *argv, env=env, cwd=tmp_path)
    rows = [json.loads(line) for path in tmp_path.glob("out/*/results.jsonl") for line in path.read_text().splitlines()]
    assert [(row["name"], row["gold"]["valid"], row["noop"]["reward"]) for row in rows] == [(CHEAP_TASK, True, 0.0)]


CASES = {
    "solved": {"commands": [f"bash {SAMPLE / 'solution' / 'solve.sh'}"]},
    "too large": {"commands": ["truncate -s 200G large"]},
    "no verifier": {"commands": ["ls"], "verifier": "no-such-program"},
}


@pytest.fixture(scope="module")
def evaluated(installed: Installed, tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, object]]:
    """What inspect-ai says of each case."""
    place = tmp_path_factory.mktemp("inspect")

    def make(out: Path) -> None:
        argv = (Path(__file__).with_name("inspect_eval.py"), CHEAP_TASK, place / "logs", json.dumps(CASES))
        env = installed("inspect") | {"HOME": str(place)}
        (out / "told").write_text(called(consumer("inspect") / "python", *argv, env=env, cwd=place))

    told = once(shared_directory(tmp_path_factory), "inspect-told", make) / "told"
    return json.loads(told.read_text().splitlines()[-1])


@pytest.mark.parametrize(("case", "paid"), [("solved", 1.0), ("too large", 0.0)])
def test_inspect_scores_with_our_verifier(evaluated: dict[str, dict[str, object]], case: str, paid: float):
    assert evaluated[case] == {"status": "success", "scores": [paid], "levels": ["reexecute"], "errors": []}


def test_inspect_keeps_an_unscored_sample_unscored(evaluated: dict[str, dict[str, object]]):
    told = evaluated["no verifier"]
    assert told["scores"] == []
    assert "no-such-program cannot be run" in told["errors"][0]
