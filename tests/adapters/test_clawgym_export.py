"""The flat dataset, read the way ClawGym's loader reads it (facts of its rollout code, June 2026)."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

sys.path.insert(0, str(Path(__file__).parent.parent / "pipeline"))

from made_paper import SOURCE, HandMadeClaims, ReadsNothing, spec

from reproducegym.adapters.exporters.clawgym import export_clawgym
from reproducegym.adapters.exporters.kept import carried
from reproducegym.cli.export import app
from reproducegym.dataset import load_manifest
from reproducegym.errors import MisuseError, TamperedError
from reproducegym.pipeline.build import build
from reproducegym.pipeline.config_file import load_config
from reproducegym.pipeline.directories import read_tree
from reproducegym.pipeline.parse import parse
from reproducegym.pipeline.store import PaperStore
from reproducegym.schema.quarantine import Quarantine, Quarantined
from reproducegym.schema.reading import read_json
from reproducegym.schema.task import Manifest

MOUNT = "/root/.openclaw/workspace"


def load_as_clawgym(dataset: Path) -> dict[str, dict[str, object]]:
    """Tasks by id; refuses what the loader refuses."""
    found = {}
    for child in sorted(dataset.iterdir()):
        if child.is_symlink() or not child.is_dir() or not (child / "data_entry.json").is_file():
            raise ValueError(f"{child} is not a task directory")
        entry = json.loads((child / "data_entry.json").read_text())
        for key, kind in (("task_id", str), ("user_query", str), ("metadata", dict)):
            if not isinstance(entry[key], kind):
                raise ValueError(f"{child}: {key}")
        mount = entry.get("input_mount_dir")
        if mount is not None:
            if mount != MOUNT and not mount.startswith(f"{MOUNT}/"):
                raise ValueError(f"{child}: {mount}")
            if not (child / "input_files").is_dir():
                raise ValueError(f"{child}: no input_files")
        if not (child / "reward" / "reward.sh").is_file():
            raise ValueError(f"{child}: no reward.sh")
        found[entry["task_id"]] = entry
    return found


def roll_out(task: Path, workspace: Path, metrics: str | None) -> float:
    """Lay the files out, let a rollout leave its table, then copy reward/ in and take the last printed line."""
    for part, target in (("input_files", workspace), ("reward", workspace / "reward")):
        for name, data in read_tree(task / part).items():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            (target / name).write_bytes(data)
    if metrics is not None:
        (workspace / "output").mkdir()
        (workspace / "output" / "metrics.csv").write_text(metrics)
    done = subprocess.run(
        ["bash", str(workspace / "reward" / "reward.sh")],
        cwd="/",
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    lines = [line for line in done.stdout.splitlines() if line.strip()]
    return float(lines[-1]) if done.returncode == 0 and lines else 0.0


@pytest.fixture
def store(tmp_path: Path) -> PaperStore:
    found = PaperStore(tmp_path / "runs", "bandits")
    parse(found, ReadsNothing(), SOURCE)
    second = spec(claim_id="c002_again", claim_uid="clm_1111111111111111")
    build(
        found,
        HandMadeClaims(spec(), second),
        load_config(None),
        claim_ids=(),
        max_claims=None,
        refresh=False,
        progress=lambda line: None,
    )
    return found


def test_the_loader_takes_the_dataset(store: PaperStore, tmp_path: Path) -> None:
    names = export_clawgym([store], tmp_path / "sets" / "clawgym").tasks
    assert names == ("bandits.c001_ucb1_regret", "bandits.c002_again")
    assert set(load_as_clawgym(tmp_path / "sets" / "clawgym")) == set(names)
    manifest = read_json(Manifest, (tmp_path / "sets" / "task_manifest.json").read_bytes(), "task_manifest.json")
    assert all((tmp_path / "sets" / task.task_dir / "data_entry.json").is_file() for task in manifest.tasks)


def test_an_honest_rollout_is_paid_and_an_empty_one_is_not(store: PaperStore, tmp_path: Path) -> None:
    export_clawgym([store], tmp_path / "set")
    task = tmp_path / "set" / "bandits.c001_ucb1_regret"
    honest = "condition,seed,regret\nucb1,1,97.0\ngreedy,1,152.5\nucb1,2,97.9\ngreedy,2,152.0\n"
    assert roll_out(task, tmp_path / "a", honest) == 1.0
    assert roll_out(task, tmp_path / "b", None) == 0.0
    assert (tmp_path / "a" / "task.md").is_file(), "inputs stand right in the workspace"


def test_the_level_that_is_kept_is_told_by_command_and_manifest(store: PaperStore, tmp_path: Path) -> None:
    done = export_clawgym([store], tmp_path / "set")
    assert set(done.asked.values()) == {"reexecute"}
    assert {task.evidence_level for task in load_manifest(tmp_path / "task_manifest.json")} == {"artifact"}
    told = CliRunner().invoke(app, ["clawgym", "--paper", str(store.root), "--out", str(tmp_path / "again" / "set")])
    assert "evidence level reexecute, LOWERED to artifact in 2 tasks" in told.output


def test_tasks_in_quarantine_are_exported_nowhere(store: PaperStore, tmp_path: Path) -> None:
    one = Quarantined(claim_id=spec().claim_id, spec_hash=spec().spec_hash, reason="its rewards differ")
    store.write_quarantine(Quarantine(schema_version=1, tasks=(one,)))
    done = export_clawgym([store], tmp_path / "set")
    built, left_out = carried([store], "Harbor")
    assert done.tasks == tuple(task.order.entry.task_id for task in built) == ("bandits.c002_again",)
    assert done.quarantined == left_out
    assert [told.why for told in left_out] == ["is in quarantine: its rewards differ"]


def test_exporting_again_is_fine_and_a_foreign_directory_is_not(store: PaperStore, tmp_path: Path) -> None:
    out = tmp_path / "set"
    export_clawgym([store], out)
    before = read_tree(out)
    export_clawgym([store], out)
    assert read_tree(out) == before
    other = (out / "bandits.c002_again").stat().st_ino
    (out / "bandits.c001_ucb1_regret" / "data_entry.json").write_text("{}")
    export_clawgym([store], out)
    assert read_tree(out) == before
    assert (out / "bandits.c002_again").stat().st_ino != other, (
        "all tasks are replaced in one step: a kill leaves all or none"
    )
    with pytest.raises(MisuseError, match="name a new directory"):
        export_clawgym([store], Path())
    (out / "README").write_text("mine")
    with pytest.raises(MisuseError, match="holds 'README'"):
        export_clawgym([store], out)
    with pytest.raises(MisuseError, match="inside a paper's directory"):
        export_clawgym([store], store.root / "set")


def test_a_tampered_task_is_not_exported(store: PaperStore, tmp_path: Path) -> None:
    (store.task_directory(spec().claim_id, spec().spec_hash) / "reward" / "check.py").write_text("print(1)")
    with pytest.raises(TamperedError, match=r"reward/check.py was changed"):
        export_clawgym([store], tmp_path / "set")
    assert not (tmp_path / "set").exists()
