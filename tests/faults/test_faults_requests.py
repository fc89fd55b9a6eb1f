"""Requests that fit nothing, or several things, or files that are not what they were: one line each, own exit code."""

import json
import re
import shutil
from pathlib import Path

import pytest
from sample_paper import call, manifest, one_line

from reproducegym.adapters.llm import llm_availability


def claim(paper: Path) -> str:
    return manifest(paper)["tasks"][0]["claim_id"]


def task(paper: Path) -> Path:
    return paper / manifest(paper)["tasks"][0]["task_dir"]


def test_an_unknown_paper(paper: Path):
    done = call("build_claim_tasks.py", "--paper", paper.parent / "nobody-wrote-this")
    assert done.returncode == 4
    assert paper.name in one_line(done)


def test_an_unknown_claim_lists_those_there_are(paper: Path):
    done = call("run.py", "--claim-id", "c999_no_such", "--runs", paper.parent)
    assert done.returncode == 4
    assert claim(paper) in one_line(done)


def test_an_unknown_claim_of_a_named_paper(paper: Path):
    done = call("run.py", "--claim-id", "c999_no_such", "--paper", paper)
    assert done.returncode == 4
    assert claim(paper) in one_line(done)


def test_an_unknown_claim_to_build(paper: Path):
    done = call("build_claim_tasks.py", "--paper", paper, "--claim-id", "c999_no_such")
    assert done.returncode == 4
    assert "c999_no_such" in one_line(done)


def test_an_unknown_hash(paper: Path):
    done = call("run.py", "--claim-id", claim(paper), "--spec-hash", "f" * 16, "--runs", paper.parent)
    assert done.returncode == 4
    assert task(paper).name in one_line(done)


@pytest.mark.parametrize("claim_id", ["../../etc", "..", "/etc", "a/b", "x\0y".replace("\0", "%00"), ""])
def test_a_claim_id_that_is_a_path_reaches_nothing(paper: Path, claim_id: str):
    done = call("run.py", "--claim-id", claim_id, "--paper", paper)
    assert done.returncode == 4
    one_line(done)


def test_a_directory_that_is_no_task(paper: Path):
    done = call("run.py", "--task-dir", paper)
    assert done.returncode == 4
    one_line(done)


def test_a_directory_that_no_build_made_is_no_version(paper: Path):
    shutil.copytree(task(paper), task(paper).parent / ("0" * 16))
    done = call("run.py", "--claim-id", claim(paper), "--spec-hash", "0" * 16, "--runs", paper.parent)
    assert done.returncode == 4
    assert one_line(done) == f"claim {claim(paper)} has no version {'0' * 16!r}; it has: {task(paper).name}"
    unlisted = call("run.py", "--task-dir", task(paper).parent / ("0" * 16))
    assert unlisted.returncode == 4
    assert "not listed in task_manifest.json" in one_line(unlisted)


def test_the_same_claim_in_two_papers(paper: Path):
    shutil.copytree(paper, paper.parent / "a-copy")
    done = call("run.py", "--claim-id", claim(paper), "--runs", paper.parent)
    assert done.returncode == 5
    assert "--paper" in one_line(done)


def test_a_manifest_of_a_newer_schema(paper: Path):
    file = paper / "task_manifest.json"
    file.write_text(json.dumps({**json.loads(file.read_text()), "schema_version": 99}))
    done = call("run.py", "--claim-id", claim(paper), "--paper", paper)
    assert done.returncode == 6
    line = one_line(done)
    assert "newer" in line
    assert "task_manifest.json" in line


def test_a_manifest_that_does_not_fit_names_the_field(paper: Path):
    file = paper / "task_manifest.json"
    broken = json.loads(file.read_text())
    broken["tasks"][0]["seeds"] = "three"
    file.write_text(json.dumps(broken))
    done = call("run.py", "--claim-id", claim(paper), "--paper", paper)
    assert done.returncode == 6
    assert "$.tasks[0].seeds" in one_line(done)


@pytest.mark.parametrize("file", ["input_files/task.md", "reward/contract.json", "data_entry.json"])
def test_a_tampered_task_is_refused_before_anything_runs(paper: Path, file: str):
    with (task(paper) / file).open("ab") as stream:
        stream.write(b" ")
    done = call("run.py", "--task-dir", task(paper), "--sandbox", "namespaces")
    assert done.returncode == 7
    assert file in one_line(done)
    assert not (paper / "04-run").exists()


def test_an_edited_spec_is_refused_before_anything_runs(paper: Path):
    (spec,) = (paper / "02-spec").glob(f"{claim(paper)}.*.yaml")
    text = spec.read_text()
    spec.write_text(re.sub(r"run_budget_s: \d+", "run_budget_s: 1", text))
    assert spec.read_text() != text
    done = call("run.py", "--task-dir", task(paper), "--sandbox", "namespaces")
    assert done.returncode == 7
    assert f"{spec.name} was changed" in one_line(done)
    assert not (paper / "04-run").exists()


def test_an_added_file_is_tampering_too(paper: Path):
    (task(paper) / "input_files" / "hint.txt").write_text("the answer is 42\n")
    done = call("run.py", "--task-dir", task(paper))
    assert done.returncode == 7
    assert "hint.txt" in one_line(done)


@pytest.mark.parametrize(
    "argv",
    [
        ("parse_paper.py",),
        ("parse_paper.py", "--pdf", "a.pdf", "--md", "b.md"),
        ("parse_paper.py", "--pdf", "a.pdf", "--paper-id", "../up"),
        ("build_claim_tasks.py",),
        ("run.py",),
        ("run.py", "--claim-id", "c", "--task-dir", "d"),
        ("run.py", "--claim-id", "c", "--attempts", "0"),
        ("run.py", "--claim-id", "c", "--sandbox", "chroot"),
        ("run.py", "--nonsense"),
        ("reproducegym", "fly"),
        ("reproducegym", "export", "parquet"),
    ],
    ids=" ".join,
)
def test_a_wrong_call_is_exit_code_2(argv: tuple[str, ...]):
    done = call(*argv)
    assert done.returncode == 2, done.stderr
    one_line(done)


@pytest.mark.parametrize("extractor", ["llm", "both"])
def test_a_model_that_is_not_set_up(paper: Path, extractor: str):
    unset = dict.fromkeys(("OPENAI_API_KEY", "OPENAI_BASE_URL", "OPENAI_MODEL"), "")
    done = call("build_claim_tasks.py", "--paper", paper, "--extractor", extractor, env=unset)
    assert done.returncode == (13 if llm_availability().works else 2)
    assert "OPENAI_API_KEY" in one_line(done) or "reproducegym[llm]" in one_line(done)


def test_an_unknown_extractor(paper: Path):
    done = call("build_claim_tasks.py", "--paper", paper, "--extractor", "oracle")
    assert done.returncode == 2
    assert "known are rules, llm, both" in one_line(done)


@pytest.mark.parametrize("agent", ["genius", "script:", "script:no/such/file.sh"])
def test_an_unknown_agent(paper: Path, agent: str):
    done = call("run.py", "--claim-id", claim(paper), "--paper", paper, "--agent", agent)
    assert done.returncode in {2, 4}
    one_line(done)
    assert not (paper / "04-run").exists()
