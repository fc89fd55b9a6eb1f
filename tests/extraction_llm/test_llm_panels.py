"""Values that only an image has: read for the claims that would be built, kept for people, never rewarded."""

from dataclasses import replace
from decimal import Decimal

import pymupdf
import pytest
from pond_paper import ACCURACY, ALDER, HONEST, cell, point, pond, refined, replies, sentence_id
from recorded_model import RecordedLlm, RecordedModel

from reproducegym.extraction.llm import LlmExtractor
from reproducegym.families.paper_claims import PaperClaims
from reproducegym.parsing.figures.crop import crop_panel
from reproducegym.pipeline.config_file import load_config
from reproducegym.ports import ReadPaper
from reproducegym.schema.chart import Axis, Chart, ChartPoint, Series
from reproducegym.schema.claim import Rejected
from reproducegym.schema.paper import Caption, Figure, Panel, Place
from reproducegym.schema.spec import ClaimSpec

READING = {
    "axis_title": "Height (m)",
    "axis_low": "0",
    "axis_high": "20",
    "scale": "linear",
    "series": "Alder",
    "value": "12.5",
    "error": "0.1",
}
BOX = (0.0, 0.0, 200.0, 100.0)
RIGHT = (100.0, 0.0, 200.0, 100.0)
WANTED = 'series "Alder" at x = last; metric "Height"'
STATEMENT = "Alder grows to 12.5 m"


def picture() -> bytes:
    """A figure of two panels, red and blue, as the parser would have kept it."""
    pixels = pymupdf.Pixmap(pymupdf.csRGB, pymupdf.IRect(0, 0, 408, 208), False)
    pixels.set_rect(pymupdf.IRect(0, 0, 204, 208), (255, 0, 0))
    pixels.set_rect(pymupdf.IRect(204, 0, 408, 208), (0, 0, 255))
    return bytes(pixels.tobytes("png"))


def with_figure() -> ReadPaper:
    """The pond paper with a raster figure of which no chart was made."""
    paper = pond(results="Alder grows higher than Birch (Figure 1).")
    place = Place(page=1, bbox=BOX)
    panels = tuple(
        Panel(label=label, title=title, bbox=box, words=())
        for label, title, box in (("a", "Width", (0.0, 0.0, 100.0, 100.0)), ("b", "Height", RIGHT))
    )
    figure = Figure(
        id="figure-1",
        label="1",
        page=1,
        bbox=BOX,
        caption=Caption(text="Figure 1: How trees grow.", place=place),
        image="figure-1.png",
        source="raster",
        panels=panels,
    )
    document = paper.document.model_copy(update={"figures": (figure,)})
    return ReadPaper(document=document, words=paper.words, figures={"figure-1.png": picture()})


def model(paper: ReadPaper, reading: dict | None = None, **more: dict) -> RecordedModel:
    said = replies(paper)
    results = next(one.id for one in paper.document.sections if one.title == "Results")
    place = {"kind": "figure_series", "figure": "1", "panel": "b", "series": "Alder", "x": "last"}
    found = {
        **said["extract"][results]["claims"][0],
        "statement": STATEMENT,
        "pattern": "absolute",
        "rests_on": [place],
    }
    found["anchors"] = [sentence_id(paper, "grows higher")]
    said["extract"][results]["claims"].append(found)
    curve = point("treatment", "Alder", place)
    height = {"name": "Height", "unit": "m", "kind": "score", "direction": "not_said", "over_seeds": "mean"}
    said["refine"][STATEMENT] = refined("absolute", [curve], statement="Alder grows high", metric=height)
    said["read_panel"] = {WANTED: reading or READING}
    return RecordedModel(said)


def built(paper: ReadPaper, recorded: RecordedModel, selected: int = 12):
    llm = RecordedLlm(recorded)
    extractor = LlmExtractor(llm, evidence_characters=12_000, selected=selected, crop=crop_panel)
    return list(PaperClaims((extractor,), load_config(None)).propose(paper)), llm


def height_of(proposed):
    (found,) = [one for one in proposed if one.candidate.metric.name == "Height"]
    assert isinstance(found.outcome, Rejected)
    return found


