"""The rules on the sample paper, and on real papers where they are at hand."""

from collections.abc import Callable
from pathlib import Path

import pytest
from read_once import ReadOnce

from reproducegym.extraction.rules import RulesExtractor
from reproducegym.parsing.pdf.parser import PymupdfParser
from reproducegym.pipeline.grounding.places import ground
from reproducegym.ports import ReadPaper
from reproducegym.schema.claim import TargetPoint
from reproducegym.schema.paper import Source

SAMPLE = Path(__file__).parents[2] / "examples" / "papers" / "optimism-small-budgets" / "paper.pdf"


def _read(path):
    parsed = PymupdfParser().parse(Source(kind="pdf", origin=path.name, content=path.read_bytes()), path.stem)
    return ReadPaper(document=parsed.document, words=parsed.words)


@pytest.fixture(scope="module")
def sample():
    paper = _read(SAMPLE)
    return paper, RulesExtractor().extract(paper)


def _claims(candidates):
    return {
        (
            one.pattern,
            one.metric.name,
            *(entry.point.condition for entry in one.points if entry.role in {"treatment", "baseline"}),
        )
        for one in candidates
        if one.pattern != "unquantified"
    }


def test_the_sample_paper_yields_each_pattern_bound_to_the_right_rows(sample):
    _, candidates = sample
    assert {
        ("absolute", "Optimal pulls", "UCB1"),
        ("difference", "Optimal pulls", "UCB1", "ε-greedy"),
        ("relative_change", "Regret", "Thompson sampling", "ε-greedy"),
        ("ratio", "Return", "UCB1", "ε-greedy"),
        ("difference", "Optimal pulls", "w/o bonus", "UCB1 (full)"),
        ("difference", "Optimal pulls", "w/o random ties", "UCB1 (full)"),
    } <= _claims(candidates)


def test_every_point_of_the_sample_paper_is_grounded(sample):
    paper, candidates = sample
    points = [entry.point for one in candidates for entry in one.points]
    assert len(points) > 15
    assert all(isinstance(ground(paper, point), TargetPoint) for point in points)


def test_the_qualitative_claim_of_the_sample_paper_is_refused_as_such(sample):
    _, candidates = sample
    loose = [one for one in candidates if "easier to understand" in one.statement]
    assert [reason.code for one in loose for reason in one.doubts] == ["no_quantity"]


def test_budgets_of_the_sample_paper_belong_to_their_environments(sample):
    _, candidates = sample
    knobs = {entry.point.dataset: one.budget_knob for one in candidates for entry in one.points}
    assert knobs == {"Ten-armed bandit": "steps", "Chain": "episodes"}
    assert not any(one.requires_gpu for one in candidates)


def test_claims_stand_in_order_of_importance(sample):
    _, candidates = sample
    assert [one.importance for one in candidates] == sorted((one.importance for one in candidates), reverse=True)
    assert candidates[0].claim_type == "headline"


@pytest.mark.papers
def test_at_least_five_real_papers_yield_a_grounded_claim_without_doubt(
    papers: Path, read_once: Callable[[Path], ReadOnce]
):
    yielding = set()
    # From the other end than tests/parsing, so that two workers do not wait for one another's papers.
    for path in sorted((papers / "pdf").glob("*.pdf"), reverse=True):
        parsed = read_once(path).parsed
        assert parsed is not None
        paper = ReadPaper(document=parsed.document, words=parsed.words)
        for one in RulesExtractor().extract(paper):
            if one.points and not one.doubts:
                needed = [entry.point for entry in one.points if entry.role in {"treatment", "baseline"}]
                assert all(isinstance(ground(paper, point), TargetPoint) for point in needed), one.statement
                yielding.add(path.stem)
    assert len(yielding) >= 5
