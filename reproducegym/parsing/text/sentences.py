"""Cuts a paragraph into sentences with their offsets."""

import itertools
import re
from collections.abc import Iterator

import sentencex

__all__ = ["sentence_spans"]

_NAMES = (
    r"Figs?|Tabs?|Tbls?|Eqs?|Eqns?|Secs?|Sects?|Subsec|Apps?|Appx|Algs?|Refs?|Chaps?|Ch|Defs?|Thms?|Props?|Lems?|Cors?"
    r"|Rems?|Exs?|Asm|Assump|No|Nos|Nr|Vol|pp|p|Abb|Kap|Abschn|Gl"
)
_NAME = re.compile(rf"(?:^|[\s(\[~])(?i:{_NAMES})\.$")
_LABEL = re.compile(r"[\d(\[#]|[A-Z]{1,2}(?:[.\d]|\b)")
_ALWAYS_OPEN = re.compile(
    r"(?:^|[\s(\[~])(?:(?i:cf|vs|e\.g|i\.e|eg|ie|w\.r\.t|s\.t|a\.k\.a|viz|approx|ca|z\.\s?B|d\.\s?h|bzw|vgl|u\.\s?a|bspw)"
    r"|Dr|Prof|Mr|Mrs|Ms|St|Jr|Sr)\.$"
)
_MOSTLY_OPEN = re.compile(r"(?:^|[\s(\[~])(?:al|resp|incl|excl|etc|i\.i\.d|dept|univ|inc|ltd|corp)\.$", re.IGNORECASE)
_INITIAL = re.compile(r"(?:^|[\s(\[.])[A-Z]\.$")
_LETTERED = re.compile(
    r"\b(?:appendix|appendices|app\.|section|sec\.|table|figure|fig\.|panel|part|class|group|type|case|option|model|step"
    r"|setting|variant|method|policy|agent|row|column|and|vitamin|domain)\s[A-Z]\.$",
    re.IGNORECASE,
)
_ENUMERATOR = re.compile(r"\(?(?:\d{1,3}|[A-Za-z]|[ivxIVX]{1,4})(?:\.\d{1,2})*[.)]")
_OPENER = re.compile(
    r"(?:We|The|This|These|Those|That|There|They|It|Its|In|Our|However|Here|For|As|To|Note|When|While|With|Since|"
    r"Although|Moreover|Furthermore|Finally|Then|Thus|Hence|Therefore|If|Given|By|On|At|From|Using|All|Both|Each|"
    r"Unlike|Similarly|Additionally|Instead|Such|Another|One|Other|Some|Most|Many|An|A|Let|Recently|Large|Figure|Table)"
    r"[\s,]"
)
_MISSED = re.compile(r"\b(?:\w*[a-z]{2}|\d\s?[a-zµ]{1,2}|\d|%|i\.i\.d)[.!?][\"”’')\]]*(?P<cut>\s+)(?=[A-Z])")
_LONGEST = 20000


def sentence_spans(text: str, language: str = "en") -> tuple[tuple[int, int], ...]:
    """Start and end of each sentence, without the white space around it; together they hold all other characters.

    `language` is an ISO 639-1 code; it tells which abbreviations there are.
    """
    cuts = sorted({0, len(text), *_cuts(text, language)})
    spans: list[tuple[int, int]] = []
    for start, end in itertools.pairwise(cuts):
        inner = text[start:end]
        if not inner.strip():
            continue
        first = start + len(inner) - len(inner.lstrip())
        last = end - (len(inner) - len(inner.rstrip()))
        if spans and _continues(text[spans[-1][0] : spans[-1][1]], text[first:last]):
            spans[-1] = (spans[-1][0], last)
        else:
            spans.append((first, last))
    return tuple(spans)


def _cuts(text: str, language: str) -> Iterator[int]:
    """Where sentences may end: offsets that follow white space, and ends of full stops that need none."""
    if len(text) > _LONGEST:
        yield from (match.end() for match in re.finditer(r"[.!?]\s+", text))
        return
    for found in sentencex.get_sentence_boundaries(language, text):
        end = int(found["end_index"])
        if text[end - 1 : end].isspace() or text[end - 1 : end] in ("。", "！", "？"):
            yield end
    yield from (match.end() for match in _MISSED.finditer(text) if _OPENER.match(text, match.end()))


def _continues(before: str, after: str) -> bool:
    """Whether a cut is wrong: after an abbreviation, an initial or a bare number, or before what starts no sentence."""
    if _ENUMERATOR.fullmatch(before) or _ALWAYS_OPEN.search(before):
        return True
    if _NAME.search(before) and _LABEL.match(after):
        return True
    if _MOSTLY_OPEN.search(before) and not _OPENER.match(after):
        return True
    if _INITIAL.search(before) and not _LETTERED.search(before) and not re.match(r"[A-Z][a-z]*\s[a-z]", after):
        return True
    if after[:1].islower() and not before.endswith(("!", "?")):
        return True
    if re.search(r"(?<![\d.])\d+\.$", before) and after[:1].isdigit():
        return not _ENUMERATOR.match(after)
    return not any(c.isalpha() for c in after) and len(after) < 6 and not _ENUMERATOR.fullmatch(after)
