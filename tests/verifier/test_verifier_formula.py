"""The grammar: what it reads, what it gives, and how it refuses everything else."""

import math
from array import array

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import spearmanr

from reproducegym.verifier.evaluate import Evaluated, evaluate
from reproducegym.verifier.formula import FormulaError, parse_formula
from reproducegym.verifier.table import Rows

CONDITIONS = ("a", "b", "mean")
COLUMNS = ("x", "y", "step_time")
STEPS = array("d", [0, 10, 20, 30])


def rows(*values: float, x: tuple[float, ...] = (0, 1, 2, 3)) -> Rows:
    return Rows(STEPS, {"x": array("d", values), "y": array("d", x), "step_time": array("d", values)})


A = rows(4, 1, 3, 2)
ONE_SEED = [{"a": A, "b": rows(0, 0, 0, 0), "mean": rows(1, 4, 9, 16)}]


def parse(text: str, *, steps: bool = True):
    return parse_formula(text, conditions=CONDITIONS, columns=COLUMNS, step_column=steps)


def value(text: str, samples=ONE_SEED, over_seeds: str = "mean") -> Evaluated:
    return evaluate(parse(text), over_seeds, samples)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("mean(a.x)", 2.5),
        ("sum(a.x)", 10),
        ("min(a.x)", 1),
        ("max(a.x)", 4),
        ("median(a.x)", 2.5),
        ("var(a.x)", 5 / 3),
        ("std(a.x)", math.sqrt(5 / 3)),
        ("first(a.x)", 4),
        ("last(a.x)", 2),
        ("count(a.x)", 4),
        ("quantile(a.x, 0)", 1),
        ("quantile(a.x, 1)", 4),
        ("quantile(a.x, 0.25)", 1.75),
        ("at(a.x, 20)", 3),
        ("at(a.x, 5)", 2.5),
        ("slope(mean.x, mean.y)", 5),
        ("slope(mean.x, step)", 0.5),
        ("auc(a.x, step)", 70),
        ("auc(a.x, a.y)", 7),
        ("auc(a.y, a.x)", 5.5),
        ("first_reach(mean.x, step, 9)", 20),
        ("first_reach(a.x, step, 2.5)", 10),
        ("first_reach(a.x, a.y, 4)", 0),
        ("first_reach(a.y, a.x, 2)", 2),
        ("spearman(mean.x, step)", 1),
        ("spearman(a.x, step)", -0.4),
        ("mean(a.x[last 2])", 2.5),
        ("mean(a.x[first 3])", 8 / 3),
        ("sum(a.x[step >= 10])", 6),
        ("sum(a.x[step <= 10])", 5),
        ("sum(a.x[step >= 10][step <= 20])", 4),
        ("last(a.x[step >= 5][first 1])", 1),
        ("auc(a.x[last 2], step)", 25),
        ("abs(-mean(a.x))", 2.5),
        ("min(mean(a.x), 2, 3)", 2),
        ("max(min(a.x), last(a.x))", 2),
        ("sqrt(max(a.x)) + log(exp(2))", 4),
        ("-2 ** 2 + 0 * mean(a.x)", -4),
        ("2 ** 3 ** 2 + 0 * mean(a.x)", 512),
        ("2 ** -1 + 0 * mean(a.x)", 0.5),
        ("10 - 4 - 3 + 0 * mean(a.x)", 3),
        ("12 / 2 / 3 + 0 * mean(a.x)", 2),
        ("(mean(a.x) - 0.5) * .5e1 / 1.", 10),
        ("mean(mean.x)", 7.5),
        ("mean(a.step_time)", 2.5),
        ("at(a.x, 0)", 4),
        ("at(a.x, 30)", 2),
        ("at(a.x, 22.5)", 2.75),
        ("first_reach(mean.x, step, 1)", 0),
        ("first_reach(a.x, step, 4)", 0),
        ("first_reach(a.x, step, 1)", 10),
        ("first_reach(mean.x, step, 16)", 30),
        ("mean(a.x[last 4])", 2.5),
        ("mean(a.x[first 4])", 2.5),
        ("last(a.x[step <= 25])", 3),
        ("first(a.x[step >= 5])", 1),
        ("var(a.x[last 2])", 0.5),
        ("slope(a.x[last 2], step)", -0.1),
        ("quantile(a.x, 0.3)", 1.9),
        ("quantile(a.x[last 1], 0.3)", 2),
        ("1 - max(2, 3) + 0 * mean(a.x)", -2),
        ("1 - max(2, 3, 4) + 0 * mean(a.x)", -3),
        ("2 * min(7, max(2, 3)) + 0 * mean(a.x)", 6),
        ("(1 + 2) * 3 - 4 / (5 - 3) + 0 * mean(a.x)", 7),
        ("abs(2 - 5) ** 2 + 0 * mean(a.x)", 9),
    ],
)
def test_a_formula_gives_its_value(text: str, wanted: float):
    found = value(text)
    assert found.value == pytest.approx(wanted)
    assert found.fault == ""


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("mean(a.x) / mean(b.x)", "division_by_zero"),
        ("slope(a.x, a.step_time) / min(b.x)", "division_by_zero"),
        ("spearman(b.x, step)", "division_by_zero"),
        ("slope(b.y, b.x)", "division_by_zero"),
        ("log(mean(b.x))", "not_finite"),
        ("sqrt(-mean(a.x))", "not_finite"),
        ("exp(1000 * mean(a.x))", "not_finite"),
        ("max(a.x) ** 1e10", "not_finite"),
        ("(-mean(a.x)) ** 0.5", "not_finite"),
        ("min(b.x) ** -1", "not_finite"),
        ("1e300 * 1e300 * max(a.x)", "not_finite"),
        ("mean(a.x[step >= 31])", "empty_series"),
        ("mean(a.x[last 5])", "too_few_values"),
        ("mean(a.x[step >= 20][last 3])", "too_few_values"),
        ("std(a.x[last 1])", "too_few_values"),
        ("slope(a.x[last 1], step)", "too_few_values"),
        ("auc(a.x[last 1], step)", "too_few_values"),
        ("at(a.x, 31)", "outside_steps"),
        ("at(a.x, -1)", "outside_steps"),
        ("first_reach(a.x, step, 5)", "level_not_reached"),
        ("seed_std(mean(a.x))", "too_few_values"),
    ],
)
def test_a_value_that_cannot_be_is_a_named_fault(text: str, fault: str):
    assert value(text) == Evaluated(None, (), fault)


