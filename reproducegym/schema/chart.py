"""What a vector chart shows, read from the paper's own drawing commands: axes, series, points, bands."""

from typing import Annotated, Literal

from pydantic import Field

from reproducegym.schema.base import BBox, Frozen, PageNumber

__all__ = ["Axis", "BandPoint", "Chart", "ChartPoint", "Charts", "ReferenceLine", "Series", "Tick"]

Colour = Annotated[str, Field(pattern="^#[0-9a-f]{6}$")]


class Tick(Frozen):
    """One tick: its label as printed, the number that it means, and where it stands along its axis, in points."""

    label: str
    value: float
    at: float


class Axis(Frozen):
    """One axis of a plot area. `low` and `high` are the values at its ends, in data units; `low` may be the larger.

    `scale` says what is linear in points: the value, or its logarithm of base 10. `names` are the labels of a
    category axis (`scale` is `category`; the k-th category lies at value k).
    """

    side: Literal["left", "right", "bottom", "top"]
    title: str | None
    scale: Literal["linear", "log", "category"]
    low: float
    high: float
    ticks: tuple[Tick, ...]
    names: tuple[str, ...]


class ChartPoint(Frozen):
    """One point in data units; `name` is the category of a bar, `text` a value printed at it."""

    x: float
    y: float
    name: str | None
    text: str | None


class BandPoint(Frozen):
    """The extent of a shaded band or error bar at one x, in data units."""

    x: float
    low: float
    high: float


class Series(Frozen):
    """One curve, set of markers or set of bars, in order of x as drawn.

    `named_by` says where the name comes from. `x_error` and `y_error` bound the read-off error in data units; on a
    logarithmic axis in decades. `clipped` says that it runs out of the plot area. `y_axis` names its axis.
    """

    name: str | None
    named_by: Literal["legend", "label", "title", "none"]
    kind: Literal["line", "points", "bars", "steps"]
    colour: Colour
    dash: str | None
    marker: str | None
    y_axis: Literal["left", "right"]
    points: tuple[ChartPoint, ...]
    band: tuple[BandPoint, ...]
    x_error: float
    y_error: float
    clipped: bool


class ReferenceLine(Frozen):
    """A straight line across the whole plot area at one value of an axis."""

    name: str | None
    axis: Literal["x", "y"]
    value: float
    colour: Colour


class Chart(Frozen):
    """One plot area. `figure` is the figure's id, `panel` the index of the panel in it that holds the plot area.

    `inset` says that it lies within another plot area of the same panel. `problems` says what could not be read.
    """

    figure: str
    panel: Annotated[int, Field(ge=0)]
    page: PageNumber
    bbox: BBox
    title: str | None
    inset: bool
    axes: tuple[Axis, ...]
    series: tuple[Series, ...]
    reference_lines: tuple[ReferenceLine, ...]
    problems: tuple[str, ...]


class Charts(Frozen):
    """`charts.json`: every chart of a paper that could be read, in order of figures and panels."""

    schema_version: Literal[1]
    paper_id: str
    charts: tuple[Chart, ...]
