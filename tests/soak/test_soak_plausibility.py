"""Long counts of flags: how often what hardly any measurement shows is seen in honest measurements."""

import importlib.util
import json
from collections import Counter
from pathlib import Path

import pytest

from benchmarks.sample_runs import RunPool, verifications
from benchmarks.sample_tasks import SAMPLES, tasks_of
from reproducegym.pipeline.judging.plausibility import implausible
from reproducegym.schema.base import canonical_json
from reproducegym.schema.run import RunRecord
from reproducegym.verifier.contract import Contract, load_contract
from reproducegym.verifier.score import Run

pytestmark = pytest.mark.soak

CONTRACTS = json.loads((Path(__file__).parents[1] / "golden/verifier/contracts.json").read_text("utf-8"))
PAPERS = [path.parent.name for path in sorted(SAMPLES.glob("*/paper.pdf")) if (path.parent / "solution").is_dir()]
VERIFICATIONS = 1000
SLOTS = 16
SEEDS, STEPS, PROBLEMS = 3, 40, 4


@pytest.mark.parametrize("alone", [False, True], ids=["one_seed_for_all", "a_seed_for_each_condition"])
@pytest.mark.parametrize("paper", PAPERS)
def test_honest_work_raises_no_flag(paper: str, alone: bool, record_property):
    tasks = tasks_of(SAMPLES / paper)
    pool = RunPool(SAMPLES / paper / "solution", SLOTS, alone=alone)
    done = verifications(pool, tasks, range(-(-VERIFICATIONS // len(tasks))))
    raised: Counter[str] = Counter()
    for one in done:
        contract = load_contract(canonical_json(one.task.contract))
        raised.update(flags(contract, one.runs))
    counted(raised, len(done), record_property)


def test_real_learning_curves_raise_no_flag(record_property):
    spec = importlib.util.spec_from_file_location("bandit", SAMPLES / "optimism-small-budgets/experiments/bandit.py")
    bandit = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(bandit)
    contract = load_contract(json.dumps(CONTRACTS["curves"]).encode())
    rules = {"a": "UCB1", "b": "ε-greedy"}
    raised: Counter[str] = Counter()
    for verification in range(VERIFICATIONS):
        runs = []
        for index in range(SEEDS):
            seed = SEEDS * verification + index
            curves = {label: bandit.run_bandit(rule, seed, STEPS, PROBLEMS).regret for label, rule in rules.items()}
            rows = [f"{label},{step},{at!r}" for label, curve in curves.items() for step, at in enumerate(curve, 1)]
            table = "\n".join(["condition,step,loss", *rows]).encode()
            runs.append(Run("main", index, seed, {label: label for label in rules}, "ok", "", table))
        raised.update(flags(contract, tuple(runs)))
    counted(raised, VERIFICATIONS, record_property)


def flags(contract: Contract, runs: tuple[Run, ...]) -> set[str]:
    made = [(record(run), run.metrics_csv) for run in runs if run.purpose == "main"]
    return {one.flag for one in implausible(contract, made)}


def record(run: Run) -> RunRecord:
    return RunRecord(
        purpose=run.purpose,
        index=run.index,
        seed=run.seed,
        labels=dict(run.labels),
        knobs={},
        outcome="ok",
        exit_code=0,
        detail="",
        seconds=0.0,
        metrics_sha256=None,
    )


def counted(raised: Counter[str], verifications: int, record_property) -> None:
    record_property("verifications", verifications)
    for flag in ("constant_output", "one_noise", "shifted_curve"):
        record_property(flag, raised[flag])
        assert raised[flag] <= 0.01 * verifications
