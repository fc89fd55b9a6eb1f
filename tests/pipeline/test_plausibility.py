"""Flags: fakes that share their noise are seen, honest runs of the reference solution are not, and no reward moves."""

import importlib.util
import random
from dataclasses import replace
from pathlib import Path

import pytest
from small_task import HONEST, METHODS, small_contract, small_order

from reproducegym.pipeline.judging.plausibility import implausible
from reproducegym.pipeline.judging.rerun import Judge
from reproducegym.pipeline.judging.verify import verify
from reproducegym.schema.run import RunRecord
from reproducegym.verifier.contract import Contract, load_contract

SOLUTION = Path(__file__).parents[2] / "examples" / "papers" / "optimism-small-budgets" / "solution"


def flags(judged: Contract, made) -> tuple[str, ...]:
    return tuple(f"{one.flag}:{one.note}" for one in implausible(judged, made))


def contract(seeds: int = 3, *, stochastic: str = "continuous", steps: bool = False) -> Contract:
    loaded = load_contract(small_contract(seeds).to_json().encode())
    columns = tuple(replace(column, stochastic=stochastic, range=(-1e6, 1e6)) for column in loaded.columns)
    return replace(loaded, columns=columns, step_column=steps)


def runs(values: list[dict[str, list[float]]], *, steps: bool = False):
    """One main run a seed: the values of each condition, one a step."""
    made = []
    for index, of in enumerate(values):
        record = RunRecord(
            purpose="main",
            index=index,
            seed=index,
            labels={label: label for label in METHODS},
            knobs={},
            outcome="ok",
            exit_code=0,
            detail="",
            seconds=0.0,
            metrics_sha256=None,
        )
        rows = [
            ",".join([label, *([str(step)] if steps else []), repr(value)])
            for label, series in of.items()
            for step, value in enumerate(series)
        ]
        made.append((record, "\n".join(["condition,step,score" if steps else "condition,score", *rows]).encode()))
    return made


def bandit():
    spec = importlib.util.spec_from_file_location("reference_bandit", SOLUTION / "bandit.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.play_bandit


@pytest.mark.parametrize(("quantity", "stochastic"), [("regret", "continuous"), ("optimal_pulls", "discrete")])
def test_fewer_than_one_in_a_hundred_honest_verifications_is_flagged(monkeypatch, quantity: str, stochastic: str):
    monkeypatch.syspath_prepend(str(SOLUTION))
    play, flagged = bandit(), 0
    for verification in range(300):
        seeds = [
            {
                label: [getattr(play(strategy, random.Random(3 * verification + index), 40, 4), quantity)]
                for label, strategy in (("with_b", "ucb1"), ("with_a", "greedy"))
            }
            for index in range(3)
        ]
        flagged += bool(flags(contract(stochastic=stochastic), runs(seeds)))
    assert flagged <= 3, f"{flagged} of 300 honest verifications"


def test_honest_curves_are_not_flagged():
    rng, flagged = random.Random(1), 0
    for _ in range(300):
        seeds = [{label: [step + rng.gauss(0, 0.1) for step in range(12)] for label in METHODS} for _ in range(3)]
        flagged += bool(flags(contract(steps=True), runs(seeds, steps=True)))
    assert flagged == 0


@pytest.mark.parametrize("fake", ["added", "multiplied"])
def test_one_number_drawn_for_both_conditions_is_seen(fake: str):
    rng = random.Random(2)
    for _ in range(100):
        noise = [rng.gauss(0, 0.05) for _ in range(3)]
        seeds = [
            {"with_b": [5 + one], "with_a": [3 + one]}
            if fake == "added"
            else {"with_b": [5 * (1 + one)], "with_a": [3 * (1 + one)]}
            for one in noise
        ]
        assert flags(contract(), runs(seeds)) == ("one_noise:with_a and with_b, column score",)


def test_a_typed_curve_moved_up_and_down_by_the_seed_is_seen():
    rng = random.Random(3)
    typed = [1 - 0.8**step for step in range(12)]
    seeds = [{label: [at + shift for at in typed] for label in METHODS} for shift in (0.1, 0.3)]
    seeds[0]["with_a"] = [at + rng.gauss(0, 0.1) for at in typed]
    assert flags(contract(2, steps=True), runs(seeds, steps=True)) == ("shifted_curve:condition with_b, column score",)


def test_output_that_no_seed_changes_is_seen_unless_it_stands_at_the_end_of_its_range():
    same = [{"with_b": [41.0], "with_a": [12.0]}] * 3
    assert flags(contract(stochastic="discrete"), runs(same)) == ("constant_output:column score",)
    assert flags(contract(2, stochastic="discrete"), runs(same[:2])) == (), "two ties may be chance"
    assert flags(contract(stochastic="none"), runs(same)) == ()
    full = [{"with_b": [1e6], "with_a": [-1e6]}] * 3
    assert flags(contract(stochastic="discrete"), runs(full)) == ()


def test_a_flag_is_for_people_and_costs_nothing(judge: Judge):
    shared = HONEST["solve.py"].replace(b"with open", b"noise = draw.gauss(0, 0.05)\nwith open")
    shared = shared.replace(b"steps / 100 + draw.gauss(0, 0.05)", b"steps / 100 + noise")
    verified = verify({**HONEST, "solve.py": shared}, small_order(small_contract(3)), judge)
    assert verified.report is not None
    assert (verified.report.reward, [one.flag for one in verified.flags]) == (1.0, ["one_noise"])
    assert verify(HONEST, small_order(small_contract(3)), judge).flags == ()
