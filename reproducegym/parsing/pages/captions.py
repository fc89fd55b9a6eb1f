"""Finds captions ("Table 3:", "Figure 5.") among the lines of a page."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from reproducegym.parsing.boxes import horizontal_overlap, union
from reproducegym.parsing.pages.columns import Columns
from reproducegym.parsing.pages.drawings import Drawings
from reproducegym.parsing.pages.page_text import Line, split_line
from reproducegym.schema.base import BBox

__all__ = ["FoundCaption", "captions_of"]

_LABEL = re.compile(
    r"(?P<word>(?:Supplementary\s+|Extended\s+Data\s+)?(?:Table|Tab\.|TABLE|Figure|Fig\.|FIGURE|FIG\.|Abbildung|Abb\.|Tabelle|Tab))"
    r"\s*(?P<label>[A-Z]{0,2}[.-]?\d+(?:\.\d+)*[a-z]?|[IVXL]+)(?P<after>\s*[:.|]|\s+[-–—]|\s*$|\s)"
)
_LABEL_GAP, _WORD_GAP = 1.5, 1.0
"""Widest gaps on a caption's first line, in ems: after its label, and between its words."""
_LABEL_WIDTH = 8.0
_PART_TITLE = re.compile(r"\([a-h1-9]\)\s*\S")


@dataclass(frozen=True, slots=True)
class FoundCaption:
    """A caption: what it belongs to, its number, text, box, and the indices of its lines."""

    kind: Literal["table", "figure"]
    label: str
    text: str
    box: BBox
    lines: frozenset[int]
    size: float


def captions_of(
    lines: Sequence[Line], skip: frozenset[int], columns: Columns, drawings: Drawings, body: float
) -> list[FoundCaption]:
    """All captions of a page, from top to bottom."""
    usable = sorted(
        (i for i, line in enumerate(lines) if i not in skip and line.upright),
        key=lambda i: (lines[i].base, lines[i].box[0]),
    )
    starts = [(i, match) for i in usable if (match := _start(lines, usable, i, body, drawings)) is not None]
    taken = {i for i, _ in starts}
    found = []
    for i, match in starts:
        members = _extent(lines, usable, i, taken, columns, drawings)
        title = (
            _title_below(lines, usable, i, taken, drawings) if members == [i] and not match["after"].strip() else None
        )
        if title is not None:
            members += _extent(lines, usable, title, taken, columns, drawings)
        word = match["word"].lower()
        found.append(
            FoundCaption(
                kind="table" if "tab" in word else "figure",
                label=match["label"],
                text=_text([lines[m] for m in members]),
                box=union(lines[m].box for m in members),
                lines=frozenset(members),
                size=lines[i].size,
            )
        )
        taken.update(members)
    return found


def _text(lines: Sequence[Line]) -> str:
    text = ""
    for line in lines:
        if (text.endswith("-") and line.text[:1].islower()) or text.endswith("\u00ad"):
            text = text[:-1] + line.text
        else:
            text = f"{text} {line.text}".strip()
    return text


def _start(
    lines: Sequence[Line], usable: Sequence[int], i: int, body: float, drawings: Drawings
) -> re.Match[str] | None:
    line = lines[i]
    match = _LABEL.match(line.text)
    if match is None:
        return None
    styled = line.pieces[0].bold or line.pieces[0].italic or abs(line.size - body) > 0.4 or line.text[:3].isupper()
    bare = not match["after"].strip()
    if bare and not (line.pieces[0].bold or match.end() == len(line.text)):
        return None
    above = [
        lines[j]
        for j in usable
        if lines[j].base < line.base - 2
        and line.base - lines[j].base < 1.35 * line.size
        and horizontal_overlap(lines[j].box, line.box) > 0.3 * min(_w(line), _w(lines[j]))
        and abs(lines[j].size - line.size) < 0.6
        and not _is_ruled_off(lines[j], line, drawings)
    ]
    running_on = any(
        lines_above.text and not lines_above.text.rstrip().endswith((".", ":", "!")) for lines_above in above
    )
    if above and (running_on or not match["after"].strip().endswith(":")) and not (styled and match["after"].strip()):
        return None
    return match


def _is_ruled_off(upper: Line, lower: Line, drawings: Drawings) -> bool:
    """Whether a rule under the whole upper line parts the two."""
    return any(
        upper.base < rule.at < lower.base and rule.start <= upper.box[0] + 2 and rule.end >= upper.box[2] - 2
        for rule in drawings.horizontal
    )


