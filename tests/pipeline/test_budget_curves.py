"""Stories of the probe that asks for a smaller budget, where a hidden learning curve knows the answer."""

from collections.abc import Callable

import pytest
from sample_paper import PAPER_ID, SAMPLE

from reproducegym.extraction.rules import RulesExtractor
from reproducegym.parsing.pdf.parser import PymupdfParser
from reproducegym.pipeline.compiling.spec import compile_claim
from reproducegym.pipeline.config_file import load_config
from reproducegym.pipeline.exposure.hidden import secrets_of
from reproducegym.pipeline.probing.resistance import memory_resistant
from reproducegym.pipeline.proving.proof import prove
from reproducegym.ports import ReadPaper
from reproducegym.schema.chart import BandPoint, Chart, Series
from reproducegym.schema.claim import Candidate
from reproducegym.schema.contract import ProbePlan
from reproducegym.schema.paper import Source
from reproducegym.schema.spec import ClaimSpec

CONFIG = load_config(None)


@pytest.fixture(scope="module")
def paper() -> ReadPaper:
    content = (SAMPLE / "paper.pdf").read_bytes()
    parsed = PymupdfParser().parse(Source(kind="pdf", origin="paper.pdf", content=content), PAPER_ID)
    return ReadPaper(parsed.document, parsed.words, parsed.figures, parsed.charts)


@pytest.fixture(scope="module")
def claim(paper: ReadPaper) -> Candidate:
    """UCB1 against ε-greedy on the bandit."""
    return next(one for one in RulesExtractor().extract(paper) if "23.4 percentage points" in one.statement)


def compiled(paper: ReadPaper, claim: Candidate) -> ClaimSpec:
    outcome = compile_claim(paper, claim, CONFIG)
    assert isinstance(outcome, ClaimSpec), outcome
    return outcome


def curve(spec: ClaimSpec) -> ProbePlan:
    (found,) = [one for one in spec.probe_plans if one.name == "curve"]
    return found


def redrawn(paper: ReadPaper, series: Callable[[Series], Series]) -> ReadPaper:
    """The paper with every series of its charts changed."""
    charts = tuple(
        chart.model_copy(update={"series": tuple(series(one) for one in chart.series)}) for chart in paper.charts
    )
    return ReadPaper(paper.document, paper.words, paper.figures, charts)


def retitled(chart: Chart) -> Chart:
    axes = tuple(
        axis.model_copy(update={"title": "Temperature"}) if axis.side == "bottom" else axis for axis in chart.axes
    )
    return chart.model_copy(update={"axes": axes})


def drawn_curve(paper: ReadPaper, metric: str) -> Series:
    """The curve of Figure 1 (a) that a probe's metric is about."""
    name = {"ucb1_optimal_pulls": "UCB1", "egreedy_optimal_pulls": "ε-greedy"}[metric]
    return next(one for one in paper.charts[0].series if one.name == name)


def test_a_smaller_budget_must_give_what_the_hidden_curve_shows(paper: ReadPaper, claim: Candidate):
    spec = compiled(paper, claim)
    plan = curve(spec)
    assert len(plan.choices) > 1
    for choice in plan.choices:
        (steps,), (expect,) = choice.knobs.values(), choice.expect
        points = drawn_curve(paper, expect.metric).points
        shown = next(one.y for one in points if one.x == pytest.approx(steps, abs=0.5))
        assert expect.value == pytest.approx(shown)
        assert 1 < steps < 500
    assert [one.label for one in plan.conditions] == [one.label for one in spec.conditions]
    assert memory_resistant(("curve",))
    assert all(check.passed for check in prove(spec))


def test_neither_the_claims_value_nor_chance_nor_a_line_between_them_passes(paper: ReadPaper, claim: Candidate):
    for choice in curve(compiled(paper, claim)).choices:
        (steps,), (expect,) = choice.knobs.values(), choice.expect
        for guess in (84.6, 10.0, 10.0 + 74.6 * steps / 500):
            assert abs(guess - expect.value) > 2 * expect.abs


def test_no_number_of_the_table_passes_at_any_drawn_budget(paper: ReadPaper, claim: Candidate):
    for choice in curve(compiled(paper, claim)).choices:
        for printed in (10.0, 11.0, 61.2, 84.6, 86.5):
            assert abs(printed - choice.expect[0].value) * 3 / 4 >= choice.expect[0].abs


