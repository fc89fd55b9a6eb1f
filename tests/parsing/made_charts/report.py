"""Prints how a reader does on made charts; in tests/parsing: `python -m made_charts.report FIRST LAST [converted]`."""

import sys
import time

from reproducegym.parsing import PymupdfParser
from reproducegym.schema.paper import Source

from .corpus import converted_chart, made_chart
from .scorer import Score, score
from .truth import MadeChart


def read_score(made: MadeChart) -> Score:
    """The score of the parser on the paper that holds the made chart."""
    parsed = PymupdfParser().parse(Source(kind="pdf", origin=f"chart {made.index}", content=made.pdf), "chart")
    return score(made, parsed.charts)


def line_of(name: str, total: Score) -> str:
    """One line of figures."""
    worst = sorted(total.worst) or [0.0]
    return (
        f"{name:24} series {total.series_found}/{total.series} named {total.names_right} false {total.series_false} "
        f"details {total.details_right}/{total.details} error median {worst[len(worst) // 2]:.4%} max {worst[-1]:.4%}"
    )


def main(first: int, last: int, *, converted: bool) -> None:
    """Faults of each chart, then one line for each trait and for all."""
    traits: dict[str, Score] = {}
    start = time.process_time()
    for index in range(first, last):
        made = converted_chart(index) if converted else made_chart(index)
        one = read_score(made)
        for trait in (*made.traits, "ALL"):
            traits[trait] = traits.get(trait, Score()) + one
        for fault in one.faults:
            print(f"{index:4} {made.traits[0]:20} {made.traits[1]:16} {made.traits[2]:9} {fault}")
    for trait, total in sorted(traits.items()):
        print(line_of(trait, total))
    print(f"{time.process_time() - start:.1f} s")


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), converted="converted" in sys.argv[3:])
