"""The panels of a figure: its separate graphics with the words that belong to each, their letters and titles."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from reproducegym.parsing.boxes import contains_center, height, rounded, union, width
from reproducegym.parsing.figures.finder import FoundFigure
from reproducegym.schema.base import BBox
from reproducegym.schema.paper import PageWords, Panel, Word

__all__ = ["figure_panels"]

_MIN_PANEL = 36.0
_LETTER = re.compile(r"\(([a-z])\)")
_LINE = 3.0
_ABOVE = 16.0


@dataclass(frozen=True, slots=True)
class _SubCaption:
    """The letter of "(b) Entropy" with the words of its first line; `above` says that it stands over its panel."""

    letter: str
    words: tuple[Word, ...]
    home: int
    above: bool

    @property
    def box(self) -> BBox:
        """The box of the line."""
        return union(word.bbox for word in self.words)


def figure_panels(found: FoundFigure, words: PageWords) -> tuple[Panel, ...]:
    """Panels from left to right and top to bottom, each with the words that stand in or nearest to it."""
    inside = [word for word in words.words if contains_center(found.box, word.bbox)]
    parts = [part for part in found.parts if width(part) >= _MIN_PANEL and height(part) >= _MIN_PANEL]
    if not parts:
        parts = [found.box]
    parts.sort(key=lambda box: (round(box[1] / _MIN_PANEL), box[0]))
    captions = {caption.home: caption for caption in _sub_captions(parts, inside)}
    homes = [_home(word, parts, captions) for word in inside]
    panels = []
    for i, part in enumerate(parts):
        own = tuple(word for word, home in zip(inside, homes, strict=True) if home == i)
        box = union([part, *(word.bbox for word in own)])
        caption = captions.get(i)
        title = _title(part, own) if caption is None else _text(caption, own)
        letter = caption.letter if caption is not None else None
        panels.append(Panel(label=letter, title=title, bbox=rounded(box), words=own))
    return tuple(panels)


def _sub_captions(parts: Sequence[BBox], words: Sequence[Word]) -> list[_SubCaption]:
    """Lines that begin with a letter in brackets, all under their panels, else all over them; else none."""
    starts = [word for word in words if _LETTER.match(word.text)]
    lines = [(start, _line_of(start, starts, words)) for start in starts]
    for above in (False, True):
        homes = [_nearest(parts, union(word.bbox for word in line), above=above) for _, line in lines]
        known = [home for home in homes if home is not None]
        if 2 * len(known) > len(parts) and len(known) == len(set(known)) == len(lines):
            return [
                _SubCaption(start.text[1], line, home, above) for (start, line), home in zip(lines, known, strict=True)
            ]
    return []


def _line_of(start: Word, starts: Sequence[Word], words: Sequence[Word]) -> tuple[Word, ...]:
    """The words from a letter to the end of its line, or to the next letter on it."""
    level = [word for word in words if _are_level(word, start) and word.bbox[0] >= start.bbox[0]]
    stop = min((word.bbox[0] for word in starts if word in level and word is not start), default=float("inf"))
    return tuple(sorted((word for word in level if word.bbox[0] < stop), key=lambda word: word.bbox[0]))


def _are_level(first: Word, second: Word) -> bool:
    return abs((first.bbox[1] + first.bbox[3]) / 2 - (second.bbox[1] + second.bbox[3]) / 2) < _LINE


def _nearest(parts: Sequence[BBox], line: BBox, *, above: bool) -> int | None:
    """The part nearest to a line that stands under it (`above`: over it) and overlaps it sideways."""
    gaps = [
        (part[1] - line[3] if above else line[1] - part[3], i)
        for i, part in enumerate(parts)
        if min(part[2], line[2]) > max(part[0], line[0])
    ]
    return min(((gap, i) for gap, i in gaps if gap > -4), default=(0.0, None))[1]


def _home(word: Word, parts: Sequence[BBox], captions: Mapping[int, _SubCaption]) -> int:
    """The sub-caption that a word is part of, on or under its line; else the nearest part."""
    for caption in captions.values():
        if word in caption.words:
            return caption.home
    x, y = (word.bbox[0] + word.bbox[2]) / 2, (word.bbox[1] + word.bbox[3]) / 2
    under = [
        caption
        for caption in captions.values()
        if not caption.above
        and y > caption.box[3]
        and not any(part[3] > caption.box[3] and part[1] < y for part in parts)
    ]
    if under:
        return min(
            under, key=lambda caption: (-caption.box[3] // _ABOVE, abs((caption.box[0] + caption.box[2]) / 2 - x))
        ).home
    return min(range(len(parts)), key=lambda i: (_distance(parts[i], word.bbox), i))


def _distance(box: BBox, word: BBox) -> float:
    x, y = (word[0] + word[2]) / 2, (word[1] + word[3]) / 2
    dx = max(box[0] - x, x - box[2], 0.0)
    dy = max(box[1] - y, y - box[3], 0.0)
    return dx * dx + dy * dy


def _text(caption: _SubCaption, words: Sequence[Word]) -> str | None:
    """The sub-caption without its letter, further lines under it included."""
    later = [word for word in words if not caption.above and word.bbox[1] > caption.box[3] - 1]
    later.sort(key=lambda word: (round(word.bbox[3] / _LINE), word.bbox[0]))
    text = " ".join([caption.words[0].text[3:], *(word.text for word in (*caption.words[1:], *later))]).strip()
    return text or None


def _title(part: BBox, words: Sequence[Word]) -> str | None:
    """Words on the first line above the panel's graphics, over its middle."""
    above = [word for word in words if word.bbox[3] <= part[1] + 3 and word.bbox[3] > part[1] - _ABOVE]
    if not above or not any(c.isalpha() for word in above for c in word.text):
        return None
    return " ".join(word.text for word in sorted(above, key=lambda word: word.bbox[0]))