def test_aggregations_are_combined_over_seeds_before_the_formula_is_evaluated():
    seeds = [{"a": rows(v, v, v, v), "b": rows(w, w, w, w)} for v, w in ((1, 1), (2, 4), (9, 1), (4, 2))]
    assert value("mean(a.x) / mean(b.x)", seeds).value == 2
    assert value("mean(a.x) / mean(b.x)", seeds).per_seed == (1, 0.5, 9, 2)
    assert value("mean(a.x)", seeds, "median").value == 3
    assert value("mean(a.x)", seeds, "max").value == 9
    assert value("mean(a.x)", seeds, "iqm").value == 3
    assert value("mean(b.x) * seed_std(mean(a.x) - mean(b.x))", seeds).value == pytest.approx(2 * math.sqrt(56 / 3))


@pytest.mark.parametrize("count", range(1, 10))
def test_the_interquartile_mean_leaves_out_a_quarter_at_each_end(count: int):
    levels = [0, 1, 4, 2, 3, 20, 9, 30, 16][:count]
    cut = count // 4
    kept = sorted(levels)[cut : count - cut]
    assert len(kept) == count - 2 * cut
    samples = [{"a": rows(v, v, v, v)} for v in levels]
    assert value("mean(a.x)", samples, "iqm").value == pytest.approx(sum(kept) / len(kept))


@pytest.mark.parametrize(
    ("xs", "ys"),
    [
        ((1, 1, 2, 3), (1, 2, 2, 3)),
        ((1, 2, 3, 4), (1, 1, 1, 2)),
        ((4, 4, 1, 1), (0, 1, 5, 5)),
        ((1, 3, 2, 4), (9, 1, 5, 1)),
    ],
)
def test_ties_share_their_mean_rank(xs: tuple, ys: tuple):
    found = value("spearman(a.x, a.y)", [{"a": rows(*xs, x=ys)}]).value
    assert found == pytest.approx(spearmanr(xs, ys).statistic)


