"""The sample paper says what its experiments found, and is built from them byte for byte."""

import json
import statistics
import subprocess
import sys
from decimal import Decimal
from pathlib import Path

import pymupdf
import pytest

SAMPLE = Path(__file__).resolve().parents[2] / "examples" / "papers" / "optimism-small-budgets"
RESULTS = json.loads((SAMPLE / "results.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the build script makes of the results that are there; it needs the `samples` extra."""
    out = tmp_path_factory.mktemp("built")
    subprocess.run([sys.executable, SAMPLE / "build.py", "--keep-results", "--out", out], check=True)
    return out


@pytest.fixture(scope="module")
def text() -> str:
    """The PDF's words, one space between them, hyphenation undone."""
    with pymupdf.open(SAMPLE / "paper.pdf") as document:
        pages = "\n".join(page.get_text() for page in document)
    return " ".join(pages.replace("\u00ad\n", "").replace("-\n", "-").split())


def mean(environment: str, name: str, metric: str) -> float:
    return RESULTS[environment][name][metric]["mean"]


def spread(environment: str, name: str, metric: str) -> float:
    return RESULTS[environment][name][metric]["sd"]


def test_the_pdf_is_rebuilt_byte_for_byte(built: Path) -> None:
    assert (built / "paper.pdf").read_bytes() == (SAMPLE / "paper.pdf").read_bytes()


def test_the_cheats_remember_what_the_paper_prints(built: Path) -> None:
    made = sorted((built / "cheats").glob("*/remembered.json"))
    assert [one.parent.name for one in made] == ["constant_noise", "knob_keyed", "typed_numbers"]
    for one in made:
        assert (SAMPLE / one.relative_to(built)).read_bytes() == one.read_bytes()


@pytest.mark.parametrize(
    ("code", "environment", "name", "metric"),
    [
        (
            "from bandit import *; print(run_bandit('UCB1', {seed}).optimal_pulls[-1])",
            "bandit",
            "UCB1",
            "optimal_pulls",
        ),
        ("from chain import *; print(run_chain('ε-greedy', {seed}).returns[-1])", "chain", "ε-greedy", "return"),
    ],
)
def test_cells_are_recomputed_from_their_seeds(code: str, environment: str, name: str, metric: str) -> None:
    values = []
    for seed in RESULTS["seeds"]:
        run = subprocess.run(
            [sys.executable, "-c", code.format(seed=seed)],
            cwd=SAMPLE / "experiments",
            capture_output=True,
            text=True,
            check=True,
        )
        values.append(float(run.stdout))
    cell = RESULTS[environment][name][metric]
    assert values == pytest.approx(cell["seeds"], abs=1e-6)
    assert statistics.fmean(values) == pytest.approx(cell["mean"], abs=1e-6)
    assert statistics.stdev(values) == pytest.approx(cell["sd"], abs=1e-6)


def test_every_cell_of_both_tables_is_printed_with_its_spread(text: str) -> None:
    digits = {"optimal_pulls": 1, "regret": 3, "return": 2, "goal_reached": 1}
    methods = {name for environment in ("bandit", "chain") for name in RESULTS[environment]}
    assert len(methods) == 8
    for environment in ("bandit", "chain"):
        for entry in RESULTS[environment].values():
            for metric, places in digits.items():
                if metric in entry:
                    assert f"{entry[metric]['mean']:.{places}f} ± {entry[metric]['sd']:.{places}f}" in text


SENTENCES = (
    ("UCB1 improves the optimal pulls over ε-greedy by {} percentage points", "gain"),
    ("Thompson sampling reduces the regret of ε-greedy on the ten-armed bandit by {}%", "cut"),
    ("UCB1 obtains {}× the return of ε-greedy", "ratio"),
    ("UCB1 outperforms ε-greedy on the ten-armed bandit by {} percentage points in optimal pulls", "gain"),
    ("Thompson sampling reduces the regret on the ten-armed bandit by {}%", "cut"),
    ("On the ten-armed bandit, UCB1 reaches {}% optimal pulls (Table 1)", "ucb1"),
    ("it finds the best arm in {}% of its pulls", "random"),
    ("Thompson sampling achieves the highest return on the chain, {},", "ts_return"),
    ("reaches the goal in {}% of the episodes. Greedy", "ts_goal"),
    ("reaches the goal in only {}% of the episodes", "greedy_goal"),
    ("less often than Random with {}%", "random_goal"),
    ("of UCB1 on the ten-armed bandit from 84.6% to {}% (Table 2)", "no_bonus"),
    ("UCB1 loses {} percentage points of optimal pulls", "start_loss"),
    ("slightly better than the full UCB1 on the ten-armed bandit ({}% vs.", "no_ties"),
)


@pytest.mark.parametrize(("sentence", "key"), SENTENCES)
def test_each_number_in_the_prose_is_true_of_the_results(sentence: str, key: str, text: str) -> None:
    ucb1 = mean("bandit", "UCB1", "optimal_pulls")
    true = {
        "ucb1": ucb1,
        "gain": ucb1 - mean("bandit", "ε-greedy", "optimal_pulls"),
        "cut": 100 * (1 - mean("bandit", "Thompson sampling", "regret") / mean("bandit", "ε-greedy", "regret")),
        "ratio": mean("chain", "UCB1", "return") / mean("chain", "ε-greedy", "return"),
        "random": mean("bandit", "Random", "optimal_pulls"),
        "ts_return": mean("chain", "Thompson sampling", "return"),
        "ts_goal": mean("chain", "Thompson sampling", "goal_reached"),
        "greedy_goal": mean("chain", "Greedy", "goal_reached"),
        "random_goal": mean("chain", "Random", "goal_reached"),
        "no_bonus": mean("bandit", "w/o bonus", "optimal_pulls"),
        "start_loss": ucb1 - mean("bandit", "w/o optimistic start", "optimal_pulls"),
        "no_ties": mean("bandit", "w/o random ties", "optimal_pulls"),
    }[key]
    before, after = sentence.split("{}")
    start = text.index(before) + len(before)
    printed = text[start : text.index(after, start)]
    unit = Decimal(1).scaleb(Decimal(printed).as_tuple().exponent)
    assert abs(Decimal(printed) - Decimal(true)) <= unit / 2 + Decimal("1e-9")


def test_the_claimed_effects_are_large_against_the_spread_but_for_the_one_within_noise() -> None:
    for environment, metric, treatment, baseline in (
        ("bandit", "optimal_pulls", "UCB1", "ε-greedy"),
        ("bandit", "regret", "Thompson sampling", "ε-greedy"),
        ("chain", "return", "UCB1", "ε-greedy"),
        ("bandit", "optimal_pulls", "UCB1", "w/o bonus"),
        ("bandit", "optimal_pulls", "UCB1", "w/o optimistic start"),
    ):
        effect = abs(mean(environment, treatment, metric) - mean(environment, baseline, metric))
        assert effect >= 7 * max(spread(environment, name, metric) for name in (treatment, baseline))
    noise = mean("bandit", "w/o random ties", "optimal_pulls") - mean("bandit", "UCB1", "optimal_pulls")
    assert 0 < noise < spread("bandit", "UCB1", "optimal_pulls")


def test_what_the_text_says_about_learning_curves_is_true() -> None:
    bandit = {name: dict(RESULTS["bandit"][name]["curve"]) for name in ("ε-greedy", "UCB1", "Thompson sampling")}
    chain = {name: dict(RESULTS["chain"][name]["curve"]) for name in ("ε-greedy", "UCB1", "Thompson sampling")}
    for optimist in ("UCB1", "Thompson sampling"):
        assert bandit[optimist][10] < bandit["ε-greedy"][10]
        assert all(bandit[optimist][x] > y for x, y in bandit["ε-greedy"].items() if x >= 20)
        assert all(chain[optimist][x] > y for x, y in chain["ε-greedy"].items() if x >= 20)
    first = [RESULTS["chain"][name]["curve"][0][1] for name in RESULTS["chain"]]
    assert max(first) - min(first) < 0.15


def test_the_paper_looks_like_a_paper() -> None:
    with pymupdf.open(SAMPLE / "paper.pdf") as document:
        assert 3 <= len(document) <= 4
        words = [word[4] for page in document for word in page.get_text("words")]
        assert "Abstract" in words
        assert "References" in words
        assert not any(image for page in document for image in page.get_images())
        assert {"Step", "Episode"} <= set(words)
        for page in document:
            for path in page.get_drawings():
                rectangle = path["rect"]
                assert rectangle in page.rect
