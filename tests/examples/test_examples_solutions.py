"""The sample's reference solution reproduces the paper through the interface; the lazy and cheating ones do not."""

import csv
import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

SAMPLE = Path(__file__).resolve().parents[2] / "examples" / "papers" / "optimism-small-budgets"
RESULTS = json.loads((SAMPLE / "results.json").read_text(encoding="utf-8"))

UCB1 = {"method": "UCB1", "setting": "Ten-armed bandit"}
EPSILON_GREEDY = {"method": "ε-greedy", "setting": "Ten-armed bandit"}
Switches = dict[str, str]
Rows = dict[str, dict[str, float]]


class Bench:
    """A workspace in which an agent worked, and from which runs are started as the verifier starts them."""

    def __init__(self, root: Path, agent: str, conditions: dict[str, Switches], columns: list[str], **knobs: float):
        self.root, self.workspace, self.turn = root, root / "workspace", 0
        inputs = self.workspace / "input_files"
        inputs.mkdir(parents=True)
        task = {
            "conditions": [
                {"label": label, "switches": switches, "description": ""} for label, switches in conditions.items()
            ],
            "knobs": knobs,
        }
        (inputs / "conditions.json").write_text(json.dumps(task), encoding="utf-8")
        outputs = {"columns": [{"name": name, "unit": ""} for name in columns], "step_column": False}
        (inputs / "outputs.json").write_text(json.dumps(outputs), encoding="utf-8")
        self.knobs = knobs
        there = root / "agent"
        shutil.copytree(SAMPLE / agent, there, ignore=shutil.ignore_patterns("__pycache__"))
        subprocess.run(["bash", there / "solve.sh"], cwd=self.workspace, env=PLAIN, check=True)
        shutil.rmtree(there)

    def start(self, conditions: dict[str, Switches], seed: int, **knobs: float) -> subprocess.CompletedProcess[str]:
        """One run as the verifier starts it; its metrics.csv is in `self.out`."""
        self.turn += 1
        self.out = self.root / f"out{self.turn}"
        self.out.mkdir()
        asked = {"conditions": [{"label": label, "switches": switches} for label, switches in conditions.items()]}
        (self.root / "c.json").write_text(json.dumps(asked), encoding="utf-8")
        (self.root / "k.json").write_text(json.dumps({"knobs": {**self.knobs, **knobs}}), encoding="utf-8")
        environment = {
            **PLAIN,
            "REPRODUCEGYM_SEED": str(seed),
            "REPRODUCEGYM_OUT": str(self.out),
            "REPRODUCEGYM_BUDGET_S": "600",
            "REPRODUCEGYM_CONDITIONS": str(self.root / "c.json"),
            "REPRODUCEGYM_KNOBS": str(self.root / "k.json"),
        }
        return subprocess.run(
            ["bash", "reproduce.sh"],
            cwd=self.workspace,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )

    def run(self, conditions: dict[str, Switches], seed: int, **knobs: float) -> Rows:
        """What a run that ends well wrote."""
        ended = self.start(conditions, seed, **knobs)
        assert ended.returncode == 0, ended.stderr
        return metrics(self.out / "metrics.csv")


PLAIN = {"PATH": os.environ["PATH"], "LANG": "C.UTF-8", "PYTHONDONTWRITEBYTECODE": "1"}


def metrics(path: Path) -> Rows:
    with path.open(encoding="utf-8", newline="") as file:
        return {
            row.pop("condition"): {name: float(value) for name, value in row.items()} for row in csv.DictReader(file)
        }


def near(environment: str, name: str, metric: str) -> object:
    """The paper's mean, give or take four of its standard deviations (one run against a mean of five) and a bit."""
    cell = RESULTS[environment][name][metric]
    return pytest.approx(cell["mean"], abs=4 * cell["sd"] + 0.02 * cell["mean"])


