"""All made charts, in every look: how many series come back exactly, how many are named, and that few are false."""

from collections.abc import Callable

import pytest
from parsing.made_charts.corpus import converted_chart, made_chart
from parsing.made_charts.report import line_of, read_score
from parsing.made_charts.scorer import TOLERANCE, Score
from parsing.made_charts.truth import MadeChart

pytestmark = pytest.mark.soak

COUNT = 180
FOUND, NAMED, FALSE = 0.97, 0.97, 0.005


@pytest.mark.parametrize("made", [made_chart, converted_chart], ids=["made", "converted"])
def test_all_made_charts_are_read_as_well_as_the_bars_say(
    made: Callable[[int], MadeChart], record_property: Callable[[str, object], None]
) -> None:
    total = Score()
    for index in range(COUNT):
        total += read_score(made(index))
    record_property("series_found", f"{total.series_found}/{total.series}")
    record_property("named_right", total.names_right)
    record_property("false", total.series_false)
    record_property("largest_error_percent", round(100 * max(total.worst), 2))
    report = "\n".join((line_of("all", total), *total.faults))
    assert total.series_found >= FOUND * total.series, report
    assert total.names_right >= NAMED * total.series, report
    assert total.series_false <= FALSE * total.series, report
    assert max(total.worst) <= TOLERANCE
