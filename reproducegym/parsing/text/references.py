"""Finds where sentences and captions refer to tables, figures, sections and equations, and resolves them."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from reproducegym.schema.paper import Caption, Equation, Figure, Paragraph, Reference, Section, Table

__all__ = ["Mention", "Pieces", "mentions_in", "references_of"]

Kind = Literal["table", "figure", "section", "equation"]

_WORD = re.compile(
    r"(?<![\w-])(?P<extra>(?:Supplementary|Supplemental|Extended\s+Data)\s+)?(?:"
    r"(?P<table>(?:tables?|tabellen?|tableaux?)\b|(?:tabs?|tbls?)\b\.?)"
    r"|(?P<figure>(?:figures?|abbildung(?:en)?)\b|(?:figs?|abb)\b\.?)"
    r"|(?P<appendix>(?:appendix|appendices|anhang)\b|(?:appx|apps?)\.)"
    r"|(?P<section>(?:(?:sub)*sections?|chapters?|abschnitte?n?|kapiteln?)\b|(?:secs?|sects?|chaps?)\.|§{1,2})"
    r"|(?P<equation>(?:equations?|gleichung(?:en)?)\b|(?:eqs?|eqns?)\b\.?)"
    r")\s*",
    re.IGNORECASE,
)
_PLURAL = re.compile(r"(?:s|en|ices|aux|§§)\.?\s*$", re.IGNORECASE)
_FLOAT_LABEL = re.compile(r"[A-Z]{0,2}[.-]?\d{1,3}(?:\.\d{1,3})*(?![\d%])(?!\.\d)|[IVXL]+\b")
_SECTION_LABEL = re.compile(
    r"(?:\d{1,2}(?:\.\d{1,2}){0,4}|[IVXL]+(?:-[A-Z]\d?)?|[A-Z]{1,2}(?:[.-]?\d{1,2}){0,4})(?![\w%])(?!\.\d)"
)
_EQUATION_LABEL = re.compile(r"\(?(?P<label>[A-Z]?\.?\d{1,3}(?:\.\d{1,3})*[a-z]?)(?![\w%])\)?")
_PANEL = re.compile(
    r"\s?\((?P<group>[a-hA-H](?:\s?(?:,|and|&|[-–—])\s?[a-hA-H])*|left|right|middle|centre|center|top|bottom)\)"
    r"|(?P<glued>[a-h](?:[-–—][a-h])?)(?!\w)|,?\s(?P<side>left|right|top|bottom)(?=[\s,.;:)]|$)"
)
_MORE_PANELS = re.compile(r"\s?(?:,|and|&|(?P<range>[-–—]))\s?\((?P<panel>[a-hA-H])\)")
_BETWEEN = re.compile(
    r"\s*(?:(?P<range>[-–—]|\bto\b|\bthrough\b|\bbis\b)|(?P<last>,?\s*(?:\band\b|\bor\b|\bund\b|&))|[,/])\s*"
)
_OTHER_WORK = re.compile(
    r"\s(?:of|in|from|by)\s(?:the\s(?:original|previous|published|(?:\w+\s)?reference)\s"
    r"(?:paper|work|article|manuscript|publication|study|authors)|\[\d|[A-Z][\w-]+\s(?:et\sal|(?:and|&)\s[A-Z][\w-]+\s\(|\(\d{4}))"
)
_OTHERS = re.compile(
    r"\b(?:their|his|her)\s$|\[\d{1,3}(?:,|;)?\s$|[\[(][^\])]*(?:\bal\.?|[A-Z]\w+),?\s\(?(?:19|20)\d\d[a-z]?\)?,\s$"
)
_LONGEST_RANGE = 20


@dataclass(frozen=True, slots=True)
class Pieces:
    """What a paper holds that can be referred to, and that can refer."""

    sections: Sequence[Section] = ()
    paragraphs: Sequence[Paragraph] = ()
    tables: Sequence[Table] = ()
    figures: Sequence[Figure] = ()
    equations: Sequence[Equation] = ()


@dataclass(frozen=True, slots=True)
class Mention:
    """One named piece in a text; `start:end` are offsets in it.

    `appendix` and `extra` say which numbering is meant. A `loose` mention may be a mere number ("Table 1 and 2 more"),
    to be kept only where it has a target. `foreign` ones are of another paper ("Table 2 of Smith et al.").
    """

    start: int
    end: int
    kind: Kind
    label: str
    panel: str | None
    appendix: bool = False
    extra: bool = False
    loose: bool = False
    foreign: bool = False


def references_of(pieces: Pieces) -> tuple[Reference, ...]:
    """All references in sentences (but those of the bibliography) and captions, in the order of their sources."""
    index = _Index(pieces)
    found: list[Reference] = []
    for paragraph in pieces.paragraphs:
        if paragraph.role != "reference":
            for sentence in paragraph.sentences:
                found += index.references(sentence.id, sentence.text)
    for table in pieces.tables:
        found += index.of_caption(table.id, table.caption)
    for figure in pieces.figures:
        found += index.of_caption(figure.id, figure.caption)
    return tuple(found)


def mentions_in(text: str) -> tuple[Mention, ...]:
    """All mentions in a text, in order; a range gives one for each of its numbers."""
    found: list[Mention] = []
    for word in _WORD.finditer(text):
        found += _listed(text, word)
    return tuple(found)


@dataclass(frozen=True, slots=True)
class _Label:
    """A label with its panels ("5 (a) and (b)") and where they end."""

    label: str
    panels: tuple[str, ...]
    start: int
    end: int


def _listed(text: str, word: re.Match[str]) -> Iterator[Mention]:
    """The mentions after one word: "3", "2 and 3", "1-3", "5 (a) and (b)"."""
    kind = _kind(word)
    plural = _PLURAL.search(word[0]) is not None
    lower = word[0].strip()[:1].islower()
    label = _label(text, word.end(), kind)
    if label is None or (lower and not any(c.isdigit() for c in label.label) and not word["appendix"]):
        return
    foreign = _OTHERS.search(text[: word.start()]) is not None
    start, loose, ended = word.start(), False, False
    while label is not None:
        end = label.end
        between = None if ended else _BETWEEN.match(text, end)
        following = _label(text, between.end(), kind) if between else None
        far = between is not None and following is not None and between["range"] is not None
        members = _between(label.label, following.label) if far and following is not None else []
        if members and following is not None:
            end = following.end
        other = foreign or _OTHER_WORK.match(text, end) is not None
        made = [(label.label, panel) for panel in label.panels or (None,)]
        for name, panel in [(member, None) for member in members] or made:
            yield Mention(
                start, end, kind, name, panel, bool(word["appendix"]), bool(word["extra"]), loose, foreign=other
            )
        if members:
            between = _BETWEEN.match(text, end)
            following = _label(text, between.end(), kind) if between else None
        if between is None or following is None or (between["range"] and not members):
            return
        if not plural and not between["last"] and between[0].strip() != "/":
            return
        if label.label[0].isdigit() and following.label[0].isalpha() and following.label.isalpha():
            return
        ended, loose = bool(between["last"]), not plural
        start, label = following.start, following


def _kind(word: re.Match[str]) -> Kind:
    if word["table"]:
        return "table"
    if word["figure"]:
        return "figure"
    return "equation" if word["equation"] else "section"


def _label(text: str, start: int, kind: Kind) -> _Label | None:
    if kind == "equation":
        match = _EQUATION_LABEL.match(text, start)
        return _Label(match["label"], (), start, match.end()) if match else None
    if kind == "section":
        match = _SECTION_LABEL.match(text, start)
        return _Label(match[0], (), start, match.end()) if match else None
    match = _FLOAT_LABEL.match(text, start)
    if match is None:
        return None
    panels, end = _panels(text, match.end())
    if not panels and text[end : end + 1].isalnum():
        return None
    return _Label(match[0], panels, start, end)


def _panels(text: str, start: int) -> tuple[tuple[str, ...], int]:
    """The panels named after a label, and where they end: "a-c", " (a, b)", " (a) and (b)", ", left"."""
    match = _PANEL.match(text, start)
    if match is None:
        return (), start
    if match["side"] or (len(match["group"] or "") > 3 and match["group"].isalpha()):
        return (match["side"] or match["group"],), match.end()
    named = match["group"] or match["glued"]
    panels = re.findall(r"\b[a-hA-H]\b", named)
    if re.search(r"[-–—]", named) and len(panels) == 2:
        panels = _between(*panels)
    end = match.end()
    while (more := _MORE_PANELS.match(text, end)) is not None:
        panels += _between(panels[-1], more["panel"])[1:] if more["range"] else [more["panel"]]
        end = more.end()
    return tuple(panels), end


def _between(first: str, last: str) -> list[str]:
    """All labels of a range ("A1" to "A3"); none if it is no rising one of one series."""
    low, high = re.fullmatch(r"(.*?)(\d+)", first), re.fullmatch(r"(.*?)(\d+)", last)
    if low is None or high is None:
        letters = len(first) == len(last) == 1 and first.isalpha() and last.isalpha()
        return [chr(c) for c in range(ord(first), ord(last) + 1)] if letters and first < last else []
    if high[1] not in ("", low[1]) or not 0 < int(high[2]) - int(low[2]) < _LONGEST_RANGE:
        return []
    return [f"{low[1]}{number}" for number in range(int(low[2]), int(high[2]) + 1)]


class _Index:
    """Looks targets up by kind and label."""

    def __init__(self, pieces: Pieces) -> None:
        self._sections = pieces.sections
        self._parents = {section.id: section for section in pieces.sections}
        self._floats: dict[Kind, list[tuple[str, str, bool]]] = {
            "table": [_entry(table) for table in pieces.tables if table.label],
            "figure": [_entry(figure) for figure in pieces.figures if figure.label],
            "equation": [(_plain(e.label), e.id, False) for e in pieces.equations if e.label],
        }

    def of_caption(self, source: str, caption: Caption | None) -> list[Reference]:
        """References in a caption, without the name of its own piece at its start."""
        if caption is None:
            return []
        return [found for found in self.references(source, caption.text) if found.start > 0]

    def references(self, source: str, text: str) -> list[Reference]:
        """References in one text."""
        found = []
        for mention in mentions_in(text):
            target, label, panel = self._target(mention)
            if target is None and mention.loose:
                continue
            found.append(
                Reference(
                    source=source,
                    start=mention.start,
                    end=mention.end,
                    kind=mention.kind,
                    label=label,
                    panel=panel,
                    target=target,
                )
            )
        return found

    def _target(self, mention: Mention) -> tuple[str | None, str, str | None]:
        """The id that is meant, with label and panel as the paper numbers them: its "Table 3a" may be a table."""
        if mention.foreign:
            return None, mention.label, mention.panel
        if mention.kind == "section":
            return self._section(mention), mention.label, None
        if mention.panel is not None and len(mention.panel) == 1:
            whole = self._float(mention, mention.label + mention.panel)
            if whole is not None:
                return whole, mention.label + mention.panel, None
        return self._float(mention, mention.label), mention.label, mention.panel

    def _float(self, mention: Mention, label: str) -> str | None:
        plain = _plain(label)
        same = [entry for entry in self._floats[mention.kind] if entry[0] == plain]
        own = [entry for entry in same if entry[2] == mention.extra]
        return next((entry[1] for entry in own or same), None)

    def _section(self, mention: Mention) -> str | None:
        label = _plain(mention.label)
        first, _, second = mention.label.partition("-")
        numbered = [s for s in self._sections if s.number and _plain(s.number) == label]
        if second and not numbered:
            inner = [s for s in self._sections if s.number == second and s.parent is not None]
            numbered = [s for s in inner if s.parent and self._parents[s.parent].number == first]
        if not numbered:
            return None
        if mention.appendix:
            top = min(section.level for section in numbered)
            return [section for section in numbered if section.level == top][-1].id
        return numbered[0].id


def _entry(piece: Table | Figure) -> tuple[str, str, bool]:
    words = piece.caption.text.split()[:1] if piece.caption else []
    return _plain(piece.label or ""), piece.id, bool(words) and words[0].lower().startswith(("supplement", "extended"))


def _plain(label: str) -> str:
    """A label without the marks that print differently in text and captions: "A.1" and "A-1" are "A1"."""
    label = re.sub(r"^(?:Appendix|Anhang)\s+", "", label, flags=re.IGNORECASE)
    return re.sub(r"(?<=[A-Za-z])[.-](?=\d)", "", label).rstrip(".").upper()
