"""Text of LaTeX source in which every character knows where it stands in the flattened source."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

__all__ = ["LineTable", "SourceText", "joined", "plain"]


@dataclass(frozen=True, slots=True)
class SourceText:
    """Characters, and for each its offset in the flattened source; what a macro wrote stands where it was called."""

    text: str
    origins: tuple[int, ...]

    def part(self, start: int, end: int) -> "SourceText":
        """The characters `start`..`end` (exclusive)."""
        return SourceText(self.text[start:end], self.origins[start:end])


def plain(text: str) -> SourceText:
    """A flattened source as it is."""
    return SourceText(text, tuple(range(len(text))))


def joined(pieces: Iterable[SourceText]) -> SourceText:
    """Pieces one after the other."""
    every = list(pieces)
    return SourceText("".join(p.text for p in every), tuple(at for p in every for at in p.origins))


class LineTable:
    """Line (from 0) and column (from 0) of every offset of a text."""

    def __init__(self, text: str) -> None:
        self.lines: Sequence[str] = text.split("\n")
        starts = [0]
        for line in self.lines[:-1]:
            starts.append(starts[-1] + len(line) + 1)
        self._starts = starts

    def at(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset."""
        line = bisect_right(self._starts, offset) - 1
        return line, offset - self._starts[line]
