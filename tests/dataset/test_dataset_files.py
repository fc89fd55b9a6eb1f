"""The same tasks from a paper, from many, from JSONL, from Parquet and by Hugging Face's own loader."""

import contextlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from rows import row, tasks
from sample_paper import PAPER_ID, call, one_line

from reproducegym import TaskSet, load_manifest
from reproducegym.errors import MisuseError, NotFoundError, ReproduceGymError, SchemaError, StorageError
from reproducegym.schema.listed import ListedAsset

OLD = Path(__file__).resolve().parent.parent / "golden" / "manifests"
ASSET = ListedAsset(name="ponds", sha256="0" * 64, licence="CC0-1.0", about="ponds, told apart", size=12)


@pytest.fixture(scope="module")
def written(built_sample: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample paper's tasks as the command writes them, in both forms."""
    out = tmp_path_factory.mktemp("written")
    for form in ("parquet", "jsonl"):
        place = out / form
        done = call("reproducegym", "dataset", "write", built_sample, "--out", place, "--format", form, "--json")
        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout) == {"out": str(place), "tasks": {"train": 12}}
    return out


def test_a_paper_and_its_manifest_and_all_papers_give_the_same_tasks(built_sample: Path):
    found = load_manifest(built_sample)
    assert (
        found.tasks
        == load_manifest(built_sample / "task_manifest.json").tasks
        == load_manifest(built_sample.parent).tasks
    )
    assert found.papers == (PAPER_ID,)
    assert len(found) == 12
    assert found[0].prompt is None
    assert (found.with_prompts()[0].prompt or "").startswith("# Reproduce: ")


@pytest.mark.parametrize("form", ["parquet", "jsonl"])
def test_a_written_data_set_gives_the_tasks_back(form: str, written: Path, built_sample: Path):
    whole = load_manifest(built_sample).with_prompts()
    assert load_manifest(written / form).tasks == whole.tasks
    assert (
        load_manifest(written / form / "data" / f"train.{form}", prompts=False).tasks
        == load_manifest(built_sample).tasks
    )


@pytest.mark.parametrize("form", ["parquet", "jsonl"])
def test_every_kind_of_row_survives_its_file(form: str, tmp_path: Path):
    rows = TaskSet((row(1, 0, assets=(ASSET,), probes=(), oracle=1.0, prompt="a\nb"), row(1, 1, quarantine="flaky")))
    file = tmp_path / f"rows.{form}"
    (rows.to_parquet if form == "parquet" else rows.to_jsonl)(file)
    assert load_manifest(file, quarantined=True).tasks == rows.tasks
    assert load_manifest(file).tasks == rows.tasks[:1]
    assert [task.quarantine for task in load_manifest(file).quarantined] == ["flaky"]


def test_hugging_face_loads_both_forms_by_their_card_and_writes_what_we_read(written: Path, tmp_path: Path):
    script = """
import sys, datasets, huggingface_hub
from pathlib import Path
place, out = Path(sys.argv[1]), Path(sys.argv[2])
for form in ("parquet", "jsonl"):
    card = huggingface_hub.DatasetCard.load(place / form / "README.md")
    assert card.data.license == "other" and card.data.size_categories == ["n<1K"], card.data
    told = datasets.load_dataset(str(place / form))
    assert list(told) == ["train"] and told["train"].num_rows == 12, told
    assert told["train"].features["assets"].feature["sha256"].dtype == "string", told["train"].features
    assert str(told["train"].features["oracle"].dtype) == "float64", told["train"].features
    told["train"].to_parquet(out / f"{form}.parquet")
    told["train"].to_json(out / f"{form}.jsonl")
"""
    away = {"HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1", "HF_HOME": str(tmp_path / "cache")}
    argv = [sys.executable, "-c", script, str(written), str(tmp_path)]
    done = subprocess.run(argv, env={**os.environ, **away}, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    whole = load_manifest(written / "jsonl")
    for name in ("parquet.parquet", "parquet.jsonl", "jsonl.parquet", "jsonl.jsonl"):
        assert load_manifest(tmp_path / name).tasks == whole.tasks


@pytest.mark.parametrize("name", ["without_earlier", "without_config"])
def test_manifests_of_older_versions_are_brought_to_todays(name: str):
    found = load_manifest(OLD / f"{name}.json")
    assert [task.claim_id for task in found] == ["c001_ucb1_optimal_pulls", "c002_thompson_sampling_regret"]
    assert {(task.gameability, task.remembered) for task in found} == {(None, "not_rehearsed")}


def test_newer_versions_say_that_this_program_is_too_old(tmp_path: Path, built_sample: Path):
    newer = json.loads((built_sample / "task_manifest.json").read_text()) | {"schema_version": 2}
    (tmp_path / "task_manifest.json").write_text(json.dumps(newer))
    with pytest.raises(SchemaError, match=r"newer reproducegym \(schema 2; this one reads 1\); upgrade"):
        load_manifest(tmp_path / "task_manifest.json")
    tasks(1, 1).to_jsonl(tmp_path / "rows.jsonl")
    told = (tmp_path / "rows.jsonl").read_text()
    (tmp_path / "rows.jsonl").write_text(told + told.replace('"schema_version":1', '"schema_version":7'))
    with pytest.raises(SchemaError, match=r"rows.jsonl line 2 was written by a newer .*version 7; this one reads 1"):
        load_manifest(tmp_path / "rows.jsonl")


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (('"cost":"S"', '"cost":"XS"'), "line 1: cost: Input should be 'S', 'M', 'L' or 'XL'"),
        (('"seeds":3', '"seeds":"3"'), "line 1: seeds: Input should be a valid integer"),
        (("03-task", "../../etc"), "line 1: Value error, task_dir"),
        (("{", "["), "line 1 is not JSON"),
        (("{", "\ufeff{"), "line 1 begins with a byte order mark; save it as UTF-8 without one, or write it again"),
    ],
)
def test_a_broken_row_is_named_with_its_line_and_field(change: tuple[str, str], says: str, tmp_path: Path):
    tasks(1, 1).to_jsonl(tmp_path / "rows.jsonl")
    (tmp_path / "rows.jsonl").write_text((tmp_path / "rows.jsonl").read_text().replace(*change, 1))
    with pytest.raises(SchemaError) as told:
        load_manifest(tmp_path / "rows.jsonl")
    assert says in str(told.value)


