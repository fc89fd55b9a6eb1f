"""Files of a paper that were damaged or edited: one line that names the file and what mends it, and that does."""

import json
from pathlib import Path

import pytest
from sample_paper import PAPER_ID, SAMPLE, call, manifest, one_line


def claim(paper: Path) -> str:
    return manifest(paper)["tasks"][0]["claim_id"]


@pytest.mark.parametrize("file", ["words.json", "document.json", "paper.md"])
def test_a_damaged_parse_never_replaces_a_good_manifest(paper: Path, file: str):
    before = (paper / "task_manifest.json").read_bytes()
    path = paper / "00-parse" / file
    path.write_text(path.read_text().replace("UCB1", "UCB2") if file != "words.json" else "[]\n")
    done = call("build_claim_tasks.py", "--paper", paper, "--refresh")
    assert done.returncode == 7, done.stderr
    line = one_line(done)
    assert f"00-parse/{file}" in line
    assert "parse it again" in line
    assert (paper / "task_manifest.json").read_bytes() == before
    again = call("parse_paper.py", "--pdf", SAMPLE / "paper.pdf", "--paper-id", PAPER_ID, "--out", paper.parent)
    assert again.returncode == 0, again.stderr
    assert call("build_claim_tasks.py", "--paper", paper).returncode == 0
    assert (paper / "task_manifest.json").read_bytes() == before


@pytest.mark.parametrize("file", ["task_manifest.json", "build_validation.json"])
def test_a_broken_product_of_the_build_names_its_cure(paper: Path, file: str):
    before = (paper / file).read_bytes()
    (paper / file).write_text("[]\n")
    done = call("build_claim_tasks.py", "--paper", paper)
    assert done.returncode == 6, done.stderr
    line = one_line(done)
    assert file in line
    assert line.endswith("build again with --refresh")
    cured = call("build_claim_tasks.py", "--paper", paper, "--refresh")
    assert cured.returncode == 0, cured.stderr
    assert (paper / file).read_bytes() == before


@pytest.mark.parametrize(
    ("field", "value", "code"),
    [("task_dir", "03-task/elsewhere", 6), ("seeds", -1, 6), ("timeout_s", -1, 6), ("seeds", 77, 7)],
)
def test_an_edited_manifest_is_refused_before_anything_runs(paper: Path, field: str, value: object, code: int):
    file = paper / "task_manifest.json"
    edited = json.loads(file.read_text())
    edited["tasks"][0][field] = value
    file.write_text(json.dumps(edited))
    done = call("run.py", "--paper", paper, "--claim-id", edited["tasks"][0]["claim_id"])
    assert done.returncode == code, done.stderr
    assert field in one_line(done)
    assert not (paper / "04-run").exists()


@pytest.mark.parametrize("spoil", ["twice", "foreign"])
def test_a_manifest_of_another_paper_or_with_a_task_twice_is_refused(paper: Path, spoil: str):
    file = paper / "task_manifest.json"
    edited = json.loads(file.read_text())
    if spoil == "twice":
        edited["tasks"].append(edited["tasks"][0])
    else:
        edited["paper"]["paper_id"] = "another-paper"
    file.write_text(json.dumps(edited))
    done = call("run.py", "--paper", paper, "--claim-id", edited["tasks"][0]["claim_id"])
    assert done.returncode == 6, done.stderr
    assert "build again with --refresh" in one_line(done)


def test_a_failure_is_the_json_answer_too(paper: Path):
    done = call("run.py", "--paper", paper, "--claim-id", "c999_none", "--json")
    assert done.returncode == 4
    error = json.loads(done.stdout)["error"]
    assert (error["kind"], error["exit_code"]) == ("NotFoundError", 4)
    assert done.stderr == f"error: {error['message']}\n"
    misused = call("run.py", "--json", "--nonsense")
    assert misused.returncode == 2
    assert json.loads(misused.stdout)["error"]["kind"] == "MisuseError"


def test_one_attempt_that_cannot_be_regraded_keeps_the_others_result(paper: Path):
    ran = call("run.py", "--paper", paper, "--claim-id", claim(paper), "--sandbox", "namespaces", "--json")
    assert ran.returncode == 0, ran.stderr
    attempt = json.loads(ran.stdout)["attempts"][0]["attempt_dir"]
    done = call("reproducegym", "regrade", paper / "nope", attempt, "--json")
    assert done.returncode == 4, done.stderr
    answer = json.loads(done.stdout)
    lost, kept = answer["attempts"]
    assert (kept["attempt_dir"], kept["changed"], kept["after"]["reward"]) == (attempt, False, 0.0)
    assert lost["error"] == answer["error"]
    assert (lost["error"]["kind"], lost["error"]["exit_code"]) == ("NotFoundError", 4)
    assert f"error: {lost['error']['message']}" in done.stderr


def test_a_claim_that_is_named_is_answered_for_apart_from_the_rest(paper: Path):
    tasks = manifest(paper)["tasks"]
    done = call("build_claim_tasks.py", "--paper", paper, "--claim-id", tasks[1]["claim_id"])
    assert done.returncode == 0, done.stderr
    assert f"{tasks[1]['claim_id']} accepted; {len(tasks)} tasks in the manifest" in done.stderr
    both = call("build_claim_tasks.py", "--paper", paper, "--claim-id", tasks[1]["claim_id"], "--max-claims", "1")
    assert both.returncode == 2
    assert "not both" in one_line(both)


def test_a_directory_of_papers_names_those_inside(paper: Path):
    done = call("build_claim_tasks.py", "--paper", paper.parent)
    assert done.returncode == 4
    assert one_line(done) == f"{paper.parent} holds papers and is none itself; name one of: {paper.name}"


def test_a_paper_without_claims_says_why(tmp_path: Path):
    source = tmp_path / "plain.md"
    source.write_text("# Plain\n\nWe thank all the readers of the paper for the time that they took.\n")
    parsed = call("parse_paper.py", "--md", source, "--out", tmp_path / "runs")
    assert parsed.returncode == 0, parsed.stderr
    assert "1 page, 0 tables, 0 figures" in parsed.stderr
    done = call("build_claim_tasks.py", "--paper", tmp_path / "runs" / "plain")
    assert done.returncode == 0, done.stderr
    why = "o claims were found: no sentence states a number; no tables were found"
    assert f"n{why}" in done.stderr
    assert f"N{why}" in (tmp_path / "runs" / "plain" / "CLAIMS.md").read_text()
