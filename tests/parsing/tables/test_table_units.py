"""Units and multipliers, as headers, row labels and captions say them."""

from collections.abc import Callable

import pytest

from reproducegym.parsing.tables.units import Measure, measure_in
from reproducegym.schema.paper import Table


@pytest.mark.parametrize(
    ("header", "unit", "multiplier"),
    [
        ("Acc. (%)", "%", None),
        ("Time [ms]", "ms", None),
        ("Accuracy, %", "%", None),
        ("Cost in $", "$", None),
        ("Top-1 (%) ↑", "%", None),
        ("Speed (img/s)", "img/s", None),
        ("Params (M)", None, "1000000"),
        ("Samples (in thousands)", None, "1000"),
        ("Steps (×10³)", None, "1000"),
        ("Error (x 10^-2)", None, "0.01"),
        ("Energy (×10³ J)", "J", "1000"),
    ],
)
def test_a_header_says_a_unit_and_a_multiplier(header: str, unit: str | None, multiplier: str | None) -> None:
    assert measure_in(header) == Measure(unit, multiplier)


@pytest.mark.parametrize(
    "header", ["F1 (macro)", "Mean (3 seeds)", "Method", "CIFAR-10", "R@1", "Acc. (val)", "In-domain"]
)
def test_other_words_are_no_unit(header: str) -> None:
    assert measure_in(header) is None


def test_the_nearest_says_it_and_the_caption_says_the_rest(read_table: Callable[[str], Table]) -> None:
    table = read_table("""#figure(caption: [Accuracy (in %) on held-out data.], table(columns: 3,
      table.hline(), [Method], [Test], [Params (M)], table.hline(),
      [UCB], [91.5], [110], [PG], [–], [340], table.hline()))""")
    found = {cell.text: (cell.unit, cell.multiplier) for cell in table.cells if cell.kind == "body"}
    assert found == {"91.5": ("%", None), "110": (None, "1000000"), "–": (None, None), "340": (None, "1000000")}
