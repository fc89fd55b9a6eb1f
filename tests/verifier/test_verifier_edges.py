"""Where each limit lies: the last thing that is taken, and the first that is not."""

import json
from pathlib import Path

import pytest

from reproducegym.verifier.contract import Contract, load_contract
from reproducegym.verifier.score import Report, Run, score_artifact, score_runs

GOLDEN = Path(__file__).parents[1] / "golden" / "verifier"
CONTRACTS = json.loads((GOLDEN / "contracts.json").read_text("utf-8"))


def contract(name: str, **changes: object) -> Contract:
    return load_contract(json.dumps(CONTRACTS[name] | {"probes": []} | changes).encode())


GAP = contract("gap")
STEPS = contract("curves")
HEAD = "condition,seed,regret,pulls,comment\n"
ROWS = ["ucb,1,20,1,", "ucb,2,21,1,", "eps,1,30,1,", "eps,2,31,1,"]


def with_row(row: str) -> Report:
    return score_artifact(GAP, (HEAD + "\n".join([row, *ROWS[1:]])).encode())


def code(report: Report) -> str:
    assert (report.reward == 0) == bool(report.problems)
    return report.problems[0].partition(":")[0] if report.problems else "paid"


@pytest.mark.parametrize(
    ("row", "wanted"),
    [
        (f"ucb,1,20,1,{'c' * 200}", "paid"),
        (f"ucb,1,20,1,{'c' * 201}", "bad_cell"),
        (f"ucb,1,20,1,{'c' * (4096 - 11)}", "bad_cell"),
        (f"ucb,1,20,1,{'c' * (4097 - 11)}", "line_too_long"),
        (f"ucb,1,{'0' * 38}20,1,", "paid"),
        (f"ucb,1,{'0' * 39}20,1,", "bad_cell"),
        (f"ucb,1,20.{'0' * 40},1,", "paid"),
        (f"ucb,1,20.{'0' * 41},1,", "bad_cell"),
        (f"ucb,1,20,.{'9' * 40},", "paid"),
        (f"ucb,1,20,.{'9' * 41},", "bad_cell"),
        ("ucb,1,20e000,1,", "paid"),
        ("ucb,1,20e0000,1,", "bad_cell"),
        ("ucb,1,2e1,1,", "paid"),
        (f"ucb,{'9' * 18},20,1,", "too_many_seeds"),
        (f"ucb,{'9' * 19},20,1,", "bad_cell"),
        (f"ucb,{'0' * 17}1,20,1,", "paid"),
        (f"{'u' * 128},1,20,1,", "unknown_condition"),
        (f"{'u' * 129},1,20,1,", "bad_cell"),
        ("ucb,1,-0,1,", "off the curve"),
        ("ucb,1,-1e-300,1,", "out_of_range"),
        ("ucb,1,1000,1,", "off the curve"),
        ("ucb,1,1000.0000000001,1,", "out_of_range"),
    ],
)
def test_a_row_is_taken_up_to_its_limits(row: str, wanted: str):
    report = with_row(row)
    if wanted == "off the curve":
        assert (report.reward, report.problems) == (0, ())
    else:
        assert code(report) == wanted


@pytest.mark.parametrize(("end", "line"), [("\n", "\n"), ("", "\n"), ("\r\n", "\r\n"), ("\r", "\r\n")])
def test_a_file_may_have_as_many_rows_and_bytes_as_the_contract_says(end: str, line: str):
    data = (line.join([HEAD.rstrip(), *ROWS]) + end).encode()
    limits = [(len(data), 4, "paid"), (len(data) - 1, 4, "too_large"), (len(data), 3, "too_many_rows")]
    for max_bytes, max_rows, wanted in limits:
        narrow = contract("gap", limits={"max_bytes": max_bytes, "max_rows": max_rows})
        assert code(score_artifact(narrow, data)) == wanted


def test_a_header_is_looked_at_up_to_its_limit():
    for length, problem in ((4096, "unknown_column:'" + "x" * 40 + "'"), (4097, "line_too_long:header")):
        head = "condition,".ljust(length, "x")
        assert score_artifact(GAP, head.encode()).problems == (problem,)
        assert score_artifact(GAP, f"{head[:-1]}\n{ROWS[0]}".encode()).problems == (problem,)