def test_reference_reproduces_every_bandit_cell_under_opaque_labels(tmp_path: Path) -> None:
    table = {
        f"c{index:02x}f": {"variant" if "w/o" in name else "method": name}
        for index, name in enumerate(RESULTS["bandit"])
    }
    bench = Bench(tmp_path, "solution", table, ["optimal_pulls", "regret"], steps=500)
    rows = bench.run(table, seed=4711)
    for label, name in zip(table, RESULTS["bandit"], strict=True):
        assert rows[label]["optimal_pulls"] == near("bandit", name, "optimal_pulls")
        assert rows[label]["regret"] == near("bandit", name, "regret")


def test_reference_reproduces_every_chain_cell(tmp_path: Path) -> None:
    table = {f"x{index}": {"Method": name, "setting": "Chain"} for index, name in enumerate(RESULTS["chain"])}
    bench = Bench(tmp_path, "solution", table, ["return", "goal_reached_percent"], episodes=100)
    rows = bench.run(table, seed=99)
    for label, name in zip(table, RESULTS["chain"], strict=True):
        assert rows[label]["return"] == near("chain", name, "return")
        assert rows[label]["goal_reached_percent"] == near("chain", name, "goal_reached")


def test_reference_follows_switches_and_never_labels(tmp_path: Path) -> None:
    pair = {"ucb1": UCB1, "epsilon_greedy": EPSILON_GREEDY}
    bench = Bench(tmp_path, "solution", pair, ["optimal_pulls"], steps=500)
    null = bench.run({"ucb1": EPSILON_GREEDY, "epsilon_greedy": EPSILON_GREEDY}, seed=5)
    assert null["ucb1"] == null["epsilon_greedy"]
    assert null["ucb1"]["optimal_pulls"] < 75


@pytest.mark.parametrize("steps", [0, 1])
def test_reference_without_a_budget_is_at_chance_level(tmp_path: Path, steps: float) -> None:
    pair = {"a": UCB1, "b": EPSILON_GREEDY, "c": {"method": "Random"}}
    bench = Bench(tmp_path, "solution", pair, ["optimal_pulls", "regret"], steps=500)
    for row in bench.run(pair, seed=8, steps=steps).values():
        assert row["optimal_pulls"] == pytest.approx(10, abs=7)
        assert row["regret"] == pytest.approx(0.9, abs=0.15)


def test_reference_with_ten_steps_shows_less_than_half_of_the_effect(tmp_path: Path) -> None:
    pair = {"a": UCB1, "b": EPSILON_GREEDY}
    bench = Bench(tmp_path, "solution", pair, ["optimal_pulls"], steps=500)
    rows = bench.run(pair, seed=8, steps=10.0)
    assert abs(rows["a"]["optimal_pulls"] - rows["b"]["optimal_pulls"]) < 10


@pytest.mark.parametrize("episodes", [0, 1])
def test_reference_without_episodes_is_at_the_untrained_return(tmp_path: Path, episodes: float) -> None:
    pair = {"a": {"method": "UCB1", "setting": "Chain"}, "b": {"method": "ε-greedy", "setting": "Chain"}}
    bench = Bench(tmp_path, "solution", pair, ["return"], episodes=100)
    for row in bench.run(pair, seed=8, episodes=episodes).values():
        assert row["return"] == pytest.approx(RESULTS["chain"]["Random"]["return"]["mean"], abs=0.3)


def test_reference_runs_alone_with_the_defaults_of_the_task(tmp_path: Path) -> None:
    bench = Bench(tmp_path, "solution", {"ucb1": UCB1}, ["optimal_pulls"], steps=20)
    subprocess.run(["bash", "reproduce.sh"], cwd=bench.workspace, env=PLAIN, check=True)
    assert set(metrics(bench.workspace / "output" / "metrics.csv")) == {"ucb1"}


