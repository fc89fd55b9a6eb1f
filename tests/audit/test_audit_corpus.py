"""A few of the damaged repositories of the synthetic corpus: what was planted is found, and nothing else is."""

from reproducegym.planting.corpus import corpus
from tests.audit.corpus_scores import score


def test_what_was_planted_is_found_and_nothing_else():
    scores = score(corpus(30, seed=3))
    assert sum(scores.planted.values()) > 20
    assert sum(scores.found.values()) >= 0.95 * sum(scores.planted.values()), scores.missed
    assert scores.wrong == []
