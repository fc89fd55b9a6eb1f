"""Figures of the agent's copy: hidden panels are white boxes in the image, names stay, nothing rides along."""

import struct
import zlib

from hypothesis import given
from hypothesis import strategies as st
from made_paper import figure, read_paper, spec

from reproducegym.pipeline.exposure.leak import scan
from reproducegym.pipeline.exposure.masking import MaskedPaper, mask
from reproducegym.pipeline.exposure.png import SIGNATURE, Pixels, chunks, read_pixels, written
from reproducegym.schema.chart import Axis, Chart
from reproducegym.schema.paper import Figure, Panel, Word

WIDTH, HEIGHT = 408, 208
LEFT, RIGHT = (20.0, 20.0, 120.0, 120.0), (120.0, 20.0, 220.0, 120.0)


def chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def black(*extra: bytes, width: int = WIDTH, height: int = HEIGHT) -> bytes:
    """A black image: whatever of it survives is seen."""
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    rows = b"".join(b"\0" + b"\0\0\0" * width for _ in range(height))
    return (
        SIGNATURE + chunk(b"IHDR", head) + b"".join(extra) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
    )


def axis(side: str, title: str | None, low: float, high: float) -> Axis:
    return Axis.model_validate(
        {"side": side, "title": title, "scale": "linear", "low": low, "high": high, "ticks": (), "names": ()}
    )


def chart(panel: int, title: str | None, low: float, high: float, **changes: object) -> Chart:
    box = (LEFT, RIGHT)[panel]
    inner = (box[0] + 20, box[1] + 20, box[2], box[3] - 20)
    whole: dict[str, object] = {
        "figure": "f1",
        "panel": panel,
        "page": 1,
        "bbox": inner,
        "title": None,
        "inset": False,
        "axes": (axis("bottom", "Steps", 0.0, 50.0), axis("left", title, low, high)),
        "series": (),
        "reference_lines": (),
        "problems": (),
    }
    return Chart.model_validate({**whole, **changes})


def two_panels(right_words: tuple[str, ...] = ("Entropy",)) -> Figure:
    def panel(box: tuple[float, float, float, float], words: tuple[str, ...]) -> Panel:
        places = [
            (box[0], box[1] + 30 + 12 * index, box[0] + 12, box[1] + 40 + 12 * index) for index in range(len(words))
        ]
        ticks = [
            Word(text=text, bbox=(box[0] + 14, box[1] + 30, box[0] + 19, box[1] + 34)) for text in ("0", "0.5", "1")
        ]
        named = [Word(text=text, bbox=place) for text, place in zip(words, places, strict=True)]
        return Panel(label=None, title=None, bbox=box, words=(*named, *ticks))

    panels = (panel(LEFT, ("Regret",)), panel(RIGHT, right_words))
    one = figure("f1", "1", "Figure 1: Training of both.", [])
    return one.model_copy(update={"bbox": (20.0, 20.0, 220.0, 120.0), "panels": panels})


def copy_of(one: Figure, image: bytes, *charts: Chart) -> MaskedPaper:
    paper = read_paper(figures=(one,), tables=(), paragraphs=())
    shown = type(paper)(document=paper.document, words=paper.words, figures={"f1.png": image}, charts=charts)
    return mask(shown, spec())


def seen(data: bytes, box: tuple[float, float, float, float]) -> int:
    """Black pixels well inside a box of the page; the image shows two points around its figure."""
    pixels = read_pixels(data)
    assert pixels is not None
    left, top, right, bottom = (int((value - 18) * 2) for value in box)
    rows = pixels.rows[top + 3 : bottom - 3]
    return sum(row[(left + 3) * 3 : (right - 3) * 3].count(0) for row in rows)


def test_only_the_panel_that_may_show_the_number_is_boxed_out() -> None:
    copy = copy_of(two_panels(), black(), chart(0, "Regret", 0.0, 200.0), chart(1, "Entropy", 0.0, 1.0))
    image = copy.figures["f1.png"]
    plot = (40.0, 40.0, 120.0, 100.0)
    assert seen(image, plot) == 0
    assert seen(image, RIGHT) > 0
    assert seen(image, (20.0, 50.0, 32.0, 60.0)) > 0, "the name of its axis stays"
    assert "Not shown: Regret" in copy.paper_md
    assert "Entropy" not in copy.paper_md


