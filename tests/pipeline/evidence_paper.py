"""A paper with a figure of two panels, a wide table and references, for stories of evidence."""

from decimal import Decimal

from made_paper import ANCHOR, CLAIM, PLACE, candidate, document, paragraph, table

from reproducegym.ports import ReadPaper
from reproducegym.schema.chart import Axis, Chart, ChartPoint, Series
from reproducegym.schema.claim import Anchor, Candidate, Provenance, RolePoint, TargetPoint
from reproducegym.schema.paper import Caption, Figure, Panel, Reference, Section

NAMES = {"a": ("Regret", "UCB1"), "b": ("Entropy", "greedy")}
"""Panel label → title of its y axis, name of its series."""


def paper(*, points: int = 5, arms: int = 8, filler: int = 0) -> ReadPaper:
    """`points` in each series, `arms` rows of table 1, `filler` further sentences of the set-up."""
    rows = {f"Policy {number}": [f"{100 + number}.5", f"1.{number}", "7"] for number in range(arms)}
    sections = (
        Section(id="s1", number="1", title="Introduction", level=1, parent=None, place=PLACE),
        Section(id="s2", number="2", title="Experimental setup", level=1, parent=None, place=PLACE),
        Section(id="s3", number="3", title="Results", level=1, parent=None, place=PLACE),
        Section(id="s4", number="3.1", title="Fewer arms", level=2, parent="s3", place=PLACE),
    )
    texts = (
        paragraph("p0", "Optimism lowers regret.", "abstract", None),
        paragraph("p1", "Bandits trade exploration for exploitation.", section="s1"),
        paragraph("p2", "All policies are trained for 1000 steps with 20 seeds on the ten-armed bandit.", section="s2"),
        *(
            paragraph(f"q{number}", f"Training run {number} evaluates every policy over {number} steps.", section="s2")
            for number in range(filler)
        ),
        paragraph("p3", CLAIM, section="s3"),
        paragraph("p4", "Table 1 lists every policy.", section="s3"),
        paragraph("p5", "The entropy of greedy falls, see Figure 1 (b).", section="s4"),
        paragraph("p6", "Regret grows slowly in Figure 1 (a).", section="s4"),
    )
    references = (
        Reference(source="p4.1", start=0, end=7, kind="table", label="1", panel=None, target="t1"),
        Reference(source="p5.1", start=33, end=45, kind="figure", label="1", panel="b", target="f1"),
        Reference(source="p6.1", start=23, end=35, kind="figure", label="1", panel="a", target="f1"),
    )
    whole = document(
        sections=sections,
        paragraphs=texts,
        references=references,
        tables=(table("t1", "1", ["Regret", "Time", "Arms"], rows, "Table 1: Every policy.", 200.0),),
        figures=(two_panels(),),
    )
    charts = tuple(chart(number, label, points) for number, label in enumerate(NAMES))
    return ReadPaper(whole, (), {}, charts)


def two_panels() -> Figure:
    panels = tuple(
        Panel(label=label, title=None, bbox=(50.0 + 100 * number, 500.0, 140.0 + 100 * number, 640.0), words=())
        for number, label in enumerate(NAMES)
    )
    return Figure(
        id="f1",
        label="1",
        page=1,
        bbox=(50.0, 500.0, 290.0, 640.0),
        caption=Caption(text="Figure 1: (a) regret, (b) entropy.", place=PLACE),
        image=None,
        source="vector",
        panels=panels,
    )


def chart(panel: int, label: str, points: int) -> Chart:
    title, series = NAMES[label]
    return Chart(
        figure="f1",
        panel=panel,
        page=1,
        bbox=(60.0, 510.0, 130.0, 630.0),
        title=None,
        inset=False,
        axes=(
            Axis(side="left", title=title, scale="linear", low=0.0, high=9.0, ticks=(), names=()),
            Axis(side="bottom", title="steps", scale="linear", low=0.0, high=9.0, ticks=(), names=()),
        ),
        series=(
            Series(
                name=series,
                named_by="legend",
                kind="line",
                colour="#000000",
                dash=None,
                marker=None,
                y_axis="left",
                points=tuple(ChartPoint(x=float(x), y=float(x * x), name=None, text=None) for x in range(points)),
                band=(),
                x_error=0.1,
                y_error=0.1,
                clipped=False,
            ),
        ),
        reference_lines=(),
        problems=(),
    )


def about_cells(*policies: str) -> Candidate:
    """A claim that compares the regret of policies of table 1."""
    places = [
        Provenance(
            kind="table_cell",
            page=1,
            bbox=(150.0, 212.0, 190.0, 222.0),
            quote="100.5",
            table="1",
            row_path=(policy,),
            column_path=("Regret",),
        )
        for policy in policies
    ]
    return _claim(places, ANCHOR)


def about_panel(panel: str | None) -> Candidate:
    """A claim on one number that was read in figure 1."""
    place = Provenance(
        kind="figure_series",
        page=1,
        bbox=(60.0, 510.0, 130.0, 630.0),
        quote="UCB1",
        figure="1",
        panel=panel,
        series="UCB1",
        x=Decimal(3),
    )
    return _claim([place], ANCHOR)


def saying(quote: str) -> Candidate:
    """A claim without numbers, stated by a sentence."""
    anchor = Anchor(kind="sentence", page=1, bbox=PLACE.bbox, quote=quote)
    return candidate(quote).model_copy(update={"points": (), "anchors": (anchor,), "pattern": "unquantified"})


def _claim(places: list[Provenance], anchor: Anchor) -> Candidate:
    points = tuple(
        RolePoint(
            role="baseline" if number else "treatment",
            point=TargetPoint(
                value=Decimal("100.5"),
                unit="",
                resolution=Decimal("0.1"),
                spread=None,
                metric="Regret",
                condition=f"condition {number}",
                dataset=None,
                provenance=(place,),
            ),
        )
        for number, place in enumerate(places)
    )
    return candidate().model_copy(update={"points": points, "anchors": (anchor,)})