def test_a_problem_says_where_it_is():
    rows = "\n".join(ROWS)
    for data, problem in [
        (f"condition,seed,regret,pulls\n{rows}", "wrong_cell_count:row 1"),
        (f"{HEAD}{rows}\neps,2", "wrong_cell_count:row 5"),
        (f"{HEAD}{rows}\neps,2,x,1,\n", "bad_cell:row 5, column regret"),
        (f"{HEAD}{rows}\neps,2,-1,1,\n", "out_of_range:row 5, column regret"),
        (f"{HEAD}ucb,1,1000,1,\neps,1,-1,1,\n", "out_of_range:row 2, column regret"),
        (f"{HEAD}{rows}\neps,2,1,1,\n", "duplicate_row:condition eps, seed 2"),
        (f"{HEAD}{rows}\nepsilon,2,1,1,\n", "unknown_condition:row 5"),
        (f"{HEAD}{rows}\neps,3,1,1,\n", "too_many_seeds:row 5"),
        (f"{HEAD}{ROWS[0]}\n{ROWS[2]}", "too_few_seeds:1 of 2"),
        (f"{HEAD}{ROWS[0]}\n{ROWS[1]}\n{ROWS[2]}", "missing_condition:condition eps, seed 2"),
        (f"{HEAD}{rows}\0", f"nul_byte:byte {len(HEAD + rows)}"),
        (f"{HEAD}{rows}\n\n", "wrong_cell_count:row 5"),
        (HEAD, "too_few_seeds:0 of 2"),
        (HEAD.rstrip(), "too_few_seeds:0 of 2"),
    ]:
        assert score_artifact(GAP, data.encode()).problems == (problem,), data


def test_values_of_seeds_are_told_in_the_order_of_seeds():
    rows = ["ucb,8,20,1,", "eps,8,31,1,", "eps,1,30,1,", "ucb,1,20.5,1,"]
    assert score_artifact(GAP, (HEAD + "\n".join(rows)).encode()).metrics[0].per_seed == (9.5, 11.0)


def test_a_row_occurs_once_where_one_column_is_all():
    columns, metrics = CONTRACTS["gap"]["columns"][:1], CONTRACTS["gap"]["metrics"][:1]
    narrow = contract("gap", columns=columns, metrics=metrics)
    rows = ["condition,seed,regret", "ucb,1,20", "ucb,2,21", "eps,1,30", "eps,2,31"]
    assert code(score_artifact(narrow, "\n".join(rows).encode())) == "paid"
    assert code(score_artifact(narrow, "\n".join([*rows, "eps,2,30"]).encode())) == "duplicate_row"


def test_of_several_primary_metrics_the_worst_is_paid_and_one_without_a_value_earns_nothing():
    metrics = [one | {"role": "primary"} for one in CONTRACTS["gap"]["metrics"]]
    ratio = {"shape": "at_least", "points": [[0, 0], [4, 1]], "plausible": [None, None]}
    both = contract("gap", metrics=metrics, reward_curves=CONTRACTS["gap"]["reward_curves"] | {"pulls_ratio": ratio})
    pulls = [row[:-2] + "3," if row.startswith("eps") else row for row in ROWS]
    report = score_artifact(both, (HEAD + "\n".join(pulls)).encode())
    assert ([one.reward for one in report.metrics], report.reward) == ([1, 0.75], 0.75)
    pulls = [row[:-2] + "0," if row.startswith("ucb") else row for row in ROWS]
    none = score_artifact(both, (HEAD + "\n".join(pulls)).encode())
    assert [(one.value is None, one.reward) for one in none.metrics] == [(False, 1), (True, 0)]
    assert none.problems == ("division_by_zero:pulls_ratio",)


def test_a_probe_holds_up_to_its_bounds_whatever_order_runs_come_in():
    expect = [{"metric": "gap", "value": 0, "abs": 3, "rms": 3}]
    null = CONTRACTS["gap"]["probes"][0] | {"choices": [{"knobs": {}, "expect": expect}]}
    judge = contract("gap", probes=[null])
    gaps = [("main", 1, 11.0), ("main", 2, 12.5), ("null", 3, 6.0)]
    runs = [
        Run(
            what, 1, seed, {"u": "ucb", "e": "eps"}, "ok", "", f"condition,regret,pulls\nu,{seed},1\ne,{gap},1".encode()
        )
        for what, seed, gap in gaps
    ]
    report = score_runs(judge, runs)
    assert (report.reward, report.probes[0].held, report.metrics[0].per_seed) == (1, True, (10, 10.5))
    assert score_runs(judge, runs[::-1]) == report


