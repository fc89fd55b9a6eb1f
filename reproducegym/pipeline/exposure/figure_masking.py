"""The agent's copy of a figure: panels that may show a hidden number are boxed out, names of axes and others stay."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from math import ceil, floor
from re import IGNORECASE
from re import compile as regex
from xml.sax.saxutils import escape

from reproducegym.pipeline.exposure.hidden import Secrets, judge, names_in, words_of
from reproducegym.pipeline.exposure.png import SIGNATURE, Area, plain, read_pixels, written
from reproducegym.pipeline.printed.numbers import read_numbers
from reproducegym.ports import ReadPaper
from reproducegym.schema.base import BBox
from reproducegym.schema.chart import Axis, Chart
from reproducegym.schema.claim import Provenance
from reproducegym.schema.paper import Figure, Panel

__all__ = ["FigureCopy", "copied"]

_DRAWING = regex(r"architectur|overview|diagram|illustrat|schematic|sketch|pipeline|framework|block", IGNORECASE)
_TICKS = 4
"""A figure with at least so many numbers in it has axes."""
_MARGIN = 2.0
"""Points that a figure's image shows around its box (`parsing/figures/finder.py`)."""


@dataclass(frozen=True)
class FigureCopy:
    """File name and bytes of the image, and the words of panels that it no longer shows, as lines for its caption."""

    name: str
    image: bytes
    words: tuple[str, ...]


def copied(
    paper: ReadPaper, figure: Figure, image: bytes | None, secrets: Secrets, prose: Callable[[str], str]
) -> FigureCopy:
    """A figure without what it may tell; `image` is how the paper shows it, None where no image of it was kept."""
    if image is not None and not image.startswith(SIGNATURE):
        image = None
    charts = [chart for chart in paper.charts if chart.figure == figure.id]
    if image is not None and not _shows(figure, charts, secrets):
        return FigureCopy(f"{figure.id}.png", plain(image), ())
    dark = [index for index, one in enumerate(figure.panels) if not _stays(figure, index, one, charts, secrets)]
    words = tuple(_words(figure, dark, prose))
    boxed = None if image is None else _boxed_out(paper, figure, image, dark, charts)
    if boxed is None:
        return FigureCopy(f"{figure.id}.svg", _empty_box(figure, words), ())
    return FigureCopy(f"{figure.id}.png", boxed, words)


def _shows(figure: Figure, charts: list[Chart], secrets: Secrets) -> bool:
    """Whether a figure may show the quantity: it is evidence, its words name the metric, or it is a chart of anything.

    What a chart plots is not known from its words alone (names in it are spelled in other ways, or drawn), and of a
    raster image no word is known: both are hidden, unless the caption says that it is a drawing and no chart was read.
    """
    if any(True for _ in _evidence(figure, secrets)):
        return True
    caption = figure.caption.text if figure.caption else ""
    words = " ".join(word.text for panel in figure.panels for word in panel.words)
    if not secrets.metric_words.isdisjoint(words_of(f"{caption} {words}")):
        return True
    numbers = read_numbers(words)
    if any(judge(number, frozenset(), linked=True, secrets=secrets) is not None for number in numbers):
        return True
    is_chart = len(numbers) >= _TICKS
    return bool(charts) or ((is_chart or not words) and _DRAWING.search(caption) is None)


def _stays(figure: Figure, index: int, panel: Panel, charts: Iterable[Chart], secrets: Secrets) -> bool:
    """Whether a panel of such a figure is sure to tell nothing.

    Its charts were read whole, their axes (or the panel) are named after another quantity, none of them reaches a
    hidden number in any of its spellings, and no word or number in the panel speaks of one.
    """
    own = [chart for chart in charts if chart.panel == index]
    if not own or any(place.panel in {None, panel.label, str(index + 1)} for place in _evidence(figure, secrets)):
        return False
    words = " ".join((panel.title or "", *(word.text for word in panel.words)))
    if not secrets.metric_words.isdisjoint(words_of(words)):
        return False
    if any(judge(number, frozenset(), linked=True, secrets=secrets) is not None for number in read_numbers(words)):
        return False
    return all(not chart.problems and _of_another_quantity(chart, panel, secrets) for chart in own)


def _of_another_quantity(chart: Chart, panel: Panel, secrets: Secrets) -> bool:
    measured = [axis for axis in chart.axes if axis.scale != "category"]
    upright = [axis for axis in chart.axes if axis.side in {"left", "right"}]
    names = [axis.title or chart.title or panel.title or "" for axis in upright]
    return (
        bool(upright)
        and all(names_in([name]) for name in names)
        and not any(_reaches(axis, secrets) for axis in measured)
    )


