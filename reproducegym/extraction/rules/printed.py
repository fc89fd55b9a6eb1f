"""Tells the numbers of a sentence apart: results, differences as printed, set-up numbers, names of rows."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from reproducegym.extraction.rules.labels import Mention
from reproducegym.extraction.rules.metric_words import metric_word
from reproducegym.pipeline.printed.numbers import Number, read_numbers
from reproducegym.schema.claim import Relation

__all__ = ["Effect", "Said", "numbers_said", "significant_digits"]

Effect = Literal["points", "relative", "percent", "ratio", "plain"]


@dataclass(frozen=True)
class Said:
    """A number of a sentence. `effect` says what kind of difference it is; None: a measured value."""

    number: Number
    effect: Effect | None
    relation: Relation


_SET_UP = re.compile(
    r"^[\s-]?(?:(?!(?:in|on|at|over|for|after|with|from|by|and|or|to|than|across)\s)[a-z-]+\s){0,2}(?:steps?"
    r"|timesteps?|episodes?|epochs?|iterations?|seeds?|runs?"
    r"|trials?|folds?|layers?|samples?|examples?|images?"
    r"|questions?|problems?|prompts?|tokens?|parameters?|GPUs?|TPUs?|CPUs?|days?|hours?"
    r"|minutes?|weeks?|years?|pairs?|sentences?|agents?|workers?"
    r"|tasks?|data ?sets?|environments?|benchmarks?|classes|arms?|states?|heads?|billion"
    r"|million|experiments?|subjects?|participants?|types?|of (?:the )?"
    r"(?:data|training|labels?|train|steps|test|samples|examples))\b(?!\s(?:accuracy|return|reward|score|loss|error))",
    re.IGNORECASE,
)
_BY = re.compile(
    r"\b(?:by|loses?|lost|gains?|gained|adds?|added|drops?|dropped|falls?|rises?"
    r"|improvements? of|gains? of|reductions? of|increases? of|drops? of"
    r"|differences? of|gap of|margins? of|speed-?ups? of)\s(?:about |around |approximately "
    r"|roughly |over |more than |at least |up to |only |as much as |nearly |almost "
    r"|an? (?:average|absolute|relative) (?:of )?|on average |~)*$",
    re.IGNORECASE,
)
_POINTS = re.compile(r"^[\s-]?(?:\w+\s)?(?:absolute |percentage )?points?\b", re.IGNORECASE)
_MORE = re.compile(
    r"^[\s-]?(?:\w+\s){0,2}(?:points?\s)?(?:higher|lower|better|worse|more|less|fewer|larger"
    r"|smaller|faster|slower|greater|shorter|longer"
    r"|improvements?|increases?|reductions?|decreases?|gains?|drops?|speed-?ups?|boosts?|above|below|ahead|behind)\b",
    re.IGNORECASE,
)
_RELATIVE = re.compile(r"\brelative(?:ly)?\b", re.IGNORECASE)
_ABSOLUTE = re.compile(r"\babsolute\b", re.IGNORECASE)
_TIMES = re.compile(
    r"^\s?(?:times|fold)\s(?:the|as|higher|lower|faster|slower|more|less|fewer|larger|smaller|better|that)\b",
    re.IGNORECASE,
)
_AT_LEAST = re.compile(r"(?:more than|over|at least|above|exceeding|upwards of)\s(?:a\s)?$", re.IGNORECASE)
_AT_MOST = re.compile(r"(?:less than|under|at most|below|up to)\s(?:a\s)?$", re.IGNORECASE)
_COMPARED = re.compile(r"[<>≤≥≈=∈±]\s*$")
_VAGUE = re.compile(
    r"(?:close to|near|nearly|almost|up to|less than|at most|under|below|between|above|at least|more than|beyond"
    r"|exceed\w*|within|(?<!improves )(?<!improve )(?<!improving )(?<!improvement )over|stays? at)\s(?:the\s)?$",
    re.IGNORECASE,
)


def numbers_said(text: str, mentions: Sequence[Mention]) -> tuple[Said, ...]:
    """The numbers of a sentence that can be results or effects; set-up numbers and names of rows are left out."""
    found = []
    for number in read_numbers(text):
        before, after = text[: number.start], text[number.end :]
        inside_name = any(mention.start < number.end and number.start < mention.end for mention in mentions)
        effect = _effect(number, before, after, text)
        if effect is None and (_COMPARED.search(before) or significant_digits(number) < 2):
            continue
        if (inside_name and effect is None) or (effect is None and (_SET_UP.match(after) or _VAGUE.search(before))):
            continue
        found.append(Said(number, effect, _relation(before, effect)))
    return tuple(found)


def significant_digits(number: Number) -> int:
    """How many significant digits are printed; zeros at the end of a whole number count."""
    printed = re.match(r"[^\d]*([\d.,]+)", number.text)
    return len(re.sub(r"[.,]", "", printed.group(1)).lstrip("0")) if printed else 0


def _relation(before: str, effect: Effect | None) -> Relation:
    if effect is None or not _AT_LEAST.search(before):
        return "at_most" if effect is not None and _AT_MOST.search(before) else "equals"
    return "at_least"


def _effect(number: Number, before: str, after: str, text: str) -> Effect | None:
    if _TIMES.match(after) or (number.unit == "×" and not re.match(r"\s?\d", after)):
        return "ratio"
    if number.unit == "pp":
        return "points"
    by, more = bool(_BY.search(before)), bool(_more(after))
    if _POINTS.match(after) and (by or more):
        return "points"
    if number.unit == "%" and (by or more):
        if _RELATIVE.search(after[:30]) or _RELATIVE.search(before[-20:]):
            return "relative"
        return "points" if _ABSOLUTE.search(after[:20]) or _ABSOLUTE.search(before[-20:]) else "percent"
    if number.unit in {"", "s", "h", "ms"} and (by or more) and not _SET_UP.match(after):
        return "plain"
    return None


def _more(after: str) -> bool:
    """ "0.9 BLEU worse than": a comparative right behind the number, across at most a metric's name."""
    match = _MORE.match(after)
    if match is None:
        return False
    between = match.group().strip(" -").rsplit(" ", 1)[0] if " " in match.group().strip(" -") else ""
    return (
        not between
        or metric_word(between) is not None
        or between.casefold() in {"points", "percentage points", "absolute", "relative"}
    )
