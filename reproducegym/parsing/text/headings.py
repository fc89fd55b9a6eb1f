"""Tells headings from text by number, font and known names."""

import re
from dataclasses import dataclass

from reproducegym.parsing.pdf.columns import Row

__all__ = ["Heading", "heading_of"]

_NUMBERED = re.compile(
    r"(?P<number>(?:Appendix\s+)?(?:\d{1,2}(?:\.\d{1,2}){0,4}|[A-Z](?:\.\d{1,2}){0,4}|[IVX]{1,5}))(?P<dot>[.:)]?)\s+(?P<title>\S.*)"
)
_KNOWN = frozenset(
    [
        "abstract",
        "introduction",
        "references",
        "bibliography",
        "acknowledgments",
        "acknowledgements",
        "acknowledgment",
        "acknowledgement",
        "conclusion",
        "conclusions",
        "discussion",
        "appendix",
        "background",
        "methods",
        "method",
        "results",
        "experiments",
        "zusammenfassung",
        "literaturverzeichnis",
        "summary",
    ]
)


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading as printed; `depth` is that of its number, None without one."""

    number: str | None
    title: str
    depth: int | None
    size: float
    bold: bool


def heading_of(row: Row, body: float, gap_above: float, gap_below: float) -> Heading | None:
    """The heading that a row is, or None; gaps are distances to the neighbouring baselines in the row's font size."""
    text = row.text.strip()
    if len(text) > 130 or sum(c.isalpha() for c in text) < 3 or text.endswith((",", ";")):
        return None
    line = row.line
    large, bold = line.size >= 1.08 * body, line.bold
    capitals = text.upper() == text and sum(c.isalpha() for c in text) > 4
    name = re.sub(r"[\s.:—-]+$", "", text).lower()
    spread_name = name.replace(" ", "")
    known = name in _KNOWN or spread_name in _KNOWN
    match = _NUMBERED.fullmatch(text)
    if (
        known
        and (bold or large or capitals or gap_above > 1.6 or text == text.title())
        and (bold or large or gap_below > 1.3 or capitals)
    ):
        return Heading(
            None, name.capitalize() if capitals or " " in name else text.rstrip(".:—- "), None, line.size, bold
        )
    if match is not None and _titled(match["title"]):
        depth = match["number"].count(".") + 1
        emphatic = large or bold or (capitals and gap_above > 1.2) or (line.italic and gap_above > 1.3)
        small_caps = not emphatic and gap_above > 1.5 and gap_below > 1.2 and _small_caps(row)
        if (emphatic or small_caps) and not (text.endswith(".") and not bold and not large):
            return Heading(match["number"], match["title"].strip(), depth, line.size, bold)
        return None
    if text.endswith((".", ":")) and not large:
        return None
    isolated = gap_above > 1.3 and line.box[2] - line.box[0] < 0.9 * (row.right - row.left)
    if not (large or bold) or not isolated or not text[0].isalnum() or not _titled(text):
        return None
    if not large and (text[0].islower() or len(text.split()) > 12):
        return None
    return Heading(None, text, None, line.size, bold)


def _titled(title: str) -> bool:
    letters = sum(c.isalpha() for c in title)
    return letters >= 3 and letters > 0.55 * len(title.replace(" ", "")) and "=" not in title and not title[0].islower()


def _small_caps(row: Row) -> bool:
    letters = [c for piece in row.line.pieces for c in piece.text if c.isalpha()]
    return bool(letters) and all(c.isupper() for c in letters)
