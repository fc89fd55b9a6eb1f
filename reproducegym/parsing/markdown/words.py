"""Spells the words of Markdown source without their markup, each with its line and columns."""

import html
import re
from collections.abc import Iterable, Sequence

from reproducegym.parsing.written.words import SourceWord
from reproducegym.schema.paper import Mark

__all__ = ["marks_in", "words_of_lines"]

_MARKUP = re.compile(
    r"(?P<tag><!--.*?-->|</?(?P<name>[A-Za-z][A-Za-z0-9]*)\b[^<>]*>)"
    r"|!\[(?P<alt>[^\]]*)\]\([^)\s]*(?:\s[^)]*)?\)"
    r"|\[(?P<link>[^\]\[]+)\]\([^)\s]*(?:\s[^)]*)?\)"
    r"|(?P<command>\\(?:pm|times|cdot|approx|sim|leq|geq|le|ge)(?![A-Za-z]))"
    r"|\\(?P<escaped>[!-/:-@\[-`{-~])"
    r"|(?P<entity>&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});)"
    r"|(?P<mark>~~|`+|\$+)"
)
_EMPHASIS = re.compile(
    r"(?<![\\\w*])(\*{1,3})(?=[^\s*])(.+?)(?<=[^\s*\\])\1(?![*\w])|(?<![\\\w_])(_{1,3})(?=[^\s_])(.+?)(?<=[^\s_\\])\3(?![\w_])"
)
_INNER_STARS = re.compile(r"(?<!\\)(\*\*)(?=[^\s*])(.+?)(?<=[^\s*\\])\1")
_COMMANDS = {
    "\\pm": "±", "\\times": "×", "\\cdot": "·", "\\approx": "≈", "\\sim": "∼",
    "\\leq": "≤", "\\geq": "≥", "\\le": "≤", "\\ge": "≥",
}  # fmt: skip
_SUPERSCRIPTS = str.maketrans("0123456789+-−", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻")
_BREAKING = frozenset(
    [
        "td",
        "th",
        "tr",
        "br",
        "p",
        "div",
        "li",
        "ul",
        "ol",
        "table",
        "caption",
        "thead",
        "tbody",
        "tfoot",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
    ]
)


def words_of_lines(lines: Sequence[str], separators: dict[int, tuple[int, ...]]) -> list[SourceWord]:
    """All words in order; `separators` gives for a line the columns of pipes that part cells."""
    return [word for number, line in enumerate(lines) for word in _words(line, number, separators.get(number, ()))]


def _words(line: str, number: int, separators: Sequence[int]) -> list[SourceWord]:
    words: list[SourceWord] = []
    text, start, end = "", 0, 0
    for shown, a, b in _shown(line, separators):
        for char in shown:
            if char.isspace() or not char.isprintable():
                if text:
                    words.append(SourceWord(text, number, start, end))
                text = ""
            else:
                if not text:
                    start = a
                text += char
                end = b
    if text:
        words.append(SourceWord(text, number, start, end))
    return words


def _shown(line: str, separators: Sequence[int]) -> Iterable[tuple[str, int, int]]:
    """What a reader sees of a line, as (text, first column, end column); markup gives nothing or a space."""
    hidden = _emphasis_columns(line)
    hidden |= _leading_markup(line)
    raised = False
    position = 0
    while position < len(line):
        match = _MARKUP.match(line, position)
        if position in separators:
            yield " ", position, position + 1
            position += 1
        elif match is None:
            if position not in hidden:
                char = line[position]
                yield (char.translate(_SUPERSCRIPTS) if raised else char), position, position + 1
            position += 1
        else:
            name = (match["name"] or "").lower()
            if name == "sup":
                raised = not match[0].startswith("</")
            yield from _replaced(match, name)
            position = match.end()


def _replaced(match: re.Match[str], name: str) -> Iterable[tuple[str, int, int]]:
    start, end = match.span()
    for group in ("alt", "link"):
        if match[group] is not None:
            base = match.start(group)
            shown = [(c, base + k, base + k + 1) for k, c in enumerate(match[group])]
            apart = [(" ", start, end)] if group == "alt" else []  # an image is no part of a word beside it
            yield from (*apart, *shown, *apart)
            return
    if match["command"]:
        yield _COMMANDS[match["command"]], start, end
    elif match["escaped"]:
        yield match["escaped"], start, end
    elif match["entity"]:
        yield html.unescape(match["entity"]), start, end
    elif match["tag"] and name in _BREAKING:
        yield " ", start, end


def _emphasis_columns(line: str) -> set[int]:
    """Columns of the stars and underscores that only mark emphasis."""
    hidden: set[int] = set()
    for pattern in (_EMPHASIS, _INNER_STARS):
        position = 0
        while (match := pattern.search(line, position)) is not None:
            size = len(match[1] or match[3]) if pattern is _EMPHASIS else 2
            hidden.update(range(match.start(), match.start() + size))
            hidden.update(range(match.end() - size, match.end()))
            position = match.start() + size
    return hidden


def _leading_markup(line: str) -> set[int]:
    """Columns of heading signs, quote signs and bullets at the start of a line."""
    match = re.match(r"\s{0,3}(?:#{1,6}(?=\s|$)|(?:>\s?)+|(?:[-*+]|\d{1,9}[.)])(?=\s))", line)
    if match is None:
        return set()
    kept = re.match(r"\s*\d", line) is not None
    return set() if kept else set(range(match.start(), match.end()))


def marks_in(source: str, text: str) -> tuple[Mark, ...]:
    """Marks of a cell from its source and what it shows."""
    marks: list[Mark] = []
    if re.search(r"\*\*|__(?=\S)|<(?:b|strong)\b|\\(?:mathbf|textbf)\b", source, re.IGNORECASE):
        marks.append("bold")
    if re.search(r"(?<!\*)\*(?!\*)\S.*?(?<!\*)\*(?!\*)|<(?:i|em)\b|\\(?:textit|mathit)\b", source, re.IGNORECASE):
        marks.append("italic")
    if re.search(r"<u\b|\\underline\b", source, re.IGNORECASE):
        marks.append("underline")
    if re.search(r"<sup\b", source, re.IGNORECASE) or re.search(r"[⁰¹²³⁴-⁹]", text):
        marks.append("superscript")
    if re.search(r"<sub\b", source, re.IGNORECASE):
        marks.append("subscript")
    if re.search(r"[†‡∗⋆★§¶]|\w\*(?!\w)", text):
        marks.append("dagger")
    return tuple(marks)