def _w(line: Line) -> float:
    return line.box[2] - line.box[0]


def _extent(
    lines: Sequence[Line], usable: Sequence[int], start: int, taken: set[int], columns: Columns, drawings: Drawings
) -> list[int]:
    """Indices of a caption's lines: those that follow at the same pitch, size and place."""
    first = lines[start]
    members = [start]
    box, base, pitch = first.box, first.base, 0.0
    for row in _rows_below(lines, usable, first, columns.zone(first.box)):
        under = [i for i in row if horizontal_overlap(lines[i].box, box) > 0]
        row_base = min(lines[i].base for i in under or row)
        step = row_base - base
        if step < 0.6 * first.size:
            for i in row:
                level = abs(lines[i].base - base) < 0.25 * first.size
                reach = _LABEL_GAP if _w(first) < _LABEL_WIDTH * first.size else _WORD_GAP
                if i not in taken and level and -2 < lines[i].box[0] - box[2] < reach * first.size:
                    left, right = columns.zone(first.box)
                    if left - 6 <= lines[i].box[0] and lines[i].box[2] <= right + 6:
                        members.append(i)
                        box = union([box, lines[i].box])
            continue
        if not under:
            continue
        limit = 1.15 * pitch if pitch else 1.5 * first.size
        fitting = [i for i in row if i not in taken and _fits(lines[i], first, box, columns)]
        if step > limit + 0.5 or not fitting or any(i in taken for i in row if _fits(lines[i], first, box, columns)):
            break
        if any(
            base < rule.at < row_base - 0.2 * first.size and rule.start < box[2] and rule.end > box[0]
            for rule in drawings.horizontal
        ):
            break
        if box[2] - box[0] < 0.5 * (columns.right - columns.left) and len(fitting) > 1:
            break
        if len(fitting) > 1 and all(_PART_TITLE.match(lines[i].text) for i in fitting):
            break
        members.extend(fitting)
        box = union([box, *(lines[i].box for i in fitting)])
        pitch = max(pitch, step)
        base = row_base
    return sorted(set(members), key=lambda i: (lines[i].base, lines[i].box[0]))


def _title_below(
    lines: Sequence[Line], usable: Sequence[int], start: int, taken: set[int], drawings: Drawings
) -> int | None:
    """The line under the middle of a label that stands alone ("TABLE II"), in a font of its own; None without one."""
    first = lines[start]
    below = [i for i in usable if 0.6 * first.size < lines[i].base - first.base < 2.4 * first.size and i not in taken]
    below = [i for i in below if horizontal_overlap(lines[i].box, first.box) > 0]
    if not below or first.text.endswith((".", ":")):
        return None
    title = min(below, key=lambda i: lines[i].base)
    box = lines[title].box
    level = [
        i for i in usable if abs(lines[i].base - lines[title].base) < 1 and box[0] - 60 < lines[i].box[0] < box[2] + 60
    ]
    ruled = any(
        first.base < rule.at < lines[title].base - 0.3 * first.size and rule.start < box[2] and rule.end > box[0]
        for rule in drawings.horizontal
    )
    centred = abs((box[0] + box[2]) / 2 - (first.box[0] + first.box[2]) / 2) < 4
    whole = len(lines[title].pieces) >= 2 and len(split_line(lines[title].pieces, 0.8)) == 1
    return title if centred and whole and len(level) == 1 and not ruled else None


def _fits(line: Line, first: Line, box: BBox, columns: Columns) -> bool:
    left, right = columns.zone(box)
    left, right = min(left, box[0]), max(right, box[2])
    return (
        abs(line.size - first.size) < 0.8
        and horizontal_overlap(line.box, box) > 0
        and (line.box[0] >= left - 6 and line.box[2] <= right + 6)
    )


def _rows_below(
    lines: Sequence[Line], usable: Sequence[int], first: Line, zone: tuple[float, float]
) -> list[list[int]]:
    """Lines of the same column from the first one's height on; another column's lines stand at heights of their own."""
    below = [
        i
        for i in usable
        if lines[i].base >= first.base - 0.4 * first.size
        and lines[i] is not first
        and min(lines[i].box[2], zone[1]) - max(lines[i].box[0], zone[0]) > 0
    ]
    rows: list[list[int]] = []
    for i in below:
        if rows and lines[i].base - lines[rows[-1][0]].base < 0.4 * first.size:
            rows[-1].append(i)
        else:
            rows.append([i])
    return rows
