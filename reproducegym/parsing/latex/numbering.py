"""Counts sections, tables, figures and equations as LaTeX does."""

import re

__all__ = ["Counters"]

_PARENTS = {
    "section": ("subsection",),
    "subsection": ("subsubsection",),
    "subsubsection": ("paragraph",),
    "paragraph": ("subparagraph",),
}
_FORMATS = {
    "chapter": "\\arabic{chapter}", "section": "\\arabic{section}",
    "subsection": "\\thesection.\\arabic{subsection}", "subsubsection": "\\thesubsection.\\arabic{subsubsection}",
    "paragraph": "\\thesubsubsection.\\arabic{paragraph}", "subparagraph": "\\theparagraph.\\arabic{subparagraph}",
    "table": "\\arabic{table}", "figure": "\\arabic{figure}", "equation": "\\arabic{equation}",
}  # fmt: skip
_PIECE = re.compile(
    r"\\(?P<style>arabic|Alph|alph|Roman|roman)\s*\{(?P<counter>\w+)\}|\\the(?P<other>[A-Za-z]+)|\\[A-Za-z]+\s*|[{}]"
)
_ROMAN = ((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"), (10, "x"),
          (9, "ix"), (5, "v"), (4, "iv"), (1, "i"))  # fmt: skip
_HIGHEST = 3999
_MAX_DEPTH = 6


class Counters:
    """The counters of one paper; `chapters` for classes whose floats and sections are counted within chapters."""

    def __init__(self, *, chapters: bool) -> None:
        self._values: dict[str, int] = dict.fromkeys(_FORMATS, 0)
        self._formats = dict(_FORMATS)
        self._below = {parent: set(children) for parent, children in _PARENTS.items()}
        self._chapters = chapters
        if chapters:
            for counter in ("section", "table", "figure", "equation"):
                self.within(counter, "chapter")

    def step(self, counter: str) -> str:
        """Count one more and give its printed number; what is counted within it starts anew."""
        self.set(counter, self._values.get(counter, 0) + 1)
        for below in self._below.get(counter, ()):
            self._reset(below)
        return self.printed(counter)

    def _reset(self, counter: str, depth: int = 0) -> None:
        self._values[counter] = 0
        if depth < _MAX_DEPTH:
            for below in self._below.get(counter, ()):
                self._reset(below, depth + 1)

    def set(self, counter: str, value: int) -> None:
        """\\setcounter."""
        self._values[counter] = max(-_HIGHEST, min(_HIGHEST, value))

    def add(self, counter: str, value: int) -> None:
        """\\addtocounter."""
        self.set(counter, self._values.get(counter, 0) + value)

    def within(self, counter: str, parent: str) -> None:
        """\\numberwithin and \\counterwithin."""
        self._below.setdefault(parent, set()).add(counter)
        self._formats[counter] = f"\\the{parent}.\\arabic{{{counter}}}"

    def without(self, counter: str, parent: str) -> None:
        """\\counterwithout."""
        self._below.setdefault(parent, set()).discard(counter)
        self._formats[counter] = f"\\arabic{{{counter}}}"

    def spell_as(self, counter: str, body: str) -> None:
        """\\renewcommand{\\thetable}{…}."""
        self._formats[counter] = body

    def appendix(self) -> None:
        """From here on sections (or chapters) have letters."""
        top = "chapter" if self._chapters else "section"
        self._reset(top)
        self._formats[top] = f"\\Alph{{{top}}}"

    def printed(self, counter: str, depth: int = 0) -> str:
        """The number as printed now."""

        def piece(match: re.Match[str]) -> str:
            if match["style"]:
                return _spelled(self._values.get(match["counter"], 0), match["style"])
            if match["other"] and depth < _MAX_DEPTH:
                return self.printed(match["other"], depth + 1)
            return ""

        return _PIECE.sub(piece, self._formats.get(counter, f"\\arabic{{{counter}}}")).strip()


def _spelled(value: int, style: str) -> str:
    if style.lower() == "alph" and 1 <= value <= 26:
        letter = chr(ord("a") + value - 1)
        return letter.upper() if style == "Alph" else letter
    if style.lower() == "roman" and 1 <= value <= _HIGHEST:
        text = ""
        for size, letters in _ROMAN:
            text += letters * (value // size)
            value %= size
        return text.upper() if style == "Roman" else text
    return str(value)