def test_a_curve_that_another_number_of_the_table_answers_has_no_power(paper: ReadPaper, claim: Candidate):
    def level(one: Series) -> Series:
        """From the first point at once to what ε-greedy ends at, and to its own end in the last step."""
        inner = tuple(point.model_copy(update={"y": 61.0}) for point in one.points[1:-1])
        return one.model_copy(update={"points": (one.points[0], *inner, one.points[-1])})

    assert compiled(redrawn(paper, level), claim).probes.missing["curve"] == "no_power"


def test_two_curves_rule_out_together_what_one_lets_pass(paper: ReadPaper, claim: Candidate):
    def level_or_straight(one: Series) -> Series:
        """UCB1 stays near where ε-greedy ends, which climbs there in a straight line that says nothing by itself."""
        first, last = one.points[0], one.points[-1]
        rise = (last.y - first.y) / (last.x - first.x)
        heights = [50.0 if one.name == "UCB1" else first.y + rise * (point.x - first.x) for point in one.points]
        inner = [point.model_copy(update={"y": y}) for point, y in zip(one.points, heights, strict=True)][1:-1]
        return one.model_copy(update={"points": (first, *inner, last)})

    plan = curve(compiled(redrawn(paper, level_or_straight), claim))
    for choice in plan.choices:
        level, straight = choice.expect
        assert abs(61.2 - level.value) < level.abs
        assert abs(61.2 - straight.value) * 3 / 4 >= straight.abs


def test_the_figure_with_the_curve_is_hidden(paper: ReadPaper, claim: Candidate):
    spec = compiled(paper, claim)
    hidden = [one for one in secrets_of(spec).hidden if one.what.endswith("probe curve")]
    assert len(hidden) == len(curve(spec).choices)
    assert {place.figure for one in hidden for place in one.places} == {"figure-1"}


def banded(half: float, at_the_end: float) -> Callable[[Series], Series]:
    """Every curve with a band so wide, and so wide at its last point."""

    def change(one: Series) -> Series:
        widths = [(point, at_the_end if point is one.points[-1] else half) for point in one.points]
        band = tuple(BandPoint(x=point.x, low=point.y - width, high=point.y + width) for point, width in widths)
        return one.model_copy(update={"band": band})

    return change


def widest(spec: ClaimSpec) -> float:
    return max(expect.abs for choice in curve(spec).choices for expect in choice.expect)


def test_a_band_that_ends_in_the_printed_spread_says_how_noisy_smaller_budgets_are(paper: ReadPaper, claim: Candidate):
    quiet = compiled(redrawn(paper, banded(0.3, 0.3)), claim)
    noisy = compiled(redrawn(paper, banded(30.0, 0.3)), claim)
    of_something_else = compiled(redrawn(paper, banded(30.0, 9.0)), claim)
    assert curve(quiet).seeds == CONFIG.verification.min_seeds
    assert noisy.probes.missing["curve"] == "no_power"
    assert curve(of_something_else) == curve(compiled(paper, claim))
    assert len(curve(quiet).choices) > 1


def test_without_a_band_a_smaller_budget_may_scatter_like_the_printed_value_beside_it(
    paper: ReadPaper, claim: Candidate
):
    assert widest(compiled(paper, claim)) > 10
    assert curve(compiled(paper, claim)).seeds > CONFIG.verification.min_seeds


def test_a_curve_that_ends_elsewhere_is_of_something_else(paper: ReadPaper, claim: Candidate):
    def lower(one: Series) -> Series:
        points = tuple(point.model_copy(update={"y": point.y * 0.9}) for point in one.points)
        return one.model_copy(update={"points": points})

    assert compiled(redrawn(paper, lower), claim).probes.missing["curve"] == "no_series"


def test_a_curve_over_another_axis_is_not_taken(paper: ReadPaper, claim: Candidate):
    other = ReadPaper(paper.document, paper.words, paper.figures, tuple(map(retitled, paper.charts)))
    assert compiled(other, claim).probes.missing["curve"] == "no_series"


def test_a_curve_that_tells_nothing_but_a_straight_line_has_no_power(paper: ReadPaper, claim: Candidate):
    def straight(one: Series) -> Series:
        first, last = one.points[0], one.points[-1]
        rise = (last.y - first.y) / (last.x - first.x)
        points = tuple(point.model_copy(update={"y": first.y + rise * (point.x - first.x)}) for point in one.points)
        return one.model_copy(update={"points": points})

    assert compiled(redrawn(paper, straight), claim).probes.missing["curve"] == "no_power"


def test_a_claim_without_a_budget_has_no_curve_over_it(paper: ReadPaper, claim: Candidate):
    assert compiled(paper, claim.model_copy(update={"budget_knob": None})).probes.missing["curve"] == "no_series"
