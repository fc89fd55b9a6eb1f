"""Whatever a submission holds, the judge answers with a reward in [0, 1], and the same one for the same numbers."""

import json
import math
import random
import resource
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reproducegym.verifier.contract import Contract, load_contract
from reproducegym.verifier.curve import Curve, curve_fault, reward_at
from reproducegym.verifier.score import JudgeError, Run, score_artifact, score_runs
from reproducegym.verifier.table import Problem, read_table

GOLDEN = Path(__file__).parents[1] / "golden" / "verifier"
CONTRACTS = json.loads((GOLDEN / "contracts.json").read_text("utf-8"))
GAP = load_contract(json.dumps(CONTRACTS["gap"]).encode())
BOUND = load_contract(json.dumps(CONTRACTS["bound"]).encode())

WORDS = b"condition step seed regret pulls comment ucb eps , , 0 1 2 20 30.5 -1 1e308 nan =1+1".split()
ALPHABET = st.sampled_from([*WORDS, b"\n", b"\n", b"\r", b'"', b"\0", b"\xff", b"\xef\xbb\xbf", b" "])
BYTES = st.one_of(
    st.binary(max_size=200),
    st.lists(ALPHABET, max_size=60).map(b"".join),
    st.lists(ALPHABET, max_size=60).map(lambda parts: b"condition,seed,regret,pulls\n" + b"".join(parts)),
    st.lists(ALPHABET, max_size=60).map(lambda parts: b"condition,regret,pulls\nucb," + b"".join(parts)),
)


@given(BYTES)
def test_any_bytes_get_a_reward(data: bytes):
    labels = {"ucb": "ucb", "eps": "eps"}
    runs = [Run(name, 1, seed, labels, "ok", "", data) for seed, name in enumerate(["main", "main", "null", "budget"])]
    for report in (score_artifact(GAP, data), score_runs(GAP, runs)):
        assert 0 <= report.reward <= 1
        assert report.reward == 0 or not report.problems
        assert json.loads(report.to_json())["reward"] == report.reward


CELL = st.floats(0, 1000).map(repr) | st.sampled_from(["1e5", "-0.0", ".5", "7.", "+3", "1e-400", "0" * 30])
TABLE = st.lists(st.tuples(st.sampled_from(["big", "small"]), st.integers(0, 9), CELL, CELL), max_size=12)


@given(TABLE, st.randoms(use_true_random=False))
def test_the_order_of_rows_and_columns_never_changes_a_report(rows: list[tuple], shuffle: random.Random):
    table = [["condition", "step", "seed", "score", "cost", "comment"]]
    table += [[label, str(step), "3", score, cost, "reward 1.0"] for label, step, score, cost in rows]
    order = list(range(6))
    shuffle.shuffle(order)
    body = table[1:]
    shuffle.shuffle(body)
    shuffled = [[line[at] for at in order] for line in (table[0], *body)]
    one = score_artifact(BOUND, "\n".join(map(",".join, table)).encode())
    other = score_artifact(BOUND, "\r\n".join(map(",".join, shuffled)).encode() + b"\r\n")
    assert (one.reward, one.metrics, one.implausible) == (other.reward, other.metrics, other.implausible)
    assert bool(one.problems) == bool(other.problems)


TWO_SEEDS = load_contract(json.dumps(CONTRACTS["bound"] | {"seeds": 2}).encode())
GOOD = [f"{label},{step},{seed},50,{step}e1" for label in ("big", "small") for step in range(3) for seed in (2, 3)]
BAD = ["tall,7,2,50,1", "big,8,4,50,1", "big,7,2,-1,1", "small,7,3,50,1e999", "big,7,2,x,1", "big,7,2,50", ""]
LINES = st.permutations(GOOD).flatmap(
    lambda rows: st.lists(st.sampled_from(BAD), max_size=2).flatmap(lambda bad: st.permutations([*rows, *bad]))
)


