"""How well the tables of made papers are read; `python -m tests.parsing.made_tables` prints the same by trait."""

import pytest

from .__main__ import scored
from .papers import made_paper
from .score import Share, total
from .self_check import faults

SAMPLE = (47, 48, 49, *range(3, 240, 11))
MEASURES = ("found", "cell_ok", "path_ok", "precision", "unc_ok", "unit_ok", "marks_ok", "box_ok", "caption")
BAR = 99


@pytest.fixture(scope="module")
def shares() -> dict[str, Share]:
    return total(scored(index) for index in SAMPLE)


@pytest.mark.parametrize("measure", MEASURES)
def test_tables_of_the_sample_are_read_as_well_as_the_bar_says(shares: dict[str, Share], measure: str):
    assert shares[measure].percent >= BAR


def test_as_many_tables_are_read_as_there_are(shares: dict[str, Share]):
    assert 98 <= shares["tables"].percent <= 102


def test_a_paper_is_made_the_same_way_each_time():
    first = made_paper(3)
    made_paper.cache_clear()
    assert made_paper(3) == first


@pytest.mark.parametrize("index", range(5, 240, 40))
def test_a_paper_prints_what_its_truth_says_where_it_says(index: int):
    assert faults(made_paper(index)) == []