def _reaches(axis: Axis, secrets: Secrets) -> bool:
    """Whether a hidden number lies on an axis as it is, as a percent or a fraction, or in thousands."""
    low, high = sorted((Decimal(repr(axis.low)), Decimal(repr(axis.high))))
    for hidden in secrets.hidden:
        value = abs(hidden.value)
        drawn = [value]
        drawn += [value / 100] if hidden.unit in {"%", "pp"} else []
        drawn += [value * 100] if value <= 1 else []
        drawn += [value / 1000] if value >= 1000 else []
        if hidden.by_value and any(low <= one <= high or low <= -one <= high for one in drawn):
            return True
    return False


def _evidence(figure: Figure, secrets: Secrets) -> Iterator[Provenance]:
    for hidden in secrets.hidden:
        for place in hidden.places:
            if place.figure is not None and place.figure in {figure.id, figure.label}:
                yield place


def _words(figure: Figure, dark: Iterable[int], prose: Callable[[str], str]) -> Iterator[str]:
    """Title and words of each hidden panel; the words of one may name what it plots."""
    for index in dark:
        panel = figure.panels[index]
        named = [word.text for word in panel.words if any(letter.isalpha() for letter in word.text)]
        said = [prose(" ".join(text.split())) for text in (panel.title or "", " ".join(named)) if text]
        if said:
            yield f"Not shown{f' ({panel.label})' if panel.label else ''}: {'; '.join(said)}"


def _boxed_out(paper: ReadPaper, figure: Figure, image: bytes, dark: list[int], charts: list[Chart]) -> bytes | None:
    """The image with only the panels that stay, and the words of hidden panels that lie outside their plot areas."""
    sizes = {page.number: (page.width, page.height) for page in paper.document.pages}
    if paper.document.coordinates != "pdf_points" or figure.page not in sizes:
        return None
    across, down = sizes[figure.page]
    left, top, right, bottom = figure.bbox
    seen = (
        max(left - _MARGIN, 0.0),
        max(top - _MARGIN, 0.0),
        min(right + _MARGIN, across),
        min(bottom + _MARGIN, down),
    )
    plots = [chart.bbox for chart in charts if chart.panel in dark]
    hidden = [figure.panels[index] for index in dark]
    read = {chart.panel for chart in charts}
    titles = [box for index in dark if index in read for box in _outside(figure.panels[index], plots)]
    kept = [panel.bbox for index, panel in enumerate(figure.panels) if index not in dark]
    return _painted(image, seen, tuple(kept), tuple(panel.bbox for panel in hidden) or (figure.bbox,), tuple(titles))


def _outside(panel: Panel, plots: Iterable[BBox]) -> Iterator[BBox]:
    """Boxes of words without a digit that touch neither a plot area nor a number: names of axes and categories."""
    walls = [*plots, *(word.bbox for word in panel.words if _has_digit(word.text))]
    for word in panel.words:
        if not _has_digit(word.text) and not any(_overlap(word.bbox, wall) for wall in walls):
            yield word.bbox


def _has_digit(text: str) -> bool:
    return any(letter.isnumeric() for letter in text)


def _overlap(one: BBox, other: BBox) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


@lru_cache(maxsize=64)
def _painted(
    image: bytes, seen: BBox, kept: tuple[BBox, ...], emptied: tuple[BBox, ...], restored: tuple[BBox, ...]
) -> bytes | None:
    """Claims of one paper hide mostly the same panels, so that each image is painted about once."""
    pixels = read_pixels(image)
    if pixels is None or seen[2] <= seen[0] or seen[3] <= seen[1]:
        return None
    across, down = pixels.width / (seen[2] - seen[0]), pixels.height / (seen[3] - seen[1])

    def area(box: BBox) -> Area:
        return (
            floor((box[0] - seen[0]) * across),
            floor((box[1] - seen[1]) * down),
            ceil((box[2] - seen[0]) * across),
            ceil((box[3] - seen[1]) * down),
        )

    return written(pixels, map(area, kept), map(area, emptied), map(area, restored))


def _empty_box(figure: Figure, words: Iterable[str]) -> bytes:
    """An SVG with a frame and the words that stood around the figure, none of its data.

    Its coordinates are round, and on lines of their own, so that the leak scan does not take them for results.
    """
    lines = [f"Figure {figure.label or figure.id}: not shown", *words]
    text = "".join(
        f'<text x="20" y="{20 * (index + 2)}" font-size="10">\n{escape(line)}\n</text>\n'
        for index, line in enumerate(lines)
    )
    frame = '<rect x="10" y="10" width="580" height="380" fill="none" stroke="black"/>\n'
    return f'<svg xmlns="http://www.w3.org/2000/svg" width="600" height="400">\n{frame}{text}</svg>\n'.encode()