@given(LINES, st.integers(1, 200), st.sampled_from(["\n", "\r\n"]), st.booleans())
def test_a_table_reads_the_same_in_blocks_of_any_size(lines: list[str], size: int, end: str, ended: bool):
    data = (end.join(["condition,step,seed,score,cost", *lines]) + end * ended).encode()
    labels = {"big": "big", "small": "small"}
    whole = read_table(data, TWO_SEEDS, labels, seed=None)
    assert isinstance(whole, Problem) == any(
        line in BAD for line in lines[: len(lines) - (lines[-1] == "" and not ended)]
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("reproducegym.verifier.table._BLOCK", size)
        assert read_table(data, TWO_SEEDS, labels, seed=None) == whole


@given(st.lists(st.floats(-1e300, 1e300), min_size=4, max_size=4, unique=True).map(sorted), st.floats(), st.floats())
def test_a_curve_rises_once_and_falls_once(xs: list[float], one: float, other: float):
    curve = Curve("two_sided", tuple(zip(xs, (0.0, 1.0, 1.0, 0.0), strict=True)), (None, None))
    assert curve_fault(curve) is None
    if math.isnan(one) or math.isnan(other):
        return
    near, far = sorted((one, other), reverse=True)
    assert 0 <= reward_at(curve, near) <= 1
    if near <= xs[2]:
        assert reward_at(curve, far) <= reward_at(curve, near)
    if far >= xs[1]:
        assert reward_at(curve, far) >= reward_at(curve, near)
    assert [reward_at(curve, x) for x in xs] == [0, 1, 1, 0]


@pytest.mark.parametrize(
    ("run", "why"),
    [
        (Run("extra", 1, 1, {"a": "ucb", "b": "eps"}, "ok", "", b""), "no known purpose"),
        (Run("main", 1, 1, {"a": "ucb", "b": "eps"}, "infra", "", None), "infrastructure"),
        (Run("main", 1, 1, {"a": "ucb"}, "ok", "", b""), "labels"),
        (Run("null", 1, 1, {"a": "ucb", "b": "ucb"}, "ok", "", b""), "labels"),
    ],
)
def test_a_fault_of_ours_is_never_a_reward(run: Run, why: str):
    with pytest.raises(JudgeError, match=why):
        score_runs(GAP, [run])


def test_runs_that_are_missing_or_too_many_earn_nothing():
    def run(purpose: str, index: int, seed: int, regret: float) -> Run:
        data = f"condition,regret,pulls\nucb,{20 + regret},1\neps,{30 + regret},1\n".encode()
        return Run(purpose, index, seed, {"ucb": "ucb", "eps": "eps"}, "ok", "", data)

    assert score_runs(GAP, []).problems == (
        "too_few_seeds:main",
        "too_few_seeds:null",
        "probe_failed:null",
        "too_few_seeds:budget",
        "probe_failed:budget",
    )
    probes = [run("null", 1, 1, 0), run("budget", 1, 1, 0)]
    three = [run("main", seed, seed, seed) for seed in (1, 2, 3)]
    assert score_runs(GAP, [*three, *probes]).problems[0] == "too_many_seeds:main"
    assert score_runs(GAP, [*three[:1], *three[:1], *probes]).problems[0] == "repeated_seed:main run 1"


def test_a_million_rows_are_read_in_bounded_memory():
    limits = CONTRACTS["bound"] | {"limits": {"max_bytes": 1 << 26, "max_rows": 1_000_000}}
    contract = load_contract(json.dumps(limits).encode())
    draw = random.Random(1)
    data = b"condition,step,seed,score,cost\n"
    for label in ("big", "small"):
        data += "".join([f"{label},{step},3,{draw.random() * 90!r},1\n" for step in range(500_000)]).encode()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    table = read_table(data, contract, {"big": "big", "small": "small"}, seed=None)
    assert not isinstance(table, Problem)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 300 * 1024
    assert read_table(data + b"big,5e5,3,1,1\n", contract, {"big": "big", "small": "small"}, seed=None) == Problem(
        "too_many_rows", ""
    )


def test_probe_runs_that_are_wrong_in_turn_do_not_cancel():
    written = json.loads(json.dumps(CONTRACTS["gap"]))
    written["probes"] = [written["probes"][0] | {"seeds": 2}]
    contract = load_contract(json.dumps(written).encode())

    def run(purpose: str, index: int, ucb: float, eps: float) -> Run:
        data = f"condition,regret,pulls\nucb,{ucb},1\neps,{eps},1\n".encode()
        return Run(purpose, index, 10 * index + len(purpose), {"ucb": "ucb", "eps": "eps"}, "ok", "", data)

    main = [run("main", 1, 20, 30), run("main", 2, 21, 31)]
    honest = score_runs(contract, [*main, run("null", 1, 30, 31), run("null", 2, 30.5, 28)])
    assert (honest.reward, honest.problems) == (1.0, ())
    signs = score_runs(contract, [*main, run("null", 1, 20, 30), run("null", 2, 31, 21)])
    assert (signs.reward, signs.problems) == (0.0, ("probe_failed:null",))


def test_a_probe_that_looks_at_single_runs_needs_a_value_of_each():
    written = json.loads(json.dumps(CONTRACTS["gap"]))
    expect = {"metric": "pulls_ratio", "value": 1, "abs": 0.5, "rms": 0.5}
    written["probes"] = [written["probes"][0] | {"seeds": 2, "choices": [{"knobs": {}, "expect": [expect]}]}]
    contract = load_contract(json.dumps(written).encode())

    def run(purpose: str, index: int, ucb: float, eps: float) -> Run:
        data = f"condition,regret,pulls\nucb,{20 + index},{ucb}\neps,{30 + index},{eps}\n".encode()
        return Run(purpose, index, 10 * index + len(purpose), {"ucb": "ucb", "eps": "eps"}, "ok", "", data)

    main = [run("main", 1, 1, 1), run("main", 2, 1, 1)]
    report = score_runs(contract, [*main, run("null", 1, 0, 0), run("null", 2, 2, 2)])
    assert (report.reward, report.problems) == (0.0, ("probe_failed:null",))


@pytest.fixture
def two_choices() -> Contract:
    """At 1 step the gap is 0, at 500 it is 5; one of the two is asked for."""
    written = json.loads(json.dumps(CONTRACTS["gap"]))
    expect = [{"metric": "gap", "value": value, "abs": 1, "rms": None} for value in (0, 5)]
    choices = [{"knobs": {"steps": steps}, "expect": [one]} for steps, one in zip((1, 500), expect, strict=True)]
    written["probes"] = [written["probes"][1] | {"seeds": 2, "choices": choices}]
    return load_contract(json.dumps(written).encode())


def chosen(purpose: str, index: int, gap: float, choice: int = 0) -> Run:
    data = f"condition,regret,pulls\nucb,{20 + index},1\neps,{20 + index + gap},1\n".encode()
    labels = {"ucb": "ucb", "eps": "eps"}
    return Run(purpose, index, 10 * index + len(purpose), labels, "ok", "", data, choice)


@pytest.mark.parametrize(("choice", "gap"), [(0, 0.0), (1, 5.0)])
def test_the_choice_that_was_drawn_says_what_must_hold(two_choices: Contract, choice: int, gap: float):
    main = [chosen("main", 1, 10), chosen("main", 2, 10.5)]
    held = score_runs(two_choices, [*main, *(chosen("budget", index, gap, choice) for index in (1, 2))])
    assert (held.reward, held.probes[0].held, held.probes[0].choice) == (1.0, True, choice)
    other = score_runs(two_choices, [*main, *(chosen("budget", index, 5.0 - gap, choice) for index in (1, 2))])
    assert (other.reward, other.problems) == (0.0, ("probe_failed:budget",))
    assert other.probes[0].choice == choice


@pytest.mark.parametrize("choices", [(0, 1), (2, 2), (-1, -1)])
def test_runs_that_are_of_no_one_choice_are_the_judges_fault(two_choices: Contract, choices: tuple[int, int]):
    main = [chosen("main", 1, 10), chosen("main", 2, 10.5)]
    probe = [chosen("budget", index, 0.0, choice) for index, choice in enumerate(choices, 1)]
    with pytest.raises(JudgeError, match="the budget runs are not all of one of its choices"):
        score_runs(two_choices, [*main, *probe])


def test_a_probe_without_runs_fails_whatever_would_have_been_drawn(two_choices: Contract):
    report = score_runs(two_choices, [chosen("main", 1, 10), chosen("main", 2, 10.5)])
    assert (report.reward, report.problems) == (0.0, ("too_few_seeds:budget", "probe_failed:budget"))