def test_a_value_read_off_an_image_is_kept_for_people_with_its_error_and_is_no_task():
    paper = with_figure()
    proposed, _ = built(paper, model(paper))
    found = height_of(proposed)
    (read,) = found.candidate.points
    assert (read.point.value, read.point.provenance[0].read_error) == (Decimal("12.5"), Decimal("0.60"))
    assert (read.point.provenance[0].panel, read.point.provenance[0].bbox) == ("b", RIGHT)
    assert found.outcome.reasons[0].code == "figure_unreadable"
    assert 'a model reads "Alder" as 12.5 ± 0.6' in found.outcome.reasons[0].detail
    tasks = {
        (one.candidate.pattern, str(one.outcome.targets[0].value.normalize()))
        for one in proposed
        if isinstance(one.outcome, ClaimSpec)
    }
    assert tasks == HONEST


def test_the_model_sees_the_panel_alone_cut_out_by_our_own_boxes():
    paper = with_figure()
    _, llm = built(paper, model(paper))
    (asked,) = [one for one in llm.questions if one.step == "read_panel"]
    (image,) = asked.images
    seen = pymupdf.Pixmap(image)
    assert (seen.width, seen.height) == (208, 208)
    assert seen.pixel(seen.width - 1, 100) == (0, 0, 255)
    assert all(one.images == () for one in llm.questions if one.step != "read_panel")


def test_no_panel_is_read_for_a_claim_that_would_not_be_built():
    paper = with_figure()
    _, llm = built(paper, model(paper), selected=2)
    assert [one.step for one in llm.questions].count("read_panel") == 0


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"value": "35"}, "35 is off the axis from 0 to 20"),
        ({"value": None}, "cannot tell the series"),
        ({"series": "Birch"}, "cannot tell the series"),
        ({"axis_low": None}, "cannot read the axis"),
        ({"axis_low": "20", "axis_high": "0"}, "cannot read the axis"),
        ({"scale": "log"}, "cannot read the axis"),
        ({"scale": "unknown"}, "is off the axis"),
    ],
)
def test_a_reading_that_its_own_axis_contradicts_is_none(change: dict, says: str):
    paper = with_figure()
    found = height_of(built(paper, model(paper, {**READING, **change}))[0])
    assert found.candidate.points == ()
    assert any(says in reason.detail for reason in found.outcome.reasons)


def test_a_logarithmic_axis_gives_an_error_in_decades():
    paper = with_figure()
    log = {**READING, "axis_low": "1", "axis_high": "1000", "scale": "log", "value": "100"}
    found = height_of(built(paper, model(paper, log))[0])
    error = found.candidate.points[0].point.provenance[0].read_error
    assert Decimal("22") < error < Decimal("24"), "0.03 of three decades around 100"


def test_a_digitised_curve_goes_before_any_reading():
    paper = with_figure()
    drawn = replace(paper, charts=(chart(),))
    proposed, llm = built(drawn, model(drawn))
    assert [one.step for one in llm.questions].count("read_panel") == 0
    (read,) = height_of(proposed).candidate.points
    assert (read.point.value, read.point.provenance[0].x) == (Decimal("13.25"), Decimal("4.0"))
    assert read.point.provenance[0].read_error == Decimal("0.01")


def test_a_number_that_a_table_prints_goes_before_any_figure():
    paper = with_figure()
    recorded = model(paper)
    reply = recorded.replies["refine"][STATEMENT]
    reply["points"] = [point("treatment", "Alder", cell(ALDER, ACCURACY, "91.2")), *reply["points"]]
    _, llm = built(paper, recorded)
    assert [one.step for one in llm.questions].count("read_panel") == 0


def chart() -> Chart:
    """The right panel as it would be digitised from drawing commands."""
    points = tuple(
        ChartPoint(x=float(x), y=y, name=None, text=None) for x, y in enumerate((2.0, 5.5, 9.0, 11.5, 13.25))
    )
    axes = tuple(
        Axis(side=side, title=title, scale="linear", low=0.0, high=high, ticks=(), names=())
        for side, title, high in (("bottom", "Years", 4.0), ("left", "Height (m)", 20.0))
    )
    alder = Series(
        name="Alder",
        named_by="legend",
        kind="line",
        colour="#0000ff",
        dash=None,
        marker=None,
        y_axis="left",
        points=points,
        band=(),
        x_error=0.01,
        y_error=0.01,
        clipped=False,
    )
    return Chart(
        figure="figure-1",
        panel=1,
        page=1,
        bbox=RIGHT,
        title=None,
        inset=False,
        axes=axes,
        series=(alder,),
        reference_lines=(),
        problems=(),
    )
