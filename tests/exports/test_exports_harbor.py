"""Harbor tasks: what stands in them, and what Harbor itself makes of them."""

import json
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest
from harbor_jobs import lint, rewards
from sample_paper import SAMPLE, call
from sample_submissions import CHEAP_TASK

from reproducegym.adapters.exporters.base_image import pinned
from reproducegym.adapters.exporters.harbor import export_harbor
from reproducegym.errors import MisuseError
from reproducegym.pipeline.config_file import load_config
from reproducegym.pipeline.directories import read_tree
from reproducegym.pipeline.judging.drawing import plan_runs
from reproducegym.pipeline.store import open_paper
from reproducegym.schema.contract import Contract
from reproducegym.verifier.contract import load_contract


@pytest.fixture(scope="module")
def dataset(built_sample: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("harbor") / "tasks"
    done = call(
        "reproducegym", "export", "harbor", "--paper", built_sample, "--solution", SAMPLE / "solution", "--out", out
    )
    assert done.returncode == 0, done.stderr
    assert "evidence level reexecute, kept in 12 tasks" in done.stderr
    return out


def test_what_the_agent_gets_holds_nothing_of_the_judges(dataset: Path):
    for task in dataset.iterdir():
        hidden = json.loads((task / "tests" / "contracts" / "000.json").read_text())
        curves = {str(x) for curve in hidden["reward_curves"].values() for x, _ in curve["points"]}
        shown = b"".join(read_tree(task / "environment").values()) + (task / "instruction.md").read_bytes()
        assert not [one for one in curves if len(one) > 4 and one.encode() in shown]
        assert {name.split("/")[0] for name in read_tree(task / "environment")} == {
            "Dockerfile",
            "docker-compose.yaml",
            "input_files",
        }


def test_the_level_stands_in_the_task_and_in_its_words(dataset: Path):
    told = tomllib.loads((dataset / CHEAP_TASK / "task.toml").read_text())
    assert told["metadata"]["evidence_level"] == told["metadata"]["evidence_level_asked"] == "reexecute"
    assert told["artifacts"] == ["/workspace"]
    assert told["verifier"]["environment_mode"] == "separate"
    assert "keeps evidence level `reexecute`" in (dataset / CHEAP_TASK / "instruction.md").read_text()


def test_both_judges_draw_the_same_runs(dataset: Path):
    """The container's judge reads a contract with the verifier's reader, ours with the schema."""
    for path in dataset.glob("*/tests/contracts/*.json"):
        told = []
        for contract in (load_contract(path.read_bytes()), Contract.from_json(path.read_bytes())):
            draws = iter(range(10**6))
            told.append(plan_runs(contract, lambda below, draws=draws: next(draws) * 7919 % below))
        assert told[0] == told[1]


def test_exporting_again_is_fine_and_a_foreign_directory_is_not(built_sample: Path, tmp_path: Path):
    settings = load_config(None).sandbox

    def export() -> None:
        export_harbor([open_paper(built_sample)], tmp_path / "set", settings, None, None)

    export()
    before = read_tree(tmp_path / "set")
    export()
    assert read_tree(tmp_path / "set") == before
    (tmp_path / "set" / "README").write_text("mine")
    with pytest.raises(MisuseError, match="holds 'README'"):
        export()
    with pytest.raises(MisuseError, match=r"has no solve.sh"):
        export_harbor([open_paper(built_sample)], tmp_path / "new", settings, None, tmp_path / "set")


@pytest.mark.docker
def test_the_base_image_is_named_by_what_it_is_built_from(docker_image: str):
    named = pinned(docker_image)
    assert pinned(named) == named
    assert subprocess.run(["docker", "image", "inspect", named], capture_output=True, check=False).returncode == 0


@pytest.mark.docker
def test_harbor_pays_the_reference_and_nothing_for_nothing(docker_image: str, dataset: Path, tmp_path: Path):
    assert lint(*dataset.iterdir()).strip() == ""
    shutil.copytree(dataset / CHEAP_TASK, tmp_path / "one" / CHEAP_TASK)
    paid = rewards(tmp_path / "one", tmp_path / "jobs", "oracle", "nop")
    assert list(paid["oracle"]) == [CHEAP_TASK]
    assert paid["oracle"][CHEAP_TASK] is not None
    assert paid["oracle"][CHEAP_TASK] >= 0.9
    assert paid["nop"] == {CHEAP_TASK: 0.0}
