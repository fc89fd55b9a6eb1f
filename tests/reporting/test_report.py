"""What attempts tell about rewards: statistics, quarantine, the page; and regrades of all attempts that go on."""

import json
import shutil
from html.parser import HTMLParser
from pathlib import Path

import pytest
from sample_paper import PAPER_ID, call, one_line

from reproducegym import load_manifest
from reproducegym.pipeline.store import PaperStore
from reproducegym.reporting.statistics import Bounds, task_statistics
from reproducegym.schema.run import Result
from reproducegym.schema.statistics import Group, TaskStatistics

CLAIM = "c003_ucb1_return"
TASK = f"{PAPER_ID}.{CLAIM}"


@pytest.fixture(scope="module")
def tried(built_sample: Path, docker_image: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All papers, with two attempts that left nothing at one task of the sample; never changed."""
    runs = tmp_path_factory.mktemp("tried")
    paper = shutil.copytree(built_sample, runs / PAPER_ID)
    done = call("reproducegym", "run", "--paper", paper, "--claim-id", CLAIM, "--agent", "noop", "--attempts", "2")
    assert done.returncode == 0, done.stderr
    return runs


@pytest.fixture
def runs(tried: Path, tmp_path: Path) -> Path:
    return shutil.copytree(tried, tmp_path / "runs")


def attempts(runs: Path) -> list[Path]:
    return sorted((runs / PAPER_ID / "04-run" / CLAIM).glob("*/*/result.json"))


def with_reward(result: Result, reward: float | None, submission: str = "a" * 64) -> Result:
    told = result.model_dump(mode="json") | {"reward": reward, "submission_sha256": submission}
    kind = "infra" if reward is None else None if reward else "agent"
    word = "invalid" if reward is None else "reproduced" if reward == 1 else "partial" if reward else "failed"
    told |= {"failure_kind": kind, "verdict": word, "reward_valid": reward is not None}
    told["report"] = None if reward is None else told["report"] | {"reward": reward, "failure_kind": kind}
    return Result.from_json(json.dumps(told))


@pytest.fixture(scope="module")
def result(tried: Path) -> Result:
    return Result.from_json(attempts(tried)[0].read_bytes())


def statistics(tried: Path, *given: tuple[Result, Group]) -> TaskStatistics:
    task = load_manifest(tried).filter(task=TASK)[0]
    return task_statistics(task, given, Bounds())


def test_statistics_tell_reference_from_lazy_and_cheat(tried: Path, result: Result):
    given: list[tuple[Result, Group]] = [(with_reward(result, 1.0, f"{n:064x}"), "reference") for n in range(3)]
    given += [(with_reward(result, 0.2, "b" * 64), "lazy"), (with_reward(result, 0.0, "c" * 64), "cheat")]
    found = statistics(tried, *given, (with_reward(result, None, "d" * 64), "other"))
    assert (found.attempts, found.scored, found.infra, found.repeated, found.spread) == (6, 5, 1, 0, None)
    assert found.mean == pytest.approx(3.2 / 5)
    assert found.discrimination == pytest.approx(0.8)
    assert found.unfit is None
    paid = statistics(tried, *given, (with_reward(result, 0.6, "e" * 64), "cheat"))
    assert (paid.gameability, paid.unfit) == (0.6, "a cheat is paid 0.60")


def test_verifications_of_one_submission_that_differ_are_flaky(tried: Path, result: Result):
    steady = statistics(tried, *[(with_reward(result, reward), "other") for reward in (0.5, 0.6, 0.7)])
    assert (steady.repeated, steady.spread, steady.unfit) == (1, pytest.approx(0.4 / 3), None)
    flaky = statistics(tried, *[(with_reward(result, reward), "other") for reward in (0.0, 1.0)])
    assert flaky.unfit == "flaky: verifications of one submission differ by 1.00 on average, more than 0.25"
    nothing = statistics(tried)
    assert (nothing.mean, nothing.sd, nothing.spread, nothing.discrimination, nothing.unfit) == (None,) * 5


@pytest.mark.parametrize(
    ("missed", "of", "flaky"), [(1, 2, True), (1, 5, True), (3, 100, False), (20, 100, True), (30, 1000, False)]
)
def test_a_task_is_flaky_by_how_often_it_misses_however_often_it_is_verified(
    tried: Path, result: Result, missed: int, of: int, *, flaky: bool
):
    """An honest submission may miss in 3 of 100 draws of seeds: that is no fault of a task."""
    rewards = [0.0] * missed + [1.0] * (of - missed)
    cheat = [(with_reward(result, 0.0, "b" * 64), "cheat")] * of
    found = statistics(tried, *[(with_reward(result, reward), "other") for reward in rewards], *cheat)
    assert found.spread == pytest.approx(2 * missed * (of - missed) / (of * (of - 1)))
    assert (found.unfit is not None) is flaky


class Page(HTMLParser):
    """Tags of a page, and what they point at."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags, self.pointers, self.text = set[str](), list[str](), ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.pointers += [value or "" for name, value in attrs if name in ("src", "href", "action")]

    def handle_data(self, data: str) -> None:
        self.text += data


def test_a_flaky_task_goes_into_quarantine_out_of_default_loading_and_back(runs: Path, result: Result, tmp_path: Path):
    one, _ = attempts(runs)
    one.write_text(with_reward(result, 1.0, str(result.submission_sha256)).to_json())
    argv = ("reproducegym", "report", "--runs", runs, "--quarantine", "--html", tmp_path / "page.html", "--json")
    done = call(*argv, "--cheat", "nobody*")
    assert done.returncode == 0, done.stderr
    assert "--cheat nobody*: no agent is named so; there are: noop" in done.stderr
    assert json.loads(done.stdout)["agents"] == [{"group": "other", "agents": ["noop"]}]
    told = {task["task_id"]: task for task in json.loads(done.stdout)["tasks"]}[TASK]
    assert (told["attempts"], told["spread"]) == (2, 1.0)
    left = load_manifest(runs)
    assert (len(left), [task.task_id for task in left.quarantined]) == (11, [TASK])
    assert (left.quarantined[0].quarantine or "").startswith("flaky: ")
    assert len(load_manifest(runs, quarantined=True)) == 12
    page = Page((tmp_path / "page.html").read_text())
    assert {"script", "link", "img", "iframe"} & page.tags == set()
    assert page.pointers == []
    assert "svg" in page.tags and "in quarantine" in page.text and TASK in page.text
    one.write_text(result.to_json())
    assert call(*argv).returncode == 0
    assert len(load_manifest(runs)) == 12
    assert not (runs / PAPER_ID / "quarantine.json").exists()


def test_a_damaged_quarantine_and_patterns_that_overlap_are_told(runs: Path):
    done = call("reproducegym", "report", "--runs", runs, "--cheat", "no*", "--lazy", "*op")
    assert (done.returncode, "make the patterns narrower" in one_line(done)) == (2, True), done.stderr
    (runs / PAPER_ID / "quarantine.json").write_text('{"schema_version": 1, "tasks": [{}]}')
    done = call("reproducegym", "dataset", "show", runs)
    assert (done.returncode, "quarantine.json" in one_line(done)) == (6, True), done.stderr


def test_all_attempts_are_regraded_and_a_second_call_goes_on_where_the_first_ended(
    runs: Path, result: Result, tmp_path: Path
):
    one, other = attempts(runs)
    one.write_text(with_reward(result, 1.0, str(result.submission_sha256)).to_json())
    journal = tmp_path / "journal.jsonl"
    argv = ("reproducegym", "regrade", "--all", "--runs", runs, "--journal", journal, "--parallel", "2", "--json")
    done = call(*argv, "--write")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == {"attempts": 2, "changed": 1, "failed": 0, "before": 0}
    assert "001: changed from 1.000 to 0.000" in done.stderr
    assert Result.from_json(one.read_bytes()).reward == 0.0
    first, second = journal.read_text().splitlines(keepends=True)
    journal.write_text(first + second[:40])  # killed in the middle of a line
    assert json.loads(call(*argv).stdout) == {"attempts": 1, "changed": 0, "failed": 0, "before": 1}
    journal.write_text("no line\n" + first)
    done = call("reproducegym", "regrade", "--all", "--runs", runs, "--journal", journal)
    assert (done.returncode, "line 1 is no line of a regrade" in one_line(done)) == (6, True), done.stderr
    (other.parent / "verification" / "draw.json").unlink()
    done = call("reproducegym", "regrade", "--all", "--runs", runs, "--json")
    assert done.returncode == 1
    assert json.loads(done.stdout) == {"attempts": 2, "changed": 0, "failed": 1, "before": 0}


def test_regrade_takes_attempts_or_all(runs: Path):
    for argv in ((), ("--all", attempts(runs)[0].parent), ("--journal", runs / "j", attempts(runs)[0].parent)):
        done = call("reproducegym", "regrade", *argv)
        assert (done.returncode, "name attempts, or take --all" in one_line(done)) == (2, True), done.stderr
    assert PaperStore(runs, PAPER_ID).quarantine().tasks == ()