def test_a_formula_may_be_as_long_and_as_deep_as_the_limits_say():
    assert value("1+" * 246 + "-mean(a.x)").value == pytest.approx(243.5)  # 499 tokens and the end
    for text in ("1+" * 247 + "mean(a.x)", "1+" * 247 + "-mean(a.x)"):
        with pytest.raises(FormulaError, match="at most 500 tokens"):
            parse(text)
    for opening in ("(", "abs("):
        assert value(opening * 40 + "mean(a.x)" + ")" * 40).value == 2.5
        with pytest.raises(FormulaError, match="nested more than 40 deep"):
            parse(opening * 41 + "mean(a.x)" + ")" * 41)
    assert value("-" * 40 + "mean(a.x)").value == 2.5


def test_a_seed_that_alone_has_no_value_does_not_spoil_the_whole():
    seeds = [{"a": rows(1, 1, 1, 1), "b": rows(v, v, v, v)} for v in (0, 2)]
    assert value("mean(a.x) / mean(b.x)", seeds) == Evaluated(1.0, (), "")


def test_sums_too_large_for_floats_are_a_fault():
    huge = [{"a": rows(1.7e308, 1.7e308, 1, 1)}]
    for text in ("mean(a.x)", "sum(a.x)", "var(a.x)", "slope(a.x, step)", "auc(a.x, step)"):
        assert value(text, huge).fault == "not_finite", text


@pytest.mark.parametrize(
    ("text", "token", "position"),
    [
        ("", "end of formula", 1),
        ("1 + 2", "end of formula", 6),
        ("a.x", "a", 1),
        ("mean(a.x) + b.y", "b", 13),
        ("sqrt(a.x)", "a", 6),
        ("abs(a.x)", "a", 5),
        ("avg(a.x)", "avg", 1),
        ("__import__('os')", "'", 12),
        ("__import__(os)", "__import__", 1),
        ("mean(c.x)", "c", 6),
        ("mean(a.z)", "z", 8),
        ("mean(a)", ")", 7),
        ("mean(a.x", "end of formula", 9),
        ("mean(a.x))", ")", 10),
        ("mean(a.x) mean(b.x)", "mean", 11),
        ("mean()", ")", 6),
        ("mean(a.x, b.x)", ",", 9),
        ("mean(mean(a.x))", "(", 10),
        ("min(mean(a.x))", "min", 1),
        ("min(a.x, b.x)", ",", 8),
        ("abs(mean(a.x), 1)", "abs", 1),
        ("max()", ")", 5),
        ("+ mean(a.x)", "+", 1),
        ("mean(a.x) % 2", "%", 11),
        ("mean(a.x) // 2", "/", 12),
        ("mean(a.x); 1", ";", 10),
        ("mean(a.x)\n", "\n", 10),
        ("2x * mean(a.x)", "x", 2),
        ("0x10 * mean(a.x)", "x10", 2),
        ("1_000 * mean(a.x)", "_000", 2),
        ("1e999 * mean(a.x)", "1e999", 1),
        ("nan * mean(a.x)", "nan", 1),
        ("mean(a.x[last 0])", "0", 15),
        ("mean(a.x[last 2.5])", "2.5", 15),
        ("mean(a.x[last -2])", "-", 15),
        ("mean(a.x[last])", "]", 14),
        ("mean(a.x[middle 3])", "3", 17),
        ("mean(a.x[step > 3])", ">", 15),
        ("mean(a.x[step == 3])", "=", 15),
        ("mean(a.x[3])", "3", 10),
        ("mean(a.x[last 2)", ")", 16),
        ("steps 100 to 200", "steps", 1),
        ("quantile(a.x)", ")", 13),
        ("quantile(a.x, 1.5)", "1.5", 15),
        ("quantile(a.x, -0.5)", "-", 15),
        ("at(a.x)", ")", 7),
        ("at(a.x, b.x)", "b", 9),
        ("slope(a.x)", ")", 10),
        ("slope(a.x, b.x)", "b", 12),
        ("slope(a.x, a.z)", "z", 14),
        ("slope(a.x, 3)", "3", 12),
        ("first_reach(a.x, step)", ")", 22),
        ("seed_std(1)", "seed_std", 1),
        ("seed_std(seed_std(mean(a.x)))", "seed_std", 1),
        ("seed_std(1 + seed_std(mean(a.x)))", "seed_std", 1),
        ("seed_std(mean(a.y) + seed_std(mean(a.x)))", "seed_std", 1),
        ("1.5e300 * mean(a.x)", "1.5e300", 1),
        ("(" * 100 + "mean(a.x)", "(", 42),
        ("-" * 100 + "mean(a.x)", "-", 42),
        ("1**" * 100 + "mean(a.x)", "1", 124),
        ("1+" * 300 + "mean(a.x)", "1", 501),
        ("mean(a.x) + ²", "²", 13),
    ],
)
def test_everything_else_is_refused_with_its_token_and_place(text: str, token: str, position: int):
    with pytest.raises(FormulaError) as refusal:
        parse(text)
    assert f"unexpected {token!r} at position {position}:" in str(refusal.value)


