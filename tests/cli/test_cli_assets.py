"""Assets on the command line: a paper is built with one, runs find it again, and what is wrong with it is one line."""

import json
import shutil
from pathlib import Path

import pytest
from sample_paper import ROOT, call, manifest, one_line

from reproducegym.cli.assets import places_of
from reproducegym.errors import AssetError
from reproducegym.pipeline.run import read_order
from reproducegym.pipeline.store import open_paper

PONDS = ROOT / "examples" / "papers" / "telling-ponds-apart"
CLAIM = "c004_naive_bayes_accuracy"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The paper built with its data at a place of its own."""
    out = tmp_path_factory.mktemp("assets")
    data = shutil.copytree(PONDS / "data", out / "data")
    parsed = call("parse_paper.py", "--pdf", PONDS / "paper.pdf", "--paper-id", "ponds", "--out", out)
    assert parsed.returncode == 0, parsed.stderr
    (out / "lakes.txt").write_text("deep\n")
    (out / "lakes.txt.asset.toml").write_text('licence = "CC0-1.0"\nabout = "a list of lakes"\n')
    named = ("--asset", f"reedbank={data}", "--asset", f"lakes={out / 'lakes.txt'}")
    done = call("build_claim_tasks.py", "--paper", out / "ponds", "--claim-id", CLAIM, *named)
    assert done.returncode == 0, done.stderr
    assert "no task uses the asset lakes" in done.stderr
    return out


def test_the_task_says_which_data_it_needs_and_not_where_that_is(built: Path):
    (task,) = manifest(built / "ponds")["tasks"]
    (asset,) = task["assets"]
    assert (asset["name"], asset["licence"], asset["files"]) == ("reedbank", "CC-BY-4.0", 2)
    assert len(asset["sha256"]) == 64
    assert "data" in task["probes"]
    assert task["memory_resistant"] is True
    assert str(built) not in (built / "ponds" / "task_manifest.json").read_text()
    text = (built / "ponds" / task["task_dir"] / "input_files" / "task.md").read_text()
    for told in ("assets/reedbank", "REPRODUCEGYM_ASSETS", "CC-BY-4.0", "`plants`", "600 ponds", "bytes"):
        assert told in text


@pytest.mark.parametrize("spoil", ["gone", "more", "other", "link"])
def test_data_that_is_missing_or_changed_is_refused_before_anything_starts(built: Path, tmp_path: Path, spoil: str):
    store = open_paper(built / "ponds")
    (task,) = store.manifest().tasks
    order = read_order(store, task.claim_id, task.spec_hash)
    assert places_of(None, store, order) == {"reedbank": (built / "data").resolve()}
    data = shutil.copytree(built / "data", tmp_path / "data")
    assert places_of([f"reedbank={data}"], store, order) == {"reedbank": data}
    said = "is not what the task was built with"
    if spoil == "gone":
        shutil.rmtree(data)
        said = "there is no file or directory"
    elif spoil == "more":
        (data / "more.csv").write_text("1\n")
    elif spoil == "other":
        (data / "reedbank.csv").write_text("plants\nreed\n")
    else:
        (data / "link").symlink_to("reedbank.csv")
        said = "is a link or a device"
    with pytest.raises(AssetError, match=said):
        places_of([f"reedbank={data}"], store, order)


@pytest.mark.parametrize("command", ["run", "verify", "redteam"])
def test_every_command_that_runs_something_says_so_in_one_line_with_exit_code_14(built: Path, command: str):
    what = [PONDS / "solution"] if command == "verify" else []
    task = ("--paper", built / "ponds", "--claim-id", CLAIM, "--asset", f"reedbank={PONDS / 'paper'}")
    done = call("reproducegym", command, *what, *task)
    assert done.returncode == 14
    assert "is not what the task was built with" in one_line(done)


def test_an_option_of_another_form_is_a_misuse_and_data_without_a_card_an_asset_error(built: Path, tmp_path: Path):
    build = ("build_claim_tasks.py", "--paper", built / "ponds")
    done = call(*build, "--asset", "reedbank")
    assert done.returncode == 2
    assert "--asset reedbank=PATH is wanted" in one_line(done)
    (tmp_path / "bare.csv").write_text("plants\nreed\n")
    done = call(*build, "--asset", f"reedbank={tmp_path / 'bare.csv'}")
    assert done.returncode == 14
    assert "write one that says licence and about (docs/assets.md)" in one_line(done)


@pytest.mark.parametrize("command", ["run", "verify", "redteam"])
def test_an_asset_that_no_task_needs_is_a_misuse(built: Path, built_sample: Path, command: str):
    what = [PONDS / "solution"] if command == "verify" else []
    first = manifest(built_sample)["tasks"][0]["claim_id"]
    done = call("reproducegym", command, *what, "--paper", built_sample, "--claim-id", first, "--asset", "x=/nowhere")
    assert (done.returncode, one_line(done)) == (2, f"--asset x: {first} needs no asset")
    done = call(
        "reproducegym", command, *what, "--paper", built / "ponds", "--claim-id", CLAIM, "--asset", "x=/nowhere"
    )
    assert (done.returncode, one_line(done)) == (2, f"--asset x: {CLAIM} needs reedbank and no other asset")


def test_tasks_with_assets_stay_out_of_a_clawgym_dataset(built: Path, built_sample: Path, tmp_path: Path):
    alone = call("reproducegym", "export", "clawgym", "--paper", built / "ponds", "--out", tmp_path / "ponds")
    assert alone.returncode == 4
    assert "which a ClawGym dataset cannot carry" in one_line(alone)
    assert not (tmp_path / "ponds").exists()
    for paper in (built / "ponds", built_sample):
        shutil.copytree(paper, tmp_path / "runs" / paper.name)
    done = call("reproducegym", "export", "clawgym", "--runs", tmp_path / "runs", "--out", tmp_path / "set", "--json")
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert len(answer["tasks"]) == len(manifest(built_sample)["tasks"])
    assert answer["left_out"] == [task["task_id"] for task in manifest(built / "ponds")["tasks"]]
    assert f"cannot carry the assets that they need: {answer['left_out'][0]}" in done.stderr
    listed = [json.loads(file.read_text())["tasks"] for file in tmp_path.glob("task_manifest*.json")]
    assert {task["task_id"] for tasks in listed for task in tasks} == set(answer["tasks"])


def test_the_solution_is_paid_the_cheat_is_not_and_no_data_is_kept(built: Path):
    rewards = {}
    for agent in ("solution", "cheats/digest_keyed"):
        script = f"script:{PONDS / agent / 'solve.sh'}"
        run = ("run.py", "--paper", built / "ponds", "--claim-id", CLAIM, "--sandbox", "namespaces", "--json")
        done = call(*run, "--agent", script)
        assert done.returncode == 0, done.stderr
        (attempt,) = json.loads(done.stdout)["attempts"]
        rewards[agent] = attempt["reward"]
        where = Path(attempt["attempt_dir"])
        assert "reedbank.csv" not in [path.name for path in where.rglob("*")]
        runs = json.loads((where / "verification" / "draw.json").read_text())["runs"]
        given = {one["purpose"]: one.get("asset") for one in runs}
        assert given == {"main": None, "null": None, "data": "reedbank", "row": None}
        assert len({one["asset_draw"] for one in runs}) == len(runs)
    assert rewards["solution"] >= 0.9
    assert rewards["cheats/digest_keyed"] == 0