def test_what_is_no_parquet_or_of_other_columns_is_told(tmp_path: Path):
    from pyarrow import parquet

    (tmp_path / "no.parquet").write_bytes(b"PAR1 no")
    with pytest.raises(SchemaError, match=r"no.parquet is not Parquet"):
        load_manifest(tmp_path / "no.parquet")
    tasks(2, 2).to_parquet(tmp_path / "rows.parquet")
    table = parquet.read_table(tmp_path / "rows.parquet")
    parquet.write_table(table.drop_columns(["cost"]), tmp_path / "less.parquet")
    with pytest.raises(SchemaError, match="lacks the column 'cost'"):
        load_manifest(tmp_path / "less.parquet")
    place = table.column_names.index("seeds")
    words = table.set_column(place, "seeds", table.column("seeds").cast("string"))
    parquet.write_table(words, tmp_path / "words.parquet")
    with pytest.raises(SchemaError, match=r"words.parquet row 1: seeds: Input should be a valid integer"):
        load_manifest(tmp_path / "words.parquet")


@pytest.mark.parametrize("form", ["jsonl", "parquet"])
def test_rows_that_cannot_be_written_leave_the_old_ones(form: str, tmp_path: Path):
    file = tmp_path / f"rows.{form}"
    rows = TaskSet((row(1, 1),)), TaskSet((row(1, 1), row(1, 2, prompt="\ud800")))
    for each in rows:
        with contextlib.suppress(ValueError):
            (each.to_parquet if form == "parquet" else each.to_jsonl)(file)
    assert load_manifest(file).tasks == rows[0].tasks
    assert list(tmp_path.iterdir()) == [file]
    with pytest.raises(StorageError, match="cannot write"):
        rows[0].to_jsonl(tmp_path / "nowhere" / "rows.jsonl")


def test_the_same_task_twice_and_nothing_at_all_are_refused(tmp_path: Path):
    TaskSet((row(1, 1), row(1, 1))).to_jsonl(tmp_path / "twice.jsonl")
    with pytest.raises(SchemaError, match=r"paper-00001.c001 is listed twice"):
        load_manifest(tmp_path / "twice.jsonl")
    for path in (tmp_path, tmp_path / "none", tmp_path / "none.jsonl"):
        with pytest.raises(NotFoundError, match="no tasks at"):
            load_manifest(path)


def test_prompts_need_the_papers_and_their_digest(built_sample: Path, tmp_path: Path):
    load_manifest(built_sample).to_jsonl(tmp_path / "rows.jsonl")
    with pytest.raises(NotFoundError, match=r"load_manifest\(…, runs=DIR\)"):
        load_manifest(tmp_path / "rows.jsonl").with_prompts()
    copied = shutil.copytree(built_sample, tmp_path / "runs" / PAPER_ID)
    found = load_manifest(tmp_path / "rows.jsonl", runs=tmp_path / "runs")
    assert all(task.prompt for task in found.with_prompts())
    (copied / found[0].task_dir.partition("/")[2] / "input_files" / "task.md").write_text("pay me")
    with pytest.raises(ReproduceGymError, match=r"task.md was changed"):
        found.with_prompts()


def test_the_command_shows_what_there_is_and_refuses_in_one_line(built_sample: Path, tmp_path: Path):
    done = call("reproducegym", "dataset", "show", built_sample.parent, "--json")
    told = json.loads(done.stdout)
    assert (told["tasks"], told["papers"], told["counts"]["cost"]) == (12, [PAPER_ID], {"S": 12})
    for extra, code, says in (
        (("--split", "train=0.5"), 2, "add up to 1, not 0.5"),
        (("--split", "train"), 2, "give a name and a fraction"),
        (("--cost", "XS"), 2, "there are: S, M, L, XL"),
        (("--cost", "XL"), 2, "there is no task to write"),
        (("--name", "x"), 2, "is there already"),
    ):
        (tmp_path / "x").write_text("mine")
        done = call("reproducegym", "dataset", "write", built_sample, "--out", tmp_path, *extra)
        assert (done.returncode, says in one_line(done)) == (code, True), done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["x"]


def test_without_the_extra_parquet_says_what_to_install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(MisuseError, match=r"pip install 'reproducegym\[datasets\]'"):
        tasks(1, 1).to_parquet(tmp_path / "rows.parquet")
