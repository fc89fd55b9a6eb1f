"""Closes what a LaTeX source leaves open and drops what it closes twice, so that parsing it takes linear time."""

import re
from dataclasses import dataclass

from reproducegym.errors import UnreadablePaperError
from reproducegym.parsing.latex.source_text import SourceText, joined

__all__ = ["balanced"]

_TOKEN = re.compile(
    r"\\(?P<edge>begin|end)(?![A-Za-z])(?:\s*\{(?P<name>[A-Za-z]{1,40}\*?)\})?"
    r"|(?P<verb>\\verb\*?(?![A-Za-z]))(?:(?P<mark>[^\sA-Za-z*]).*?(?P=mark))?"
    r"|(?P<control>\\(?:[A-Za-z@]+|.)|\\\Z)"
    r"|(?P<dollars>\$\$?)|(?P<bracket>[{}\[\]])|(?P<paragraph>\n[ \t]*\n)"
)
_VERBATIM = re.compile(r"verbatim\*?|lstlisting|minted|comment|Verbatim")
_CLOSERS = {"{": "}", "$": "$", "$$": "$$", "\\[": "\\]", "\\(": "\\)"}
_DEEPEST = 80


@dataclass(frozen=True, slots=True)
class _Open:
    """What is open: a bracket, mathematics, or an environment by name; where its token stands among the pieces."""

    sign: str
    at: int

    @property
    def closer(self) -> str:
        return _CLOSERS.get(self.sign, f"\\end{{{self.sign}}}")


class _Balance:
    """One pass over a source."""

    def __init__(self, source: SourceText) -> None:
        self.pieces: list[SourceText] = []
        self._source = source
        self._open: list[_Open] = []

    def run(self) -> None:
        position = 0
        text = self._source.text
        while (match := _TOKEN.search(text, position)) is not None:
            self.pieces.append(self._source.part(position, match.start()))
            position = match.end()
            if match["edge"] == "begin" and match["name"] and _VERBATIM.fullmatch(match["name"]):
                end = text.find(f"\\end{{{match['name']}}}", position)
                if end >= 0:
                    position = end + len(match["name"]) + len("\\end{}")
                    self.pieces.append(self._source.part(match.start(), position))
                continue
            self._token(match)
        self.pieces.append(self._source.part(position, len(text)))
        self._close_to(0)

    def _token(self, match: re.Match[str]) -> None:
        own = self._source.part(match.start(), match.end())
        text = match[0]
        if match["edge"]:
            self._edge(match, own)
        elif match["verb"]:
            if match["mark"]:
                self.pieces.append(own)
        elif match["dollars"]:
            self._dollars(text, own)
        elif text in ("{", "[", "\\[", "\\("):
            self._begin(text, own)
        elif text in ("}", "\\]", "\\)"):
            opening = {"}": "{", "\\]": "\\[", "\\)": "\\("}[text]
            if self._closes(opening):
                self.pieces.append(own)
        elif text == "]":
            if self._open and self._open[-1].sign == "[":
                self._open.pop()
            self.pieces.append(own)
        else:
            if match["paragraph"] and self._open and self._open[-1].sign in ("$", "\\(", "["):
                self._close_to(len(self._open) - 1)
            self.pieces.append(own)

    def _edge(self, match: re.Match[str], own: SourceText) -> None:
        name = match["name"]
        if match["edge"] == "begin" and name:
            self._begin(name, own)
        elif name and self._closes(name):
            self.pieces.append(own)

    def _dollars(self, text: str, own: SourceText) -> None:
        top = self._open[-1].sign if self._open else ""
        if top == text:
            self._open.pop()
        elif top == "$":
            pass  # "$a$$b$": one formula ends, the next begins
        elif top == "$$":
            return
        else:
            self._begin(text, own)
            return
        self.pieces.append(own)

    def _begin(self, sign: str, own: SourceText) -> None:
        if len(self._open) >= _DEEPEST:
            if sign == "[":
                self.pieces.append(own)
                return
            raise UnreadablePaperError(f"the LaTeX source nests more than {_DEEPEST} groups; is it a paper?")
        self._open.append(_Open(sign, len(self.pieces)))
        self.pieces.append(own)

    def _closes(self, opening: str) -> bool:
        """Whether this closes something open; what is open inside of it is closed first."""
        for depth in range(len(self._open) - 1, -1, -1):
            sign = self._open[depth].sign
            if sign == opening:
                self._close_to(depth + 1)
                self._open.pop()
                return True
            if opening not in _CLOSERS:
                continue
            if sign not in ("[", "$", "$$", "\\[", "\\("):
                return False
        return False

    def _close_to(self, depth: int) -> None:
        while len(self._open) > depth:
            last = self._open.pop()
            own = self.pieces[last.at]
            if last.sign == "[":
                # A lone "[" is no argument: in braces it prints the same and opens nothing.
                self.pieces[last.at] = SourceText("{[}", own.origins * 3)
            else:
                end = next((piece.origins[-1] for piece in reversed(self.pieces) if piece.text), 0)
                self.pieces.append(SourceText(last.closer, (end,) * len(last.closer)))


def balanced(source: SourceText) -> SourceText:
    """The source with every group, formula and environment closed once, in order.

    Raises:
        UnreadablePaperError: more than eighty groups lie in one another.
    """
    balance = _Balance(source)
    balance.run()
    return joined(balance.pieces)
