"""What must hold of every reward: better is never paid less, and names, order and units say nothing."""

import copy
import json
import math
import random
from collections.abc import Mapping, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reproducegym.verifier.contract import Contract, load_contract
from reproducegym.verifier.curve import is_plausible, reward_at
from reproducegym.verifier.score import Report, Run, score_artifact, score_runs

GAP = "mean(treated.accuracy) - mean(plain.accuracy)"
WRITTEN = {
    "schema_version": 1,
    "evidence_level": "reexecute",
    "conditions": [{"label": "treated", "switches": {"method": "b"}}, {"label": "plain", "switches": {"method": "a"}}],
    "columns": [
        {"name": "accuracy", "unit": "%", "range": [0, 100], "stochastic": "continuous"},
        {"name": "loss", "unit": "", "range": [0, None], "stochastic": "none"},
        {"name": "seconds", "unit": "s", "range": [0, None], "stochastic": "none"},
    ],
    "step_column": False,
    "min_rows_per_condition": 1,
    "seeds": 3,
    "knobs": {"steps": 100},
    "metrics": [
        {"name": "best", "formula": "mean(treated.accuracy)", "role": "primary", "over_seeds": "median"},
        {"name": "gap", "formula": GAP, "role": "primary", "over_seeds": "mean"},
        {"name": "loss", "formula": "mean(treated.loss)", "role": "primary", "over_seeds": "mean"},
        {"name": "cheap", "formula": "mean(treated.seconds)", "role": "guard", "over_seeds": "max"},
    ],
    "reward_curves": {
        "best": {"shape": "at_least", "points": [[50, 0], [60, 1]], "plausible": [None, 95]},
        "gap": {"shape": "two_sided", "points": [[2, 0], [6, 1], [10, 1], [20, 0]], "plausible": [None, None]},
        "loss": {"shape": "at_most", "points": [[1, 1], [3, 0]], "plausible": [0.25, None]},
        "cheap": {"shape": "guard", "points": [[30, 1], [50, 0]], "plausible": [None, None]},
    },
    "aggregation": "weighted_mean",
    "weights": {"best": 2, "gap": 1, "loss": 1},
    "probes": [
        {
            "name": "budget",
            "conditions": [{"label": "treated", "switches": {"method": "b"}}],
            "seeds": 2,
            "choices": [{"knobs": {"steps": 0}, "expect": [{"metric": "best", "value": 10, "abs": 2, "rms": 3}]}],
        }
    ],
    "limits": {"max_bytes": 10000, "max_rows": 100},
}  # fmt: skip
CONTRACT = load_contract(json.dumps(WRITTEN).encode())
Values = Mapping[str, Sequence[float]]
"""One main run: label → accuracy, loss, seconds."""


def table(values: Values, order: Sequence[str] = ("accuracy", "loss", "seconds")) -> bytes:
    names = ("accuracy", "loss", "seconds")
    lines = [",".join(["condition", *order])]
    lines += [
        ",".join([label, *(repr(dict(zip(names, row, strict=True))[n]) for n in order)])
        for label, row in values.items()
    ]
    return "\n".join(lines).encode()


def runs(mains: Sequence[Values], untrained: Sequence[float] = (10, 10.5)) -> list[Run]:
    both = {"treated": "treated", "plain": "plain"}
    found = [Run("main", i, 100 + i, both, "ok", "", table(values)) for i, values in enumerate(mains)]
    for i, accuracy in enumerate(untrained):
        data = table({"treated": (accuracy, 2, 1)})
        found.append(Run("budget", i, 200 + i, {"treated": "treated"}, "ok", "", data))
    return found


def scored(accuracy: float, plain: float, loss: float, seconds: float, contract: Contract = CONTRACT) -> Report:
    """Three seeds around these values; the jitter keeps the seeds apart and moves no metric's value."""
    jitter = (-0.5, 0, 0.5)
    mains = [{"treated": (accuracy + j, loss, seconds), "plain": (plain - j, loss, seconds)} for j in jitter]
    return score_runs(contract, runs(mains))


# Quarters are exact in binary, so that no comparison hangs on a rounding, and too short to be taken for copies.
VALUE = st.floats(allow_nan=False, allow_infinity=False) | st.floats(-10, 100)
ACCURACY = st.integers(4, 4 * 99).map(lambda n: n / 4)
LOSS = st.integers(0, 4 * 5).map(lambda n: n / 4)
SECONDS = st.integers(0, 4 * 60).map(lambda n: n / 4)


