"""Ballots of one seed are the same ballots."""

from ballots.table import ballots


def test_the_same_seed_gives_the_same_ballots():
    assert (ballots(10, 1)[0] == ballots(10, 1)[0]).all()
