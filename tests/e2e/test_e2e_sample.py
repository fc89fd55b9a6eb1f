"""The main job on the sample paper through the three scripts: honest work is paid, cheats and laziness are not."""

import json
import re
import shutil
from pathlib import Path

import pytest
from sample_paper import CHEAP_CLAIM, PAPER_ID, PROBED_CLAIM, ROOT, SAMPLE, SOLUTION, call, manifest

from reproducegym.sandbox.namespaces import NamespacesSandbox


@pytest.fixture(scope="module")
def paper(built_sample: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    availability = NamespacesSandbox().availability()
    if not availability.works:
        pytest.skip(f"no namespaces sandbox: {availability.detail}")
    return Path(shutil.copytree(built_sample, tmp_path_factory.mktemp("e2e") / "runs" / PAPER_ID))


@pytest.fixture(scope="module")
def claim() -> str:
    return PROBED_CLAIM


def attempt(paper: Path, claim: str, agent: str, *, sandbox: str = "namespaces") -> dict:
    """One attempt through run.py; its result as printed."""
    asked = ("run.py", "--paper", paper, "--claim-id", claim, "--agent", agent, "--sandbox", sandbox, "--json")
    done = call(*asked)
    assert done.returncode == 0, done.stderr
    (result,) = json.loads(done.stdout)["attempts"]
    stored = json.loads((Path(result.pop("attempt_dir")) / "result.json").read_text())
    assert stored == result
    return result


def test_the_sample_paper_gives_several_tasks_and_keeps_what_it_refuses(paper: Path):
    built = manifest(paper)
    assert len(built["tasks"]) >= 3
    assert built["paper"]["paper_id"] == PAPER_ID
    assert {"effect_within_noise"} <= set(built["excluded"])
    assert "no_quantity" in built["excluded"]


@pytest.fixture(scope="module")
def honest(paper: Path, claim: str) -> dict:
    """The reference solution's attempt, made once."""
    return attempt(paper, claim, f"script:{SOLUTION}")


def test_the_reference_solution_is_paid(honest: dict):
    assert honest["reward"] >= 0.9, honest
    assert (honest["reward_valid"], honest["failure_kind"], honest["evidence_level"]) == (True, None, "reexecute")
    probes = {probe["probe"]: probe["held"] for probe in honest["report"]["probes"]}
    assert probes == dict.fromkeys(("null", "budget", "curve", "row"), True)


@pytest.mark.parametrize("cheat", sorted(path.parent.name for path in SAMPLE.glob("cheats/*/solve.sh")))
def test_a_cheat_earns_nothing(paper: Path, claim: str, cheat: str):
    result = attempt(paper, claim, f"script:{SAMPLE / 'cheats' / cheat / 'solve.sh'}")
    assert result["reward"] == 0.0, result
    assert result["reward_valid"]


@pytest.mark.parametrize("lazy", sorted(path.parent.name for path in SAMPLE.glob("solutions_lazy/*/solve.sh")))
def test_lazy_work_earns_nothing(paper: Path, claim: str, lazy: str):
    result = attempt(paper, claim, f"script:{SAMPLE / 'solutions_lazy' / lazy / 'solve.sh'}")
    assert result["reward"] == 0.0, result


def test_doing_nothing_earns_nothing(paper: Path, claim: str):
    result = attempt(paper, claim, "noop")
    assert (result["reward"], result["failure_kind"]) == (0.0, "agent")


@pytest.mark.docker
def test_docker_pays_as_namespaces_do(paper: Path, docker_image: str):
    honest = attempt(paper, CHEAP_CLAIM, f"script:{SOLUTION}", sandbox="docker")
    assert (honest["sandbox"], honest["reward"] >= 0.9) == ("docker", True), honest
    assert attempt(paper, CHEAP_CLAIM, "noop", sandbox="docker")["reward"] == 0.0


@pytest.mark.usefixtures("honest")
def test_regrading_a_stored_attempt_changes_nothing_until_it_is_tampered_with(paper: Path, claim: str):
    attempts = sorted(paper.glob(f"04-run/{claim}/*/[0-9]*"))
    done = call("reproducegym", "regrade", *attempts, "--json")
    assert done.returncode == 0, done.stderr
    assert [row["changed"] for row in json.loads(done.stdout)["attempts"]] == [False] * len(attempts)
    scored = next(path for one in attempts for path in one.glob("verification/runs/*/metrics.csv"))
    kept = scored.read_bytes()
    scored.write_bytes(kept + b"\n")
    spoiled = call("reproducegym", "regrade", scored.parents[3])
    scored.write_bytes(kept)
    assert spoiled.returncode == 7
    assert "metrics.csv" in spoiled.stderr
    record = scored.parents[2] / "draw.json"
    kept = record.read_bytes()
    record.unlink()
    incomplete = call("reproducegym", "regrade", record.parents[1])
    record.write_bytes(kept)
    assert incomplete.returncode == 7
    assert "incomplete" in incomplete.stderr


def test_the_examples_in_the_help_fit_the_sample_paper(paper: Path):
    claims = {task["claim_id"] for task in manifest(paper)["tasks"]}
    for command in ("run", "verify", "redteam", "regrade", "parse", "build", "export clawgym", "demo"):
        help_text = " ".join(call("reproducegym", *command.split(), "--help", env={"COLUMNS": "400"}).stdout.split())
        example = re.search(r"Example: (reproducegym [^│╭]*?)(?= [│╭])", help_text)
        assert example is not None, help_text
        words = [part for word in example[1].split() for part in re.split("[:/]", word)]
        named = [word for word in words if re.fullmatch(r"c\d{3}_\w+", word)]
        assert set(named) <= claims, command
        assert len(named) == (1 if command in ("run", "verify", "redteam", "regrade") else 0), example[1]
        paths = [word.removeprefix("script:") for word in example[1].split() if "examples/" in word]
        assert all((ROOT / path).exists() for path in paths), paths


def test_a_submission_is_verified_without_an_agent(paper: Path, claim: str, tmp_path: Path):
    (tmp_path / "reproduce.sh").write_text("exit 1\n")
    done = call(
        "reproducegym", "verify", tmp_path, "--paper", paper, "--claim-id", claim, "--sandbox", "namespaces", "--json"
    )
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert answer["reward"] == 0.0
    assert {run["outcome"] for run in answer["runs"]} == {"nonzero_exit"}


def test_the_red_team_earns_nothing(paper: Path, claim: str):
    asked = ("memory_by_label", "memory_by_switches", "symlink_passwd")  # cheats above type numbers and draw noise
    named = [word for name in asked for word in ("--attack", name)]
    done = call(
        "reproducegym", "redteam", "--paper", paper, "--claim-id", claim, "--sandbox", "namespaces", "--json", *named
    )
    assert done.returncode == 0, done.stderr
    table = json.loads(done.stdout)
    assert [attack["name"] for attack in table["attacks"]] == list(asked)
    assert table["gameability"] == 0.0
    assert table["oracle"] == "none"


def test_tasks_are_exported_for_clawgym(paper: Path, tmp_path: Path):
    done = call("reproducegym", "export", "clawgym", "--paper", paper, "--out", tmp_path / "dataset", "--json")
    assert done.returncode == 0, done.stderr
    assert len(json.loads(done.stdout)["tasks"]) == len(manifest(paper)["tasks"])
    assert all((one / "data_entry.json").is_file() for one in (tmp_path / "dataset").iterdir())
