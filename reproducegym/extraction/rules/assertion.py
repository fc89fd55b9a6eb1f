"""Whether a sentence says of its authors' own results that something is so: neither denied, guessed nor quoted."""

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

from reproducegym.extraction.rules.labels import Mention

__all__ = ["reports_others", "states"]

_HEDGES = re.compile(
    r"\b(?:not|cannot|never|neither|nor|hardly|barely|scarcely|unable|fails?|failed|failing|refut\w+|no longer"
    r"|may|might|could|would|should|must|expects?|(?:we|was|were|is|are|be|been|as|had|have|has|would) expected"
    r"|hypothes\w*|believe\w*"
    r"|conjectur\w*|suppose[ds]?"
    r"|assum(?:e|es|ed|ing)|hop(?:e|es|ed|ing)|aim(?:s|ed|ing)?|intend\w*|want(?:s|ed)?|plan(?:s|ned)? to|unclear"
    r"|unlikely|likely|doubt\w*|questionable|whether|if|unless|perhaps|possibly|potential\w*|presumably|supposedly"
    r"|allegedly|seem(?:s|ed|ingly)?|appears? to|appeared to|contrary to|imagin\w*|in theory|theoretically)\b"
    r"|\b(?:short of|far from|by no means|in principle|ideally|at best|remains to be|speculat\w+|suspect\w*"
    r"|conceivabl[ey])\b"
    r"|\bno (?:better|worse|higher|lower|more|less|faster|slower|gains?|improvements?|benefits?|advantages?)\b"
    r"|\b(?:instead of|rather than|without) (?:improving|reaching|outperforming|reducing|increasing|surpassing"
    r"|beating)\b"
    r"|\b(?:var(?:ies|y)|rang(?:es?|ing)|fluctuat\w+|oscillat\w+) (?:\w+ )?(?:between|from|around|within)\b|\basked\b"
    r"|\binitially\b|\bat first\b|\bat initiali[sz]ation\b|\bbefore (?:we|it|any|fix\w+|tun\w+|train\w+|convergence)\b"
    r"|\b(?:goal|target|objective|ambition) (?:was|is|were|of)\b|\b(?:false|wrong|untrue|incorrect|disproved?) that\b"
    r"|n['’]t\b|\bnone of\b|\bno one\b|\b(?:in|on|at|for|by|under|with|there (?:is|are|was|were)) no\s"
    r"|\bno (?:evidence|sign|indication|significant|notable|measurable|clear|real|run|runs|case|seed|setting|other)\b",
    re.IGNORECASE,
)
_CONTRAST = re.compile(
    r"\bnot only\b|\bif any\b|\bif not (?:more|better)\b|(?:,|\bbut|\band|\(|–|—)\s*not (?:the |by |with |on |in "
    r"|of )*•+"
    r"|\bno\s+•+",
    re.IGNORECASE,
)
_CONDITIONAL = re.compile(r"\b(?:if|unless|provided that|assuming|suppos(?:e|ing)|were it|had it)\b", re.IGNORECASE)
"""What governs the whole sentence, wherever it stands."""
_CLAUSE_ENDS = re.compile(
    r";|,?\s\b(?:but|while|whereas|although|though|however|yet|even though)\b"
    r"|,\s(?:and\s)?(?:it|we|they|our|ours|this|these|thus|hence|•)(?=\W)",
    re.IGNORECASE,
)
_OTHERS = re.compile(
    r"\baccording to (?!•|tables?\b|tab\.|fig|our\b|the (?:tables?|results?|figures?)\b)"
    r"|\b(?:prior|previous|earlier|past|existing|recent|related|published|other) (?:\w+ )?(?:works?|stud(?:y|ies)"
    r"|papers?"
    r"|authors?|research(?:ers)?|literature|reports?|publications?)\b[^,;.]{0,40}\b(?:reports?|reported|claim\w*|finds?"
    r"|found|shows?|showed|shown|state[sd]?|observ\w+|achiev\w+|reach\w*|obtain\w*|note[sd]?|argue[sd]?|document\w*)\b"
    r"|\b(?:in|by|from) (?:its|their|his|her) (?:\w+ )?(?:papers?|stud(?:y|ies)|works?|publications?|reports?"
    r"|articles?)\b"
    r"|\b(?:first|earlier|previous|older|preliminary) (?:version|draft|preprint|release)s?\b"
    r"|\bthe authors (?:of|report|claim|state|find|found)|\bin (?:the )?(?:\w+ )?literature\b"
    r"|\b(?:published|reported|claimed) (?:accurac|error|result|score|number|figure|return|value|perplexit"
    r"|performance)\w*"
    r"|\boriginal(?:ly)? (?:papers?|publications?|authors?|works?|reported)\b|\b(?:its|their) (?:own )?authors\b"
    r"|\b(?:was|were|is|are|been) (?:said|reported|claimed|believed|known|supposed|thought) (?:to|by|that)\b"
    r"|\bas (?:reported|claimed|published) (?:in|by)\b(?! (?:tables?|tab\.|fig|section|us\b|our\b))"
    r"|^(?:the |a )?(?:previous(?:ly)?|prior|earlier|existing) (?:[\w-]+ )*?(?:systems?|methods?|models?"
    r"|approach\w*|results?"
    r"|records?|numbers?|state of the art) (?:reach|achiev|obtain|report|attain|had|has|was|were|is|got)\w*",
    re.IGNORECASE,
)
_PERSON = r"(?:[A-Z][a-z’'-]+(?: [A-Z]\.)?|[A-Z]\. [A-Z][a-z’'-]+)"
_PERSONS = re.compile(
    rf"(?<![•\w]){_PERSON}(?:,? (?:and|&) {_PERSON}| et al\.?| and (?:colleagues|others|co-?workers))"
    r"(?:,?\s?[(\[][^()\[\]]*[)\]])? (?:have |had |also |first |recently )*(?:find|finds|found|report(?:s|ed)?"
    r"|claim(?:s|ed)?"
    r"|state[sd]?|argue[sd]?|showed|shown?|observed?|noted?|obtain(?:s|ed)?|achieved?|demonstrated?|measured?|saw"
    r"|published)\b"
)


def states(text: str, mentions: Sequence[Mention], numbers: Iterable[int] = ()) -> bool:
    """Whether the clauses around the numbers (the whole sentence where there is none) hold without any reserve.

    Names of rows and columns don't count: "w/o memory" denies nothing.
    """
    plain = _CONTRAST.sub(lambda match: "•" * len(match.group()), _unnamed(text, mentions))
    ends = sorted({0, len(plain), *(match.start() for match in _CLAUSE_ENDS.finditer(plain))})
    if _CONDITIONAL.search(plain):
        return False
    positions = list(numbers)
    clauses = [
        plain[start:end]
        for start, end in pairwise(ends)
        if not positions or any(start <= place < end for place in positions)
    ]
    return not any(_HEDGES.search(clause) for clause in clauses)


def reports_others(text: str, mentions: Sequence[Mention]) -> bool:
    """Whether a sentence passes on what other authors found."""
    plain = _unnamed(text, mentions)
    return bool(_OTHERS.search(plain) or _PERSONS.search(plain))


def _unnamed(text: str, mentions: Sequence[Mention]) -> str:
    """The text with the names of rows and columns blanked, letter by letter."""
    letters = list(text)
    for mention in mentions:
        letters[mention.start : mention.end] = "•" * (mention.end - mention.start)
    return "".join(letters)
