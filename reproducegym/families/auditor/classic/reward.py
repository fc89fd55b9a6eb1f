"""The classic reward: F1 of names, and keywords that no dismissive phrase stands beside."""

import re
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from functools import cache

from reproducegym.families.auditor.classic.kind import Kind
from reproducegym.families.auditor.nouns import Finding, Scored

__all__ = ["audit_reward", "f1", "hits", "names_it"]

_REACH = 48
"""How many characters before and after a keyword a dismissive phrase is looked for, within its line."""

_DISMISSIVE = re.compile(
    r"no need (?:for|to)|not (?:required|needed|necessary|an issue|a problem)|unnecessary|"
    r"(?:is|are|was|were|has been|have been) already (?:seeded|set|pinned|fixed|deterministic|present|handled)|"
    r"already (?:seeded|set|pinned)|(?:do not|don't|does not|doesn't) need|n't (?:needed|required|necessary)|"
    r"is fine|looks fine|looks good|no (?:issue|problem) with"
)


def f1(said: AbstractSet[str], true: AbstractSet[str]) -> float:
    """Harmonic mean of precision and recall; 1 where both are empty."""
    return 2 * len(said & true) / (len(said) + len(true)) if said or true else 1.0


def hits(kind: Kind, places: AbstractSet[str], finding: Finding) -> bool:
    """Whether a finding names a kind, in a file where it lives."""
    if finding.file_name.removeprefix("./") not in places:
        return False
    return names_it(kind.keywords, f"{finding.violation_type}\n{finding.suggested_fix_code}")


def names_it(keywords: tuple[str, ...], text: str) -> bool:
    """Whether one of the keywords stands in the text with no dismissive phrase before or after it in its line."""
    return any(not _dismissed(text, *found.span()) for found in _pattern(keywords).finditer(text))


def audit_reward(matches: Sequence[Sequence[int]], planted: int) -> Scored:
    """The reward of findings, of which each names some of the planted violations (by number, from 0).

    A finding stands for one violation and a violation counts once; the assignment that counts most is taken. What names
    a violation beside others that do too is no false positive.
    """
    false = sum(not one for one in matches)
    naming = [one for one in matches if one]
    hit = len({one[0] for one in naming}) if all(len(one) == 1 for one in naming) else _assigned(naming, planted)
    reward = min(1.0, max(0.0, (hit - false) / planted))
    return Scored(reward, {"hits": float(hit), "false": float(false), "planted": float(planted)})


def _assigned(naming: Sequence[Sequence[int]], planted: int) -> int:
    """The most violations that findings can stand for, where some name several."""
    import numpy as np
    from scipy.optimize import linear_sum_assignment

    gain = np.zeros((len(naming), planted))
    for row, one in enumerate(naming):
        gain[row, list(one)] = 1
    return int(gain[linear_sum_assignment(gain, maximize=True)].sum())


def _dismissed(text: str, first: int, last: int) -> bool:
    start = max(text.rfind("\n", 0, first) + 1, first - _REACH)
    stop = text.find("\n", last)
    end = min(len(text) if stop < 0 else stop, last + _REACH)
    around = text[start:end].lower()
    return _DISMISSIVE.search(around) is not None


@cache
def _pattern(keywords: tuple[str, ...]) -> re.Pattern[str]:
    whole = r"(?<![\w.])"
    words = (f"{whole if word[0].isalnum() else ''}{re.escape(word)}" for word in keywords)
    return re.compile("|".join(words), re.IGNORECASE)
