"""Cuts a paragraph into sentences with their offsets."""

import itertools
import re
from functools import cache

import pysbd

__all__ = ["sentence_spans"]

_OPEN_END = re.compile(
    r"(?:^|[\s(\[])(?:Figs?|Tabs?|Tbl|Eqs?|Eqn|Secs?|Sect|Apps?|Alg|Algs|Refs?|Chap|Def|Thm|Prop|Lem|Cor|al|cf|resp|vs|approx|"
    r"i\.i\.d|i\.e|e\.g|w\.r\.t|viz|No|Nos|pp|Vol|[A-Z])\.$"
)
_LONGEST = 20000


@cache
def _segmenter() -> pysbd.Segmenter:
    return pysbd.Segmenter(language="en", clean=False)


def sentence_spans(text: str) -> tuple[tuple[int, int], ...]:
    """Start and end of each sentence, without the white space around it; together they hold all other characters."""
    if len(text) > _LONGEST:
        return tuple((m.start(), m.end()) for m in re.finditer(r"\S(?:.*?[.!?](?=\s|$)|.*$)", text, re.DOTALL))
    cuts = [0]
    position = 0
    for piece in _segmenter().segment(text):
        wanted = str(piece).strip()
        if not wanted:
            continue
        found = text.find(wanted, position)
        if found < 0:
            continue
        position = found + len(wanted)
        cuts.append(position)
    cuts.append(len(text))
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


def _continues(before: str, after: str) -> bool:
    """Whether a cut is wrong: after an abbreviation, before a lower-case letter, or it leaves no words."""
    if _OPEN_END.search(before) and not re.match(r"[A-Z][a-z]+\s[a-z]", after):
        return True
    if re.search(r"(?:Fig|Tab|Eq|Sec|App|Alg|al|e\.g|i\.e|vs|cf)s?\.$", before):
        return True
    if after[:1].islower() and not before.endswith(("!", "?")):
        return True
    return not any(c.isalpha() for c in after) and len(after) < 6
