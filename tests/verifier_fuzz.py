"""Damaged tables and formulas for the verifier, the same for the same number."""

import math
import random
import time
from array import array
from collections import Counter

from reproducegym.verifier.contract import Contract
from reproducegym.verifier.evaluate import evaluate
from reproducegym.verifier.formula import FormulaError, parse_formula
from reproducegym.verifier.score import Run, score_artifact, score_runs
from reproducegym.verifier.table import Rows

SLOWEST_S = 5.0
HONEST = b"condition,seed,regret,pulls\nucb,1,20,1\nucb,2,21,1\neps,1,30,1\neps,2,31,1\n"
RUN = b"condition,regret,pulls\nucb,20.5,1\neps,30.25,1\n"
_PIECES = (
    b",",
    b"\n",
    b"\r\n",
    b'"',
    b"\0",
    b"\xef\xbb\xbf",
    b"\xff",
    b"nan",
    b"inf",
    b"1e999",
    b"-",
    b"+",
    b".",
    b" ",
)
_PIECES += (b"9" * 60, b"ucb", b"eps", b"condition", b"seed", b"regret", b"comment", b"0x1", b"1_0", b"\xd9\xa1", b"=1")
_CONDITIONS, _COLUMNS = ("ucb", "eps"), ("regret", "pulls")
_AGGREGATIONS = ("mean", "sum", "min", "max", "median", "std", "var", "first", "last", "count")
_ALONG = ("slope", "auc", "spearman")


def damaged_table(number: int, honest: bytes) -> bytes:
    """Random bytes, random pieces of tables, or an honest table with a few changes."""
    draw = random.Random(number)
    kind = number % 4
    if kind == 0:
        return draw.randbytes(draw.randrange(80))
    if kind == 1:
        return b"".join(draw.choices(_PIECES, k=draw.randrange(30)))
    data = bytearray(honest)
    for _ in range(draw.randint(1, 3)):
        place = draw.randrange(len(data) + 1)
        if draw.random() < 0.5:
            data = data.replace(b"0", b"%d" % draw.randrange(99), 1) if draw.random() < 0.5 else data + data[place:]
        elif draw.random() < 0.5:
            data[place : place + draw.randrange(3)] = draw.choice(_PIECES)
        else:
            data[place : place + 1] = draw.randbytes(1)
    return bytes(data)


def score_damaged(contract: Contract, numbers: range) -> Counter[str]:
    """Score damaged tables both ways; how many were paid, refused, or read and not paid.

    Every report must be whole, its reward a finite number in [0, 1], and come in time.
    """
    ended: Counter[str] = Counter()
    labels = {condition.label: condition.label for condition in contract.conditions}
    for number in numbers:
        began = time.process_time()
        if number % 2:
            report = score_artifact(contract, damaged_table(number, HONEST))
        else:
            files = (damaged_table(number, RUN), RUN.replace(b"20.5", b"20.75"))
            runs = [Run("main", i, i, labels, "ok", "", data) for i, data in enumerate(files)]
            report = score_runs(contract, runs)
        assert time.process_time() - began < SLOWEST_S, number
        assert math.isfinite(report.reward), number
        assert 0 <= report.reward <= 1, number
        report.to_json()
        ended["paid" if report.reward else "refused" if report.problems else "unpaid"] += 1
    return ended


def made_formula(number: int) -> str:
    """A formula of the grammar; every third one is broken at a random place."""
    draw = random.Random(number)
    text = _expression(draw, draw.randint(0, 5))
    if number % 3 == 0:
        place = draw.randrange(len(text) + 1)
        text = (
            text[:place]
            + draw.choice(("(", ")", ",", "..", "**", "@", "1e400", "step", "[last 0]", ""))
            + text[place + 1 :]
        )
    return text


def _number(draw: random.Random) -> str:
    return draw.choice(("0", "1", "2.5", ".5", "1e-9", "1e300", "7.", str(draw.randrange(10**9))))


def _series(draw: random.Random) -> str:
    windows = draw.choice(("", "", "[last 2]", "[first 1]", "[step >= 1]", "[step <= -3]", "[step >= 1][last 9]"))
    return f"{draw.choice(_CONDITIONS)}.{draw.choice(_COLUMNS)}{windows}"


def _aggregation(draw: random.Random) -> str:
    kind = draw.randrange(5)
    series = _series(draw)
    if kind == 0:
        return f"quantile({series}, {draw.choice(('0', '0.5', '1', '2'))})"
    if kind == 1:
        return f"at({series}, {_number(draw)})"
    if kind == 2:
        return f"{draw.choice(_ALONG)}({series}, {draw.choice(('step', series.partition('[')[0]))})"
    if kind == 3:
        return f"first_reach({series}, step, {_number(draw)})"
    return f"{draw.choice(_AGGREGATIONS)}({series})"


def _expression(draw: random.Random, depth: int) -> str:
    if depth == 0:
        return _aggregation(draw) if draw.random() < 0.7 else _number(draw)
    one, other = _expression(draw, depth - 1), _expression(draw, draw.randrange(depth))
    return draw.choice(
        (
            f"{one} {draw.choice(('+', '-', '*', '/', '**'))} {other}",
            f"({one})",
            f"-{one}",
            f"{draw.choice(('abs', 'sqrt', 'log', 'exp'))}({one})",
            f"{draw.choice(('min', 'max'))}({one}, {other})",
            f"seed_std({one})",
        )
    )


def evaluate_made(numbers: range) -> Counter[str]:
    """Parse made formulas and evaluate them on random rows: a finite value, a named fault, or a refusal."""
    ended: Counter[str] = Counter()
    for number in numbers:
        began = time.process_time()
        text = made_formula(number)
        try:
            formula = parse_formula(text, conditions=_CONDITIONS, columns=_COLUMNS, step_column=True)
        except FormulaError as error:
            assert "position" in str(error), text
            ended["refused"] += 1
            continue
        found = evaluate(
            formula, ("mean", "median", "iqm", "max")[number % 4], [_sample(number, seed) for seed in (1, 2)]
        )
        assert time.process_time() - began < SLOWEST_S, text
        assert (found.value is None) == bool(found.fault), text
        assert found.value is None or math.isfinite(found.value), text
        assert all(map(math.isfinite, found.per_seed)), text
        ended["valued" if found.value is not None else "without value"] += 1
    return ended


def _sample(number: int, seed: int) -> dict[str, Rows]:
    draw = random.Random(f"{number} {seed}")
    rows = draw.randrange(1, 6)
    levels: tuple[float, ...] = tuple(draw.uniform(0.5, 2) for _ in range(rows))
    if number % 2:
        levels = (0.0, 1.0, -1.0, 1e-300, 1e300, draw.gauss(0, 1), draw.gauss(0, 1e6))
    return {
        label: Rows(
            array("d", sorted(draw.sample(range(20), rows))),
            {column: array("d", draw.choices(levels, k=rows)) for column in _COLUMNS},
        )
        for label in _CONDITIONS
    }
