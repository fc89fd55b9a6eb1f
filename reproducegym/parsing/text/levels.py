"""Gives sections their level and parent."""

import re
from collections.abc import Sequence

from reproducegym.parsing.text.headings import KNOWN, Heading
from reproducegym.schema.paper import Place, Section

__all__ = ["Levels"]

_MAX_JUMP = 3
_ROMAN = {"I": 1, "V": 5, "X": 10}


class Levels:
    """Gives sections ids, levels and parents: by number where there is one, else by font size."""

    def __init__(self) -> None:
        self._sizes: list[tuple[float, int]] = []
        self._roman = 0
        self._standing = 0
        self._tops = [0]

    def follows(self, heading: Heading) -> bool:
        """Whether a whole number may be the next of the top sections: no step of a listing or an enumeration."""
        if heading.number is None or not heading.number.isdigit() or self._tops == [0]:
            return True
        number = int(heading.number)
        return number == 1 or self._tops[-1] < number <= max(self._tops) + _MAX_JUMP

    def section(self, heading: Heading, title: str, place: Place, earlier: Sequence[Section]) -> Section:
        """The next section that has a line of its own."""
        depth = self._depth(heading)
        level = depth if depth is not None else self._level(heading)
        if heading.number is not None and heading.number.isdigit():
            self._tops.append(int(heading.number))
        if depth is not None:
            self._sizes.append((heading.size, depth))
        self._standing = level
        return self._made(heading.number, title, level, place, earlier)

    def run_in(self, number: str | None, title: str, place: Place, earlier: Sequence[Section]) -> Section:
        """The next section that runs into its text: a level below the last on its own line, but for known names."""
        level = self._standing + 1 if title.lower() not in KNOWN else 1
        if number is not None and "." in number:
            level = max(level, number.count(".") + 1)
        return self._made(number, title, level, place, earlier)

    def _made(self, number: str | None, title: str, level: int, place: Place, earlier: Sequence[Section]) -> Section:
        parent = next((s.id for s in reversed(earlier) if s.level < level), None)
        if parent is None and level > 1 and not earlier:
            level = 1
        return Section(id=f"s{len(earlier) + 1}", number=number, title=title, level=level, parent=parent, place=place)

    def _depth(self, heading: Heading) -> int | None:
        """The depth of a number; letters below Roman numbers are one deeper, but for an appendix."""
        number = heading.number
        if number is None or heading.depth is None:
            return None
        if re.fullmatch(r"[IVX]+", number) and _value(number) == self._roman + 1:
            self._roman += 1
            return 1
        lettered = re.fullmatch(r"[A-Z]", number) is not None
        top = max((size for size, level in self._sizes if level == 1), default=0.0)
        if self._roman > 1 and lettered and heading.italic and heading.size <= top + 0.3:
            return 2
        return heading.depth

    def _level(self, heading: Heading) -> int:
        known = [level for size, level in self._sizes if abs(size - heading.size) < 0.25]
        if known:
            return min(known)
        larger = {round(size, 1): level for size, level in self._sizes if size > heading.size + 0.25}
        level = max(larger.values()) + 1 if larger else 1
        self._sizes.append((heading.size, level))
        return level


def _value(roman: str) -> int:
    values = [_ROMAN[letter] for letter in roman]
    return sum(-v if v < max(values[i:]) else v for i, v in enumerate(values))