@pytest.mark.parametrize(
    "text", ["last(a.x)", "first(a.x)", "at(a.x, 1)", "mean(a.x[last 2])", "mean(a.x[step >= 2])", "slope(a.x, step)"]
)
def test_steps_are_asked_for_only_where_there_are_steps(text: str):
    parse(text)
    with pytest.raises(FormulaError, match="no step column"):
        parse(text, steps=False)


def test_rows_without_steps_can_still_be_related_to_each_other():
    unordered = {"a": Rows(array("d"), {"x": array("d", [3]), "y": array("d", [1])})}
    formula = parse_formula("mean(a.x) - mean(a.y)", conditions=["a"], columns=["x", "y"], step_column=False)
    assert evaluate(formula, "mean", [unordered]).value == 2


def test_a_formula_knows_the_conditions_it_reads():
    assert parse("mean(a.x) - seed_std(last(b.x))").conditions() == {"a", "b"}


VOCABULARY = """
    mean min at slope quantile first_reach seed_std sqrt log exp a b x y step last first
    ( ) [ ] . , + - * / ** >= <= 0 2 1e9 0.5 mean(a.x) a.x std(b.y[last~2]) at(a.x,10) ~
"""
WORDS = st.sampled_from(VOCABULARY.split())


@given(
    st.one_of(st.text(max_size=80), st.lists(WORDS, max_size=40).map(lambda words: "".join(words).replace("~", " ")))
)
def test_any_text_is_a_formula_or_a_refusal_and_any_formula_a_value_or_a_fault(text: str):
    try:
        formula = parse(text)
    except FormulaError as refusal:
        assert "position" in str(refusal)
        return
    found = evaluate(formula, "mean", ONE_SEED * 2)
    assert (found.value is None) == bool(found.fault)
    assert found.value is None or math.isfinite(found.value)


NUMBERS = st.floats(allow_nan=False, allow_infinity=False)
FORMULAS = [
    "mean(a.x)", "sum(a.x) / count(a.x)", "std(a.x)", "median(a.x)", "quantile(a.x, 0.3)", "slope(a.x, a.y)",
    "auc(a.x, step)", "spearman(a.x, a.y)", "at(a.x, 7)", "first_reach(a.x, a.y, 0)", "exp(mean(a.x))",
    "max(a.x) ** min(a.x)", "log(abs(last(a.x)))", "seed_std(mean(a.x) / mean(a.y))",
]  # fmt: skip


@pytest.mark.parametrize("over_seeds", ["mean", "median", "iqm", "max"])
@given(st.sampled_from(FORMULAS), st.lists(st.tuples(*[NUMBERS] * 8), min_size=1, max_size=5))
def test_no_numbers_break_an_evaluation(over_seeds: str, text: str, seeds: list[tuple[float, ...]]):
    samples = [{"a": rows(*seed[:4], x=seed[4:])} for seed in seeds]
    found = value(text, samples, over_seeds)
    assert found.value is None or math.isfinite(found.value)
    assert len(found.per_seed) in (0, len(seeds))
