"""An adversary with its own eyes finds no hidden number in what an agent sees: sample and real papers, all tasks."""

import json
import shutil
from pathlib import Path

import pytest
import yaml
from exposure.adversary import Hit, Secret, hits, numbers_in, secrets_in
from sample_paper import call, manifest

DEV = ("asl", "bgpbt", "dapo", "drgrpo", "errdet", "nnpde", "oversample", "transformer")


@pytest.fixture(scope="module")
def sample(built_sample: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return Path(shutil.copytree(built_sample, tmp_path_factory.mktemp("adversary") / built_sample.name))


def telling(paper: Path) -> list[tuple[str, Hit]]:
    """Hits that are no chance: three digits or more, in a line that speaks of the quantity.

    Of two numbers of a line some pair meets any value; averages and sums of a whole line don't, at three digits. They
    count where a cell of the line is hidden: the average of another row may equal a difference by chance.
    """
    found = []
    for task in manifest(paper)["tasks"]:
        secrets = secrets_of(paper, task)
        for hit in hits(paper / task["task_dir"], secrets):
            of_a_line = hit.way in {"mean", "sum", "rest to the whole"} and "⟦" in hit.text
            if hit.linked and hit.secret.digits > 2 and (hit.way == "printed" or of_a_line):
                found.append((task["claim_id"], hit))
    return found


def secrets_of(paper: Path, task: dict[str, str]) -> list[Secret]:
    spec = paper / "02-spec" / f"{task['claim_id']}.{task['spec_hash']}.yaml"
    return secrets_in(yaml.safe_load(spec.read_text()))


def test_the_sample_paper_tells_nothing(sample: Path) -> None:
    assert manifest(sample)["tasks"]
    assert telling(sample) == []


def test_claim_only_tells_nothing_and_full_tells_all(sample: Path) -> None:
    done = call("reproducegym", "build", "--paper", sample, "--exposure", "claim_only", "--json")
    assert done.returncode == 0, done.stderr
    tasks = json.loads(done.stdout)["tasks"]
    assert {task["exposure_policy"] for task in tasks} == {"claim_only"}
    for task in tasks:
        assert not (sample / task["task_dir"] / "input_files" / "paper.md").exists()
    assert telling(sample) == []
    done = call("reproducegym", "build", "--paper", sample, "--exposure", "full")
    assert done.returncode == 0, done.stderr
    assert {hit.way for _, hit in telling(sample)} >= {"printed"}, "the adversary has eyes"


def test_a_policy_that_is_none_is_misuse(sample: Path) -> None:
    done = call("reproducegym", "build", "--paper", sample, "--exposure", "some")
    assert done.returncode == 2
    assert "masked" in done.stderr


@pytest.mark.soak
@pytest.mark.parametrize("name", DEV)
def test_real_papers_tell_nothing(papers: Path, tmp_path: Path, name: str) -> None:
    parsed = call(
        "reproducegym", "parse", "--pdf", papers / "pdf" / f"{name}.pdf", "--paper-id", name, "--out", tmp_path
    )
    assert parsed.returncode == 0, parsed.stderr
    built = call("reproducegym", "build", "--paper", tmp_path / name, "--max-claims", "12")
    assert built.returncode == 0, built.stderr
    assert telling(tmp_path / name) == []


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0.473", 0.473),
        ("47.3%", 47.3),
        ("4.73e-1", 0.473),
        ("47.3 k", 47300),
        ("13,450", 13450),
        ("4.73 × 10−1", 0.473),
    ],
)
def test_the_adversary_reads_every_spelling(text: str, value: float) -> None:
    assert [float(one.value) for one in numbers_in(f"It is {text} here.")] == [value]


def test_the_adversary_reads_words() -> None:
    assert [float(one.value) for one in numbers_in("About forty-seven points, twelve runs.")] == [47, 12]
