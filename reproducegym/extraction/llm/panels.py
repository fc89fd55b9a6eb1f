"""Asks a model for a value off the image of a panel whose drawing could not be read, and says how far it may be off.

Such a reading re-locates nowhere: it is kept beside the claim for people, with its error, and is never rewarded.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from reproducegym.extraction.llm.binding import Pointed
from reproducegym.extraction.llm.paper_text import sentence_line
from reproducegym.extraction.llm.places import Located, reason, same_name
from reproducegym.extraction.llm.prompts import fenced, question
from reproducegym.extraction.llm.replies import PanelReading, Refined, SeriesPlace
from reproducegym.extraction.llm.series import ReadOff, charts_of, figure_named, panel_named
from reproducegym.extraction.llm.view import View
from reproducegym.pipeline.printed.numbers import read_number
from reproducegym.pipeline.printed.paper_markdown import image_name
from reproducegym.ports import Question, Unanswered
from reproducegym.schema.base import BBox
from reproducegym.schema.claim import Provenance, Reason
from reproducegym.schema.paper import Figure

__all__ = ["Crop", "Wanted", "panel_question", "read_off", "wanted_panels"]

Crop = Callable[[bytes, BBox, BBox], bytes]
"""PNG of a figure, the figure's box, the panel's box → PNG of the panel."""

_SHARE = Decimal("0.03")
"""A reading may be off by this share of the printed axis at least, on a logarithmic one of its decades: about a third
of the gap between ticks, as people differ who read the same curve."""
_SLACK = Decimal("0.02")
"""Curves may leave the outermost printed numbers by this share of the axis."""


@dataclass(frozen=True)
class Wanted:
    """One value that a claim needs and that only an image has: the point of the reply, its figure and panel."""

    index: int
    place: SeriesPlace
    figure: Figure
    panel: int


def wanted_panels(view: View, pointed: Sequence[Pointed]) -> Iterator[Wanted]:
    """The series of a claim that no chart has; a role that a table, a sentence or a chart gives needs no reading."""
    given = {one.said.role for one in pointed if isinstance(one.at, Located)}
    for index, one in enumerate(pointed):
        if not isinstance(one.at, SeriesPlace) or one.said.role in given:
            continue
        figure = figure_named(view, one.at.figure)
        panel = None if figure is None else panel_named(figure, one.at.panel)
        if figure is None or panel is None or charts_of(view, figure, panel) or image_name(figure) is None:
            continue
        yield Wanted(index, one.at, figure, panel)


def panel_question(view: View, wanted: Wanted, reply: Refined, crop: Crop) -> Question:
    """Step 4 for one value: the panel alone, cut out by our own boxes, with the figure's caption."""
    figure, panel = wanted.figure, wanted.figure.panels[wanted.panel]
    image = view.paper.figures[image_name(figure) or ""]
    caption = figure.caption.text if figure.caption is not None else "(no caption)"
    name = panel.label or str(wanted.panel + 1)
    lines = [
        sentence_line(f"figure {figure.label or figure.id}, panel {name}", f"{panel.title or ''} {caption}"),
        f'[wanted] series "{wanted.place.series}" at x = {wanted.place.x}; metric "{reply.metric.name}"',
    ]
    return question("read_panel", {"data": fenced(lines)}, (crop(image, figure.bbox, panel.bbox),))


def read_off(wanted: Wanted, reading: PanelReading | Unanswered) -> ReadOff | Reason:
    """A reading held against the axis that it was read on."""
    where = f"figure {wanted.place.figure}, panel {wanted.place.panel or '1'}"
    if isinstance(reading, Unanswered):
        return Reason(code="unanswered", argument=reading.reason, detail=f"{where}: {reading.detail}")
    low, high, value = (_number(text) for text in (reading.axis_low, reading.axis_high, reading.value))
    if value is None or reading.series is None or not same_name(reading.series, wanted.place.series):
        return reason("figure_unreadable", f'{where}: the model cannot tell the series "{wanted.place.series}"')
    if low is None or high is None or low >= high or (reading.scale == "log" and low <= 0):
        return reason("figure_unreadable", f"{where}: the model cannot read the axis")
    if reading.scale == "unknown" or not _on_axis(value, low, high):
        return reason("figure_unreadable", f"{where}: {value} is off the axis from {low} to {high}")
    error = max(_least_error(value, low, high, log=reading.scale == "log"), _number(reading.error) or Decimal(0))
    figure, panel = wanted.figure, wanted.figure.panels[wanted.panel]
    place = Provenance(
        kind="figure_series",
        page=figure.page,
        bbox=panel.bbox,
        quote=reading.series,
        figure=figure.label or figure.id,
        panel=panel.label or str(wanted.panel + 1),
        series=reading.series,
        x=_number(wanted.place.x),
        read_error=error,
    )
    return ReadOff(value, error, place)


def _number(text: str | None) -> Decimal | None:
    number = None if text is None else read_number(text)
    return None if number is None else number.value


def _on_axis(value: Decimal, low: Decimal, high: Decimal) -> bool:
    slack = (high - low) * _SLACK
    return low - slack <= value <= high + slack


def _least_error(value: Decimal, low: Decimal, high: Decimal, *, log: bool) -> Decimal:
    if not log:
        return (high - low) * _SHARE
    return abs(value) * ((high / low) ** _SHARE - 1)