@given(ACCURACY, ACCURACY, LOSS, SECONDS, ACCURACY, LOSS, SECONDS)
def test_better_runs_never_earn_less(accuracy, plain, loss, seconds, other, other_loss, other_seconds):
    gap = accuracy - plain
    report = scored(accuracy, plain, loss, seconds)
    assert 0 <= report.reward <= 1
    moved = min(max(accuracy, other), 95)
    if accuracy <= 95 and 1 <= moved - gap <= 99:  # higher, and the gap as before
        assert scored(moved, moved - gap, loss, seconds).reward >= report.reward
    if loss >= 0.25:
        assert scored(accuracy, plain, max(0.25, min(loss, other_loss)), seconds).reward >= report.reward
    assert scored(accuracy, plain, loss, min(seconds, other_seconds)).reward >= report.reward
    nearer = accuracy - (8 + (gap - 8) / 2)  # half as far from the target, on the same side
    if 1 <= nearer <= 99:
        assert scored(accuracy, nearer, loss, seconds).reward >= report.reward


@pytest.mark.parametrize("metric", WRITTEN["reward_curves"])
@given(VALUE, VALUE)
def test_a_metric_pays_more_in_its_direction_only(metric: str, one: float, other: float):
    curve = CONTRACT.reward_curves[metric]
    low, high = sorted((one, other))
    before, after = reward_at(curve, low), reward_at(curve, high)
    assert 0 <= before <= 1
    assert 0 <= after <= 1
    rises_to = {"at_least": math.inf, "two_sided": curve.points[1][0]}.get(curve.shape, -math.inf)
    falls_from = {"at_least": math.inf, "two_sided": curve.points[2 % len(curve.points)][0]}.get(curve.shape, -math.inf)
    if not is_plausible(curve, low) or not is_plausible(curve, high):
        assert before == 0 or is_plausible(curve, low)
        assert after == 0 or is_plausible(curve, high)
    elif high <= rises_to:
        assert before <= after
    elif low >= falls_from:
        assert before >= after


@given(
    st.lists(st.tuples(ACCURACY, ACCURACY, LOSS, SECONDS), min_size=3, max_size=3), st.randoms(use_true_random=False)
)
def test_order_and_names_never_change_a_reward(rows: list[tuple], draw: random.Random):
    mains = [{"treated": (a, loss, s), "plain": (p, loss, s)} for a, p, loss, s in rows]
    plain = score_runs(CONTRACT, runs(mains))
    written = copy.deepcopy(WRITTEN)
    for name in ("conditions", "columns", "metrics"):
        draw.shuffle(written[name])
    shuffled = []
    seeds = draw.sample(range(10**9), 5)
    for run in runs(mains):
        values = mains[run.index] if run.purpose == "main" else {"treated": ((10, 10.5)[run.index], 2, 1)}
        names = {label: f"k{draw.randrange(10**6)}{label[0]}" for label in values}
        labels = list(values)
        draw.shuffle(labels)
        columns = ["accuracy", "loss", "seconds"]
        draw.shuffle(columns)
        data = table({names[label]: values[label] for label in labels}, columns)
        opaque = {names[label]: label for label in labels}
        shuffled.append(Run(run.purpose, run.index, seeds.pop(), opaque, "ok", "", data))
    draw.shuffle(shuffled)
    other = score_runs(load_contract(json.dumps(written).encode()), shuffled)
    assert (other.reward, other.failure_kind, other.implausible) == (
        plain.reward,
        plain.failure_kind,
        plain.implausible,
    )
    assert {m.metric: (m.value, m.reward, sorted(m.per_seed)) for m in other.metrics} == {
        m.metric: (m.value, m.reward, sorted(m.per_seed)) for m in plain.metrics
    }
    assert sorted(problem.partition(":")[0] for problem in other.problems) == sorted(
        problem.partition(":")[0] for problem in plain.problems
    )


def in_unit(written: dict, column: str, factor: float) -> Contract:
    """The same contract with one column in a unit that is `factor` times as small."""

    def scaled(values: Sequence[float | None]) -> list[float | None]:
        return [None if value is None else value * factor for value in values]

    written = copy.deepcopy(written)
    for one in written["columns"]:
        one["range"] = scaled(one["range"]) if one["name"] == column else one["range"]
    of_column = {m["name"] for m in written["metrics"] if column in m["formula"]}
    for name in of_column:
        curve = written["reward_curves"][name]
        curve["points"] = [[x * factor, y] for x, y in curve["points"]]
        curve["plausible"] = scaled(curve["plausible"])
    for one in written["probes"][0]["choices"][0]["expect"]:
        one.update({key: one[key] * factor for key in ("value", "abs", "rms")} if one["metric"] in of_column else {})
    return load_contract(json.dumps(written).encode())


