"""`python -m benchmarks.scaling SIMULATION_JSON…`: rows for docs/scaling.md of what `simulate` measured, and curves.

The curves go to docs/scaling.svg: minutes and memory of the driver against papers and against attempts. Of a
simulation that was stopped and went on, each driver is a curve of its own.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.figure import Figure

from reproducegym.schema.simulation import Lap, Simulation

__all__ = ["drivers", "main", "rows"]

_PLOT = Path(__file__).parent.parent / "docs" / "scaling.svg"
_STYLE: dict[Any, Any] = {
    "font.size": 8,
    "svg.hashsalt": "scaling",
    "axes.spines.top": False,
    "axes.spines.right": False,
}


def main(words: Sequence[str] | None = None) -> int:
    """Print the rows and draw the curves."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.scaling", description=__doc__)
    parser.add_argument("files", nargs="+", type=argparse.FileType("rb"), metavar="SIMULATION_JSON")
    found = [Simulation.from_json(file.read()) for file in parser.parse_args(words).files]
    sys.stdout.writelines(f"{row}\n" for one in found for row in rows(one))
    _plot(found)
    return 0


def rows(one: Simulation) -> Iterator[str]:
    """Lines of a table: what, how many, seconds, how many a second, MiB of the driver."""
    for what, laps in (("papers", one.builds), ("attempts", one.runs)):
        for lap in laps:
            rate = f"{lap.made / lap.seconds:.1f}" if lap.seconds else "–"
            yield f"| {what} | {lap.done:,} | {lap.seconds:.1f} | {rate} | {lap.driver_mib:.1f} |"


def drivers(laps: Sequence[Lap]) -> list[list[Lap]]:
    """Laps of each driver apart: what one has made grows, and begins anew with the next one."""
    found: list[list[Lap]] = []
    for lap in laps:
        if not found or lap.made <= found[-1][-1].made:
            found.append([])
        found[-1].append(lap)
    return found


def _plot(found: Sequence[Simulation]) -> None:
    with mpl.rc_context(_STYLE):
        figure = Figure(figsize=(8.4, 4.6), layout="constrained")
        above, below = figure.subplots(2, 2)
        for column, what in enumerate(("papers", "attempts")):
            for number, one in enumerate(found):
                order = one.order
                told = f"{order.papers:,} papers, {order.executor} × {order.parallel}"
                for turn, laps in enumerate(drivers(one.builds if what == "papers" else one.runs)):
                    label = told if turn == 0 else None
                    done = [lap.done for lap in laps]
                    above[column].plot(
                        done, [lap.seconds / 60 for lap in laps], "o-", ms=3, color=f"C{number}", label=label
                    )
                    below[column].plot(done, [lap.driver_mib for lap in laps], "o-", ms=3, color=f"C{number}")
            above[column].set(ylabel="minutes")
            below[column].set(ylabel="driver, MiB", xlabel=f"{what} done")
            for axes in (above[column], below[column]):
                axes.set_xlim(left=0)
                axes.set_ylim(0, 1.1 * axes.get_ylim()[1])
        above[0].legend(frameon=False, fontsize=7)
        figure.savefig(_PLOT, metadata={"Date": None})


if __name__ == "__main__":
    raise SystemExit(main())
