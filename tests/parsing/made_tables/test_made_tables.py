"""How well the tables of made papers are read; `python -m tests.parsing.made_tables` prints the same by trait."""

import pytest

from .__main__ import scored
from .papers import made_paper
from .score import Share, total
from .self_check import faults

SAMPLE = range(3, 240, 8)
BARS = {
    "found": 86,
    "cell_ok": 86,
    "path_ok": 85,
    "precision": 98,
    "unc_ok": 29,
    "marks_ok": 88,
    "box_ok": 98,
    "caption": 93,
}


@pytest.fixture(scope="module")
def shares() -> dict[str, Share]:
    return total(scored(index) for index in SAMPLE)


@pytest.mark.parametrize("measure", sorted(BARS))
def test_tables_of_the_sample_are_read_as_well_as_the_bar_says(shares: dict[str, Share], measure: str):
    assert shares[measure].percent >= BARS[measure]


def test_as_many_tables_are_read_as_there_are(shares: dict[str, Share]):
    assert 96 <= shares["tables"].percent <= 104


def test_a_paper_is_made_the_same_way_each_time():
    first = made_paper(3)
    made_paper.cache_clear()
    assert made_paper(3) == first


@pytest.mark.parametrize("index", range(5, 240, 24))
def test_a_paper_prints_what_its_truth_says_where_it_says(index: int):
    assert faults(made_paper(index)) == []