@pytest.mark.parametrize(("column", "at", "factor"), [("accuracy", 0, 0.01), ("seconds", 2, 1000), ("loss", 1, 1 / 3)])
@given(ACCURACY, ACCURACY, LOSS, SECONDS, st.sampled_from([(10, 10.5), (7, 13), (12, 12.5), (13, 14)]))
def test_a_unit_never_changes_a_reward(column, at, factor, accuracy, plain, loss, seconds, untrained):
    def told(scale: float) -> list[Run]:
        rows = [((accuracy + j, loss, seconds), (plain - j, loss, seconds)) for j in (-0.5, 0, 0.5)]
        change = [scale if place == at else 1 for place in range(3)]
        mains = [
            {
                label: [v * f for v, f in zip(row, change, strict=True)]
                for label, row in zip(("treated", "plain"), pair, strict=True)
            }
            for pair in rows
        ]
        return runs(mains, [value * change[0] for value in untrained])

    one, other = score_runs(CONTRACT, told(1)), score_runs(in_unit(WRITTEN, column, factor), told(factor))
    assert [probe.held for probe in one.probes] == [probe.held for probe in other.probes]
    edges = {m.value for m in one.metrics} & {95.0, 0.25}
    if not edges:  # at the very edge of what is plausible one rounding decides
        assert other.reward == pytest.approx(one.reward, abs=1e-9)


@given(st.lists(st.integers(0, 4 * 40).map(lambda n: n / 4), min_size=2, max_size=2), st.floats(0, 1))
def test_a_probe_that_holds_still_holds_nearer_to_its_answer(untrained: list[float], share: float):
    def held(values: Sequence[float]) -> bool:
        mains = [{"treated": (70 + j, 0.5, 1), "plain": (62 + j, 0.5, 1)} for j in (-0.5, 0, 0.5)]
        report = score_runs(CONTRACT, runs(mains, values))
        assert report.reward == (1 if report.probes[0].held else 0)
        return report.probes[0].held

    if held(untrained):
        assert held([10 + (value - 10) * share for value in untrained])


def test_every_run_that_failed_is_named():
    mains = [{"treated": (70 + j, 0.5, 1), "plain": (62 - j, 0.5, 1)} for j in (-0.5, 0, 0.5)]
    failed = [Run(run.purpose, run.index, run.seed, run.labels, "timeout", "", None) for run in runs(mains)]
    problems = ["timeout:main run 0", "timeout:main run 1", "timeout:main run 2", "timeout:budget run 0"]
    assert list(score_runs(CONTRACT, failed).problems)[:4] == problems


@pytest.mark.parametrize(("accuracy", "loss", "reward"), [(95, 0.25, 1), (95.25, 0.25, 0), (95, 0, 0)])
def test_what_lies_on_the_bound_of_the_plausible_is_plausible(accuracy: float, loss: float, reward: float):
    report = scored(accuracy, accuracy - 8, loss, 1)
    assert (report.reward, report.implausible) == (reward, not reward)


@pytest.mark.parametrize(("untrained", "reward"), [((10, 10.5), 1), ((8, 12), 1), ((5, 15), 0), ((13, 13), 0)])
def test_a_probe_is_held_over_its_runs_and_in_each(untrained: tuple[float, float], reward: float):
    mains = [{"treated": (70 + j, 0.5, 1), "plain": (62 - j, 0.5, 1)} for j in (-0.5, 0, 0.5)]
    assert score_runs(CONTRACT, runs(mains, untrained)).reward == reward


@given(st.permutations(range(6)), st.lists(st.integers(1, 10**17), min_size=3, max_size=3, unique=True))
def test_the_artifact_score_knows_no_order_of_rows_and_no_names_of_seeds(order: list[int], seeds: list[int]):
    lines = [
        f"{label},{{{seed}}},{70 - 8 * (label == 'plain') + seed},0.5,{1 + seed}"
        for seed in range(3)
        for label in ("treated", "plain")
    ]
    head = "condition,seed,accuracy,loss,seconds\n"
    plain = score_artifact(CONTRACT, (head + "\n".join(lines).format(1, 2, 3)).encode())
    other = score_artifact(CONTRACT, (head + "\n".join([lines[at] for at in order]).format(*seeds)).encode())
    assert plain.reward == other.reward == 1
    assert [(m.value, sorted(m.per_seed)) for m in plain.metrics] == [
        (m.value, sorted(m.per_seed)) for m in other.metrics
    ]
