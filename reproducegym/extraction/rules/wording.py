"""The words by which papers speak of set-ups, comparisons and sections, and small judgements on a text's form."""

import re
from typing import Literal

__all__ = [
    "CARDINALS",
    "SectionRole",
    "claims_something",
    "is_placeholder",
    "is_prose",
    "section_role",
    "slug",
]

SectionRole = Literal["abstract", "conclusion", "results", "introduction", "other", "setup", "aside"]

CARDINALS = {
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "seven": 7,
    "eight": 8,
    "nine": 9,
    "ten": 10,
    "twelve": 12,
    "twenty": 20,
    "fifty": 50,
}

_ROLES: tuple[tuple[SectionRole, str], ...] = (
    (
        "aside",
        (
            r"related work|background|prior work|previous work|literature|reference|bibliograph"
            r"|acknowledg|broader impact|checklist|ethic|author contribution|preliminar|notation"
            r"|limitation|future work$|reproducibility"
        ),
    ),
    ("abstract", r"^abstract|^summary$"),
    ("conclusion", r"conclu|discussion and|closing|takeaway"),
    (
        "setup",
        (
            r"set-?up|implementation|training details|hyper-?param|architecture|^(?:\w+ )?datasets?$|^data$"
            r"|^method|methodolog|^approach|our (?:method|approach|model)|evaluation protocol|protocol"
            r"|optimi[sz]er|hardware|baselines?$|environments?$|problem (?:statement|formulation)"
            r"|^training$"
        ),
    ),
    (
        "results",
        (
            r"result|experiment|evaluation|ablation|analys[ie]s|discussion|finding|comparison"
            r"|performance|empirical|benchmark|case study|what matters"
        ),
    ),
    ("introduction", r"^introduction|^overview"),
)
_CLAIMING = re.compile(
    (
        r"outperform|surpass|exceed|easier|harder|simpler|advantage|effective|efficien|\bbeat|improv|better|worse"
        r"|higher|lower|reduc|increas|decreas"
        r"|achiev|reach|attain|state.of.the.art"
        r"|faster|slower|fewer|more .{1,40} than|less .{1,40} than|superior|inferior|compar(?:ed"
        r"|able)|best|worst|significant|gain|\bdrops?\b"
        r"|no (?:notable|significant|measurable) difference|similar|identical|robust|stable"
        r"|we (?:find|show|observe|demonstrate)|help|hurt|raise|\bcuts?\b|match(?:es)?\b"
    ),
    re.IGNORECASE,
)
_ASKS = re.compile(r"\?\s*$|\bwhy (?:is|does|do|are)\b|^(?:how|why|what|which) ", re.IGNORECASE)
_PLACEHOLDER = re.compile(r"\b[XY]{2,}(?:\.X+)?\s?%?|\?\?|\bTBD\b|\bTODO\b")


def section_role(title: str) -> SectionRole | None:
    """What kind of section a title heads; None when the title does not say."""
    bare = re.sub(r"^[\dA-Z.]*\d[.\d]*\s+|^[IVX]+\.\s+|^[A-Z]\.\s+", "", title.strip()).strip()
    for role, pattern in _ROLES:
        if re.search(pattern, bare, re.IGNORECASE):
            return role
    return None


def claims_something(text: str) -> bool:
    """Whether a sentence has the words of a finding."""
    return bool(_CLAIMING.search(text))


def is_placeholder(text: str) -> bool:
    """Whether the authors left a blank ("XX%") instead of a number."""
    return bool(_PLACEHOLDER.search(text))


def is_prose(text: str) -> bool:
    """Whether a text is a statement in words: neither a question nor mostly symbols."""
    words = re.findall(r"[^\W\d_]{2,}", text)
    return len(words) >= 3 and 2 * sum(map(len, words)) > len(text.replace(" ", "")) and not _ASKS.search(text)


def slug(text: str) -> str:
    """A name of `[a-z][a-z0-9_]*` for a label; `x` stands before a leading digit."""
    bare = re.sub(r"[^a-z0-9]+", "_", text.casefold()).strip("_") or "x"
    return bare if bare[0].isalpha() else f"x{bare}"