def drop(a: list[str], b: list[str], **changes: object) -> Report:
    """`first(a.loss) - last(b.loss)` of two seeds, the second a little apart."""
    lines = [f"{label},{seed},{row}{seed}" for seed in (1, 2) for label, rows in (("a", a), ("b", b)) for row in rows]
    data = "condition,seed,step,loss\n" + "\n".join(lines)
    return score_artifact(contract("curves", **changes) if changes else STEPS, data.encode())


@pytest.mark.parametrize("a", [["0,3.", "1,2.", "2,1."], ["1,2.", "0,3.", "2,1."], ["2,1.", "0,3.", "1,2."]])
@pytest.mark.parametrize("b", [["0,9.", "1,8.", "2,1."], ["0,9.", "2,1.", "1,8."], ["2,1.", "1,8.", "0,9."]])
def test_rows_are_put_in_order_of_steps(a: list[str], b: list[str]):
    report = drop(a, b)
    assert (report.reward, report.metrics[0].value) == (1, pytest.approx(2))


def test_steps_start_at_zero_and_occur_once():
    assert code(drop(["-0,3."], ["0,1."])) == "paid"
    assert code(drop(["-1,3."], ["0,1."])) == "out_of_range"
    assert drop(["2,3.", "1,2.", "2,4."], ["0,1."]).problems == ("duplicate_row:condition a, seed 1, step 2",)


def test_as_many_rows_as_are_asked_for_are_enough():
    assert code(drop(["0,3.", "1,2."], ["0,1.", "1,1.5"], min_rows_per_condition=2)) == "paid"
    assert drop(["0,3.", "1,2."], ["0,1."], min_rows_per_condition=2).problems == ("too_few_rows:condition b, seed 1",)


@pytest.mark.parametrize(
    ("series", "wanted"),
    [
        # each seed's two conditions, over two seeds; curves of three or more values, or of six digits, tell
        ([("1", "2"), ("1.5", "2.5")], "paid"),
        ([("1", "2"), ("1", "2.5")], "equal_seeds"),
        ([("1", "1"), ("1.5", "1.5")], "equal_conditions"),
        ([("1", "1"), ("1.5", "2.5")], "paid"),
        ([("1.2345", "1.2345"), ("1.5", "2.5")], "paid"),
        ([("1.23456", "1.23456"), ("1.5", "2.5")], "equal_conditions"),
        ([("1.23456 1", "1.23456 1"), ("1.5 1", "2.5 1")], "equal_conditions"),
        ([("0.0012345", "0.0012345"), ("1.5", "2.5")], "paid"),
        ([("0.00123456", "0.00123456"), ("1.5", "2.5")], "equal_conditions"),
        ([("1e-7", "1e-7"), ("1.5", "2.5")], "paid"),
        ([("1.5 2.5", "1.5 2.5"), ("1.5 1", "2.5 1")], "paid"),
        ([("1.5 2.5 2.5", "1.5 2.5 2.5"), ("1.5 1 1", "2.5 1 1")], "paid"),
        ([("1.5 2.5 3.5", "1.5 2.5 3.5"), ("1.5 1 1", "2.5 1 1")], "equal_conditions"),
        ([("0", "0"), ("0", "0")], "paid"),
        ([("0 0 0", "0 0 0"), ("0 0 1", "0 0 2")], "paid"),
        ([("0 9 0", "0 9 0"), ("9 9 9", "9 9 9")], "paid"),
        ([("0 9 0", "0 9 0"), ("9 0 9", "9 0 9")], "paid"),
        ([("1 2 3", "1 2 3"), ("1", "1"), ("1.5", "2.5")], "equal_conditions"),
        ([("1 2", "1 2"), ("1", "1"), ("1.5", "2.5")], "paid"),
        ([("0 9 8", "0 9 8"), ("9 9 8", "9 9 8")], "equal_conditions"),
    ],
)
def test_copies_are_what_chance_does_not_make(series: list[tuple[str, str]], wanted: str):
    columns = [{"name": "loss", "unit": "", "range": [0, 9], "stochastic": "continuous"}]
    metrics = [CONTRACTS["curves"]["metrics"][0] | {"formula": "10 + first(a.loss) - last(b.loss)"}]
    wide = {"drop": {"shape": "at_least", "points": [[-100, 0], [-99, 1]], "plausible": [None, None]}}
    lines = ["condition,seed,step,loss"]
    for seed, conditions in enumerate(series):
        for label, values in zip("ab", conditions, strict=True):
            lines += [f"{label},{seed},{step},{value}" for step, value in enumerate(values.split())]
    judge = contract("curves", columns=columns, metrics=metrics, reward_curves=wide, seeds=len(series))
    assert code(score_artifact(judge, "\n".join(lines).encode())) == wanted
