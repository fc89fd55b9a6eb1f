"""`build --family`: planted tasks run and verify as those of papers do, and the same seed gives the same bytes."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from sample_paper import call

from reproducegym.schema.audit import Audit

pytest.importorskip("libcst")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict]:
    out = tmp_path_factory.mktemp("planted")
    done = call(
        "reproducegym", "build", "--family", "repo-audit", "--n", "3", "--seed", "7", "--out", str(out), "--json"
    )
    assert done.returncode == 0, done.stderr
    return out, json.loads(done.stdout)


def task_of(built: tuple[Path, dict]) -> tuple[Path, Path, Audit]:
    """The paper's directory, that of its first damaged task, and what was planted there."""
    root = Path(built[1]["manifest"]).parent
    for task in built[1]["tasks"]:
        directory = root / task["task_dir"]
        audit = Audit.from_json((directory / "reward" / "audit.json").read_bytes())
        if audit.defects:
            return root, directory, audit
    raise AssertionError("no task of this seed is damaged")


def findings(audit: Audit) -> str:
    rows = [f"{one.rule},{one.places[0].file},{one.places[0].first_line}\n" for one in audit.defects]
    return "rule,file,line\n" + "".join(rows)


def test_building_again_changes_nothing_and_fewer_tasks_begin_alike(built: tuple[Path, dict], tmp_path: Path):
    other = call(
        "reproducegym", "build", "--family", "repo-audit", "--n", "2", "--seed", "7", "--out", str(tmp_path), "--json"
    )
    tasks = json.loads(other.stdout)["tasks"]
    assert [one["task_digest"] for one in tasks] == [one["task_digest"] for one in built[1]["tasks"][:2]]


def test_what_was_planted_earns_all_by_the_command_and_by_the_tasks_own_script(
    built: tuple[Path, dict], tmp_path: Path
):
    root, directory, audit = task_of(built)
    claim = directory.parent.name
    shutil.copytree(directory / "reward", tmp_path / "reward")
    (tmp_path / "output").mkdir()
    script = ["bash", str(tmp_path / "reward" / "reward.sh")]
    earned = [subprocess.run(script, capture_output=True, text=True, check=True).stdout]
    for text in (findings(audit), findings(audit) * 2, "rule,file,line\n" + "x,y.py,1\n" * 9):
        (tmp_path / "output" / "findings.csv").write_text(text)
        earned.append(subprocess.run(script, capture_output=True, text=True, check=True).stdout)
    assert earned == ["0.0\n", "1.0\n", "0.0\n", "0.0\n"]
    (tmp_path / "output" / "findings.csv").write_text(findings(audit))
    shutil.rmtree(tmp_path / "reward")
    done = call("reproducegym", "verify", str(tmp_path), "--paper", str(root), "--claim-id", claim, "--json")
    assert json.loads(done.stdout)["reward"] == 1.0


def test_a_changed_answer_is_noticed(built: tuple[Path, dict], tmp_path: Path):
    root, directory, audit = task_of(built)
    copied = tmp_path / root.name
    shutil.copytree(root, copied)
    answers = copied / directory.relative_to(root) / "reward" / "audit.json"
    answers.write_text(audit.model_copy(update={"near": 9999}).to_json())
    done = call("reproducegym", "verify", str(tmp_path), "--paper", str(copied), "--claim-id", directory.parent.name)
    assert done.returncode == 7
    assert "reward/audit.json was changed" in done.stderr


def test_naming_every_rule_of_a_clean_repository_pays_nothing_in_clawgyms_mode_either(built: tuple[Path, dict]):
    root = Path(built[1]["manifest"]).parent
    directory = root / built[1]["tasks"][0]["task_dir"]
    assert not Audit.from_json((directory / "reward" / "audit.json").read_bytes()).defects
    asked = ("--paper", str(root), "--claim-id", directory.parent.name, "--attack", "clawgym_every_rule")
    done = call("reproducegym", "redteam", *asked, "--sandbox", "namespaces", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["external"] == 0.0


def test_audits_of_the_environment_run_in_a_sandbox_and_pay_only_what_was_found(tmp_path: Path):
    asked = ("--family", "auditor", "--n", "2", "--seed", "7", "--out", str(tmp_path))
    done = call("build_claim_tasks.py", *asked, "--json")
    assert done.returncode == 0, done.stderr
    root, directory, audit = task_of((tmp_path, json.loads(done.stdout)))
    solution, spam = tmp_path / "solution.sh", tmp_path / "spam.sh"
    rules = {one.rule for one in audit.defects} | {"lock-file-missing", "numpy-seed-missing", "absolute-path"}
    files = [p for p in (directory / "input_files" / "repository").rglob("*") if p.is_file()]
    names = [p.relative_to(directory / "input_files" / "repository").as_posix() for p in files]
    loud = "rule,file,line\n" + "".join(f"{rule},{name},1\n" for rule in sorted(rules) for name in names)
    for script, text in ((solution, findings(audit)), (spam, loud)):
        script.write_text(f"mkdir -p output\ncat > output/findings.csv <<'EOF'\n{text}EOF\n")
    earned = []
    for agent in ("noop", f"script:{solution}", f"script:{spam}"):
        ran = call("reproducegym", "run", "--paper", str(root), "--claim-id", directory.parent.name, "--agent", agent,
                   "--sandbox", "namespaces", "--json")  # fmt: skip
        earned.append(json.loads(ran.stdout)["attempts"][0]["reward"])
    assert earned == [0.0, 1.0, 0.0]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--family", "auditr"), "known are paper-claims, repo-audit, auditor"),
        (("--family", "repo-audit", "--max-claims", "3"), "plants its tasks"),
        ((), "--family repo-audit"),
    ],
)
def test_what_does_not_go_together_is_said(options: tuple[str, ...], said: str):
    done = call("reproducegym", "build", *options)
    assert done.returncode == 2
    assert said in done.stderr
