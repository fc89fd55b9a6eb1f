"""All made tables: how well they are read, trait by trait, and that each paper prints what its truth says."""

import pytest
from parsing.made_tables.__main__ import scored
from parsing.made_tables.papers import made_paper
from parsing.made_tables.score import total
from parsing.made_tables.self_check import faults

pytestmark = pytest.mark.soak

COUNT = 240
BARS = {
    "found": 98,
    "cell_ok": 96,
    "path_ok": 96,
    "precision": 98,
    "unc_ok": 99,
    "unit_ok": 91,
    "marks_ok": 94,
    "box_ok": 99,
    "caption": 97,
}


def test_all_made_tables_are_read_as_well_as_the_bars_say(record_property):
    shares = total(scored(index) for index in range(COUNT))
    for measure, share in shares.items():
        record_property(measure, round(share.percent, 1))
    assert {m: shares[m].percent for m, bar in BARS.items() if shares[m].percent < bar} == {}
    assert 99 <= shares["tables"].percent <= 101


def test_every_made_paper_prints_what_its_truth_says_where_it_says():
    assert {index: found for index in range(COUNT) if (found := faults(made_paper(index)))} == {}