def test_a_panel_that_reaches_the_number_or_is_not_known_goes_too() -> None:
    hidden = chart(0, "Regret", 0.0, 200.0)
    unsure = [
        chart(1, "Loss", 0.0, 160.0),
        chart(1, None, 0.0, 1.0),
        chart(1, "Entropy", 0.0, 1.0, problems=("no scale",)),
    ]
    for other in unsure:
        assert seen(copy_of(two_panels(), black(), hidden, other).figures["f1.png"], RIGHT) <= 12 * 10 * 4 * 3
    assert seen(copy_of(two_panels(), black(), hidden).figures["f1.png"], RIGHT) == 0
    assert (
        seen(
            copy_of(two_panels(("Entropy", "regret")), black(), hidden, chart(1, "Entropy", 0.0, 1.0)).figures[
                "f1.png"
            ],
            (150.0, 60.0, 218.0, 118.0),
        )
        == 0
    )


def test_a_chart_with_the_word_architecture_in_its_caption_is_no_drawing() -> None:
    one = two_panels()
    caption = one.caption.model_copy(update={"text": "Figure 1: Every architecture."}) if one.caption else None
    panels = tuple(panel.model_copy(update={"words": ()}) for panel in one.panels)
    told = one.model_copy(update={"caption": caption, "panels": panels})
    copy = copy_of(told, black(), chart(0, "Score", 0.0, 200.0))
    assert seen(copy.figures["f1.png"], LEFT) == 0


def test_no_text_time_or_tail_rides_along_with_an_image_that_stays() -> None:
    noted = black(chunk(b"tEXt", b"note\0regret is 97.3"), chunk(b"tIME", b"\x07\xea\x01\x01\x01\x01\x01")) + b"97.3"
    drawing = figure("f1", "1", "Figure 1: Overview.", ["agent", "world"])
    image = copy_of(drawing, noted).figures["f1.png"]
    assert [kind for kind, _ in chunks(image)] == [b"IHDR", b"IDAT", b"IEND"]
    assert b"97.3" not in image
    assert not [one for one in scan({"figures/f1.png": image}, spec()) if one.blocking]


def test_an_image_of_another_kind_becomes_an_empty_box() -> None:
    grey_alpha = SIGNATURE + chunk(b"IHDR", struct.pack(">IIBBBBB", 4, 4, 8, 4, 0, 0, 0)) + chunk(b"IEND", b"")
    for image in (grey_alpha, black()[:80], b"\xff\xd8\xff\xe0 JPEG", SIGNATURE):
        copy = copy_of(two_panels(), image, chart(0, "Regret", 0.0, 200.0))
        assert list(copy.figures) == ["f1.svg"]
        assert b"Regret" in copy.figures["f1.svg"]


AREAS = st.tuples(*[st.integers(-5, 30)] * 4)


@given(st.lists(AREAS, max_size=3), st.lists(AREAS, max_size=3), st.integers(1, 20), st.integers(1, 20))
def test_no_pixel_of_an_emptied_area_survives(
    kept: list[tuple[int, int, int, int]], emptied: list[tuple[int, int, int, int]], width: int, height: int
) -> None:
    grey = Pixels(width, height, 1, tuple(bytes([77]) * width for _ in range(height)))
    image = read_pixels(written(grey, kept, emptied, ()))
    assert image is not None
    assert (image.width, image.height) == (width, height)
    for left, top, right, bottom in emptied:
        for row in image.rows[max(top, 0) : max(bottom, 0)]:
            assert 77 not in row[max(left, 0) : max(right, 0)]


@given(st.binary(max_size=200))
def test_any_bytes_after_the_signature_are_read_or_refused(data: bytes) -> None:
    assert read_pixels(SIGNATURE + data) is None
