"""What is drawn on a page besides text: ruling lines, vector graphics and images."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NotRequired, TypedDict, cast

from reproducegym.parsing.boxes import union
from reproducegym.parsing.mupdf import pymupdf
from reproducegym.schema.base import BBox

__all__ = ["Drawings", "Rule", "clusters", "read_drawings"]

_THIN = 2.2
_SHORT = 5.0
_MAX_PATHS = 20000
_MANY_ITEMS = 40


_NOTHING = (-1e6, -1e6, -1e6, -1e6)
_Item = tuple[str, tuple[float, float], tuple[float, float]]


class _Path(TypedDict):
    """What PyMuPDF says of a path, clip or group; the last two have no items."""

    type: str
    level: int
    items: list[_Item]
    rect: NotRequired[tuple[float, float, float, float]]
    fill: NotRequired[tuple[float, ...] | None]
    scissor: NotRequired[tuple[float, float, float, float]]


@dataclass(frozen=True, slots=True)
class Rule:
    """A straight ruling line; `at` is its y (horizontal) or x (vertical), `start:end` its extent on the other axis."""

    at: float
    start: float
    end: float

    @property
    def length(self) -> float:
        """How long it is."""
        return self.end - self.start


@dataclass(frozen=True, slots=True)
class Drawings:
    """Rules sorted by place, touching pieces joined (`strokes`: as drawn); boxes of vector paths and of images."""

    horizontal: tuple[Rule, ...]
    strokes: tuple[Rule, ...]
    vertical: tuple[Rule, ...]
    vectors: tuple[BBox, ...]
    images: tuple[BBox, ...]


def read_drawings(page: pymupdf.Page) -> Drawings:
    """All rules, vector boxes and image boxes of a page."""
    horizontal: list[Rule] = []
    vertical: list[Rule] = []
    vectors: list[BBox] = []
    area = float(page.rect.width) * float(page.rect.height)
    frame = _box(page.rect)
    for path, clip in _paths(page, frame):
        whole = _clipped(_box(path["rect"]), clip)
        if whole is None or _white(path):
            continue
        if (whole[2] - whole[0]) * (whole[3] - whole[1]) < 0.9 * area:
            vectors.append(whole)
        if not _may_rule(path["items"]):
            continue
        for item in path["items"]:
            if item[0] == "l":
                x0, y0, x1, y1 = *map(float, item[1]), *map(float, item[2])
                _add(horizontal, vertical, (min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)))
            elif item[0] == "re":
                box = _box(item[1])
                if min(box[2] - box[0], box[3] - box[1]) <= _THIN:
                    _add(horizontal, vertical, box)
                elif "s" in str(path["type"]):
                    x0, y0, x1, y1 = box
                    for side in ((x0, y0, x1, y0), (x0, y1, x1, y1), (x0, y0, x0, y1), (x1, y0, x1, y1)):
                        _add(horizontal, vertical, side)
    images = (_clipped(_box(entry["bbox"]), frame) for entry in page.get_image_info())
    return Drawings(
        tuple(_connected(horizontal)),
        tuple(sorted(set(horizontal), key=lambda rule: (rule.at, rule.start, rule.end))),
        tuple(_connected(vertical)),
        tuple(vectors),
        tuple(sorted(box for box in images if box is not None)),
    )


def _paths(page: pymupdf.Page, frame: BBox) -> Iterator[tuple[_Path, BBox]]:
    """The first paths of a page, each with the box outside of which nothing of it shows."""
    clips: list[BBox] = []
    for path in cast("list[_Path]", page.get_cdrawings(extended=True))[:_MAX_PATHS]:
        del clips[path["level"] :]
        clip = clips[-1] if clips else frame
        if path["type"] in ("clip", "group"):
            x0, y0, x1, y1 = _box(path.get("scissor") or path.get("rect") or clip)
            # What is drawn along the edge of a clip is seen.
            clips.append(_clipped((x0 - 1, y0 - 1, x1 + 1, y1 + 1), clip) or _NOTHING)
        else:
            yield path, clip


def _may_rule(items: Sequence[_Item]) -> bool:
    """Curves and polylines of charts have steep and flat stretches that are no rules."""
    slanted = sum(
        item[0] == "c" or (item[0] == "l" and not _straight(item[1], item[2])) for item in items[:_MANY_ITEMS]
    )
    return slanted == 0 or len(items) < 3


def _straight(start: tuple[float, float], end: tuple[float, float]) -> bool:
    return abs(start[0] - end[0]) < 0.5 or abs(start[1] - end[1]) < 0.5


def _white(path: _Path) -> bool:
    """A white filled path without an outline shows nothing."""
    return path["type"] == "f" and path.get("fill") == (1.0, 1.0, 1.0)


def _box(rect: Iterable[float]) -> BBox:
    x0, y0, x1, y1 = (float(value) for value in rect)
    return (min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1))


def _clipped(box: BBox, frame: BBox) -> BBox | None:
    x0, y0 = max(box[0], frame[0]), max(box[1], frame[1])
    x1, y1 = min(box[2], frame[2]), min(box[3], frame[3])
    return (x0, y0, x1, y1) if x1 >= x0 and y1 >= y0 else None


def _add(horizontal: list[Rule], vertical: list[Rule], box: BBox) -> None:
    x0, y0, x1, y1 = box
    if y1 - y0 <= _THIN and x1 - x0 >= _SHORT:
        horizontal.append(Rule((y0 + y1) / 2, x0, x1))
    elif x1 - x0 <= _THIN and y1 - y0 >= _SHORT:
        vertical.append(Rule((x0 + x1) / 2, y0, y1))


def _connected(rules: list[Rule]) -> list[Rule]:
    """Join touching pieces of one line; sorted by place."""
    rows: list[list[Rule]] = []
    for rule in sorted(rules, key=lambda r: (r.at, r.start, r.end)):
        if rows and rule.at - rows[-1][0].at < 0.8:
            rows[-1].append(rule)
        else:
            rows.append([rule])
    joined: list[Rule] = []
    for row in rows:
        at = row[0].at
        start, end = None, 0.0
        for rule in sorted(row, key=lambda r: (r.start, r.end)):
            if start is None:
                start, end = rule.start, rule.end
            elif rule.start <= end + 1.0:
                end = max(end, rule.end)
            else:
                joined.append(Rule(at, start, end))
                start, end = rule.start, rule.end
        if start is not None:
            joined.append(Rule(at, start, end))
    return joined


def clusters(boxes: Iterable[BBox], reach: float) -> list[BBox]:
    """Boxes joined with those nearer than `reach`, from top to bottom."""
    groups: list[BBox] = []
    for box in sorted(boxes, key=lambda b: (b[1], b[0], b[3], b[2])):
        current = box
        changed = True
        while changed:
            changed = False
            for other in groups:
                if (
                    min(current[2], other[2]) - max(current[0], other[0]) > -reach
                    and min(current[3], other[3]) - max(current[1], other[1]) > -reach
                ):
                    groups.remove(other)
                    current = union((current, other))
                    changed = True
                    break
        groups.append(current)
    return sorted(groups, key=lambda b: (b[1], b[0]))
