"""The words by which papers speak of set-ups and comparisons, and small judgements on a text's form."""

import re

__all__ = [
    "CARDINALS",
    "claims_something",
    "is_placeholder",
    "is_prose",
    "slug",
]

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
