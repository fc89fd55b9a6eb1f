"""A paper with one figure of four panels, its curves known point by point, and points read off them."""

from decimal import Decimal

from compiler_paper import paper

from reproducegym.ports import ReadPaper
from reproducegym.schema.chart import Axis, Chart, ChartPoint, Series
from reproducegym.schema.claim import Provenance, TargetPoint
from reproducegym.schema.paper import Caption, Figure, Panel, Place

XS = (0.0, 100.0, 200.0, 400.0)
CURVES = {
    "a": {"ours": (10.0, 40.0, 60.0, 80.0), "theirs": (10.0, 20.0, 30.0, 50.0)},
    "b": {"ours": (900.0, 700.0, 500.0, 400.0), "theirs": (900.0, 900.0, 900.0, 900.0)},
    "c": {"ours": (1.0, 10.0, 100.0, 1000.0)},
}
TITLES = {"a": "Accuracy (%)", "b": "Response length (tokens)", "c": "Loss"}
BOXES = {name: (100.0 * at, 600.0, 100.0 * at + 90.0, 690.0) for at, name in enumerate("abcd")}
READ_ERROR = 0.5


def charted(
    rows: dict[str, dict[str, str]] | None = None, sentence: str = "Ours is ahead.", kind: str = "line"
) -> ReadPaper:
    """Figure 1 on page 1: accuracy, tokens, loss (on logarithmic axes), and a panel that could not be read."""
    source = paper(rows or {"ours": {"Accuracy (%)": "80.0"}}, sentence)
    panels = tuple(Panel(label=name, title=TITLES.get(name), bbox=box, words=()) for name, box in BOXES.items())
    figure = Figure(
        id="figure-1",
        label="1",
        page=1,
        bbox=(0.0, 590.0, 400.0, 699.0),
        caption=Caption(text="Figure 1: Training.", place=Place(page=1, bbox=(0.0, 690.0, 400.0, 699.0))),
        image=None,
        source="vector",
        panels=panels,
    )
    charts = tuple(_chart(at, name, curves, kind) for at, (name, curves) in enumerate(CURVES.items()))
    document = source.document.model_copy(update={"figures": (figure,)})
    return ReadPaper(document=document, words=source.words, charts=charts)


def _chart(at: int, name: str, curves: dict[str, tuple[float, ...]], kind: str) -> Chart:
    log = name == "c"
    xs = tuple(10.0**power for power in range(4)) if log else XS
    scale = "log" if log else "linear"
    top = max(max(values) for values in curves.values())
    axes = (
        Axis(side="bottom", title="Steps", scale=scale, low=xs[0] or 0.0, high=xs[-1], ticks=(), names=()),
        Axis(side="left", title=TITLES[name], scale=scale, low=0.1 if log else 0.0, high=top, ticks=(), names=()),
    )
    series = tuple(
        Series(
            name=label,
            named_by="legend",
            kind=kind,
            colour="#ff0000",
            dash=None,
            marker=None,
            y_axis="left",
            points=tuple(ChartPoint(x=x, y=y, name=None, text=None) for x, y in zip(xs, values, strict=True)),
            band=(),
            x_error=0.0,
            y_error=0.01 if log else READ_ERROR,
            clipped=False,
        )
        for label, values in curves.items()
    )
    return Chart(
        figure="figure-1",
        panel=at,
        page=1,
        bbox=BOXES[name],
        title=None,
        inset=False,
        axes=axes,
        series=series,
        reference_lines=(),
        problems=(),
    )


def read_point(
    panel: str,
    series: str,
    x: str,
    value: str,
    /,
    *,
    unit: str = "%",
    metric: str = "accuracy",
    error: str | None = "0.5",
    resolution: str = "0.1",
    **changes: object,
) -> TargetPoint:
    """A value said to be read off a panel's curve at x; `changes` replace fields of its place."""
    place = Provenance(
        kind="figure_series",
        page=1,
        bbox=BOXES[panel],
        quote=series,
        figure="1",
        panel=panel,
        series=series,
        x=Decimal(x),
        read_error=None if error is None else Decimal(error),
    )
    return TargetPoint(
        value=Decimal(value),
        unit=unit,
        resolution=Decimal(resolution),
        spread=None,
        metric=metric,
        condition=series,
        dataset="ten-armed",
        provenance=(place.model_copy(update=changes),),
    )