def test_reference_gives_the_same_values_for_the_same_seed_and_others_for_another(tmp_path: Path) -> None:
    bench = Bench(tmp_path, "solution", {"a": UCB1}, ["optimal_pulls"], steps=50)
    first, again, other = (bench.run({"a": UCB1}, seed=seed) for seed in (1, 1, 2))
    assert first == again
    assert first != other


@pytest.mark.parametrize(
    ("switches", "columns", "knobs", "word"),
    [
        ({"method": "PPO"}, ["optimal_pulls"], {"steps": 5}, "PPO"),
        ({"method": "UCB1", "variant": "Random"}, ["optimal_pulls"], {"steps": 5}, "no single strategy"),
        ({"method": "UCB1"}, ["accuracy"], {"steps": 5}, "accuracy"),
        ({"method": "UCB1"}, ["optimal_pulls"], {"temperature": 5}, "temperature"),
    ],
)
def test_reference_refuses_what_the_paper_does_not_name(
    tmp_path: Path, switches: Switches, columns: list[str], knobs: dict[str, float], word: str
) -> None:
    bench = Bench(tmp_path, "solution", {"a": switches}, columns, **knobs)
    ended = bench.start({"a": switches}, seed=1)
    assert ended.returncode != 0
    assert word in ended.stderr
    assert "Traceback" not in ended.stderr
    assert not list(bench.out.iterdir())


def test_typed_numbers_are_the_papers_whatever_is_asked(tmp_path: Path) -> None:
    pair = {"ucb1": UCB1, "epsilon_greedy": EPSILON_GREEDY}
    bench = Bench(tmp_path, "cheats/typed_numbers", pair, ["optimal_pulls"], steps=500)
    assert metrics(bench.workspace / "output" / "metrics.csv")["ucb1"]["optimal_pulls"] == near(
        "bandit", "UCB1", "optimal_pulls"
    )
    null = bench.run({"x": EPSILON_GREEDY, "y": EPSILON_GREEDY}, seed=3, steps=1)
    assert null["x"]["optimal_pulls"] - null["y"]["optimal_pulls"] > 20


def test_constant_noise_survives_swapped_switches_but_not_an_empty_budget(tmp_path: Path) -> None:
    pair = {"ucb1": UCB1, "epsilon_greedy": EPSILON_GREEDY}
    bench = Bench(tmp_path, "cheats/constant_noise", pair, ["optimal_pulls"], steps=500)
    main = [bench.run(pair, seed=seed) for seed in (1, 2)]
    assert main[0] != main[1]
    for rows in main:
        assert rows["ucb1"]["optimal_pulls"] == near("bandit", "UCB1", "optimal_pulls")
    null = bench.run({"ucb1": EPSILON_GREEDY, "epsilon_greedy": EPSILON_GREEDY}, seed=3)
    assert null["ucb1"] == null["epsilon_greedy"]
    starved = bench.run(pair, seed=3, steps=1)
    assert starved["ucb1"]["optimal_pulls"] - starved["epsilon_greedy"]["optimal_pulls"] > 20


def test_nothing_leaves_nothing(tmp_path: Path) -> None:
    bench = Bench(tmp_path, "cheats/nothing", {"ucb1": UCB1}, ["optimal_pulls"], steps=500)
    assert [path.name for path in bench.workspace.iterdir()] == ["input_files"]


def test_the_lazy_solution_runs_and_shows_no_effect(tmp_path: Path) -> None:
    pair = {"ucb1": UCB1, "epsilon_greedy": EPSILON_GREEDY}
    bench = Bench(tmp_path, "solutions_lazy/same_method", pair, ["optimal_pulls", "return"], steps=500)
    rows = bench.run(pair, seed=3)
    assert abs(rows["ucb1"]["optimal_pulls"] - rows["epsilon_greedy"]["optimal_pulls"]) < 15
    assert rows["ucb1"]["return"] == pytest.approx(RESULTS["chain"]["Random"]["return"]["mean"], abs=0.2)
