"""Who is compared with whom: treatment and baseline among the rows that a sentence names, and in which sense."""

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Literal

from reproducegym.extraction.rules.entries import Entry
from reproducegym.extraction.rules.labels import Mention, clean_label
from reproducegym.extraction.rules.own_names import is_own
from reproducegym.extraction.rules.reading import Reading

__all__ = ["Cue", "Roles", "baseline_labels", "cue_of", "is_hedged", "roles_of", "sense_holds", "sense_of_change"]

Sense = Literal["better", "worse", "more", "less", "any"]


@dataclass(frozen=True)
class Cue:
    """The comparative of a sentence: where it stands and what it says of the treatment."""

    start: int
    end: int
    sense: Sense


@dataclass(frozen=True)
class Roles:
    """Labels by their part. `best_other`: the baseline is the best of all other rows; `usual`: the paper's baseline."""

    treatments: tuple[str, ...]
    baselines: tuple[str, ...]
    best_other: bool
    usual: bool


_CUES: tuple[tuple[Sense, str], ...] = (
    (
        "better",
        (
            r"outperform\w*|surpass\w*|\bbeats?\b|\bbeat(?:en|ing)\b|exceed\w*|\bahead of\b"
            r"|superior to|improv\w+|\bgains?\b|\bgained\b|better (?:\w+ ){0,5}than|stronger than"
        ),
    ),
    (
        "worse",
        (
            r"underperform\w*|\blags? behind|\btrails?\b|inferior to|worse (?:\w+ ){0,5}than"
            r"|weaker than|\bdegrad\w+|\bhurts?\b|\bloses?\b|\blost\b|\bbehind\b"
        ),
    ),
    (
        "more",
        r"\b(?:higher|more|larger|greater|longer|increas\w+|rais(?:es?|ed|ing)|rises?|rising|rose|grows?|grew"
        r"|climb\w*|boost\w*|lifts?|lifted)\b",
    ),
    (
        "less",
        (
            r"\b(?:lower(?:s|ed|ing)?|less|fewer|smaller|shorter|reduc\w+|cuts?|cutting|decreas\w+"
            r"|drops?|dropped|falls?|fell|shorten\w*)\b"
        ),
    ),
    ("better", r"\b(?:faster|better)\b"),
    ("worse", r"\b(?:slower|worse)\b"),
    ("any", r"compared (?:to|with)|\bversus\b|\bvs\b\.?|relative to|\bagainst\b|\d\s?[×x]\s|\btimes (?:the|as)\b"),
)
_FILLER = (
    r"(?:(?:the|a|an|all|both|its|standard|vanilla|plain|existing|our|full|that of|those of"
    r"|previous|prior|best|results?|achieved|obtained|reported|by|state-of-the-art|methods?|using|only|strong|tuned"
    r"|original|\w+ly|\(?[\d.,±\s]+%?\)?)\s)*[“\"‘']?"
)
_MARKER = re.compile(
    r"(?:\b(?:than|over|compared (?:to|with)|relative to|against|versus|vs\.?|from|ahead of"
    r"|replac\w+|instead of|rather than|in place of|superior to|inferior to|behind|improv\w+ (?:up)?on"
    r"|outperform\w*|surpass\w*|beats?|beating|exceed\w*|underperform\w*|trails?)\s)" + _FILLER + r"$",
    re.IGNORECASE,
)
_OF = re.compile(r"\b(?:[\w-]+\s)?(?:of|for|in)\s" + _FILLER + r"$", re.IGNORECASE)
_PASSIVE = re.compile(
    r"\b(?:is|are|was|were|been|being)\s(?:\w+ly\s)?(?:(?:outperformed|beaten|surpassed|exceeded|bettered)\sby"
    r"|(?:replaced|substituted)\s(?:by|with))\s",
    re.IGNORECASE,
)
_REMOVED = re.compile(r"^(?:w/o|without|no|-|–|−)\s", re.IGNORECASE)
_BEST_OTHER = re.compile(
    r"(?:than|over|outperform\w*|surpass\w*|beats?|exceed\w*|improv\w+ (?:up)?on)\s(?:all |any |the )*(?:of the )?"
    r"(?:(?:next[- ]|second[- ])?best|strongest|closest|previous(?:ly)?|prior|other|existing|rest"
    r"|state[- ]of[- ]the[- ]art|competing|competitors?)\b",
    re.IGNORECASE,
)
_USUAL = re.compile(r"\b(?:the|its|our|a|standard|vanilla)\s(?:[\w-]+\s)?baseline\b(?!s)", re.IGNORECASE)
_BASELINE_ROW = re.compile(
    r"\bbaseline\b|\bvanilla\b|\bnaive\b|^base$|^original$|^standard$|^none$|^no ", re.IGNORECASE
)

_HEDGED = re.compile(
    r"\b(?:(?<!the )most|almost|many|some|often|generally|typically|several|sometimes|mostly|usually|can|may"
    r"|could|might|would"
    r"|expect\w*|hypothes\w*|believe|whether|if|not|nor|neither|no longer|suggest\w*|potential\w*|likely)\b",
    re.IGNORECASE,
)


def is_hedged(text: str) -> bool:
    """Whether a sentence holds only mostly, perhaps, or not at all."""
    return bool(_HEDGED.search(text))


@lru_cache(maxsize=4096)
def cue_of(text: str) -> Cue | None:
    """The first comparative of a sentence, the most telling kind first."""
    found = [
        (match.start(), order, Cue(match.start(), match.end(), sense))
        for order, (sense, pattern) in enumerate(_CUES)
        for match in [re.search(pattern, text, re.IGNORECASE)]
        if match
    ]
    strong = [entry for entry in found if entry[2].sense != "any"]
    chosen = strong or found
    return min(chosen, key=lambda entry: (entry[1] >= 4, entry[0]))[2] if chosen else None


def sense_of_change(text: str) -> Sense:
    """Which way "from … to" goes, by its verb; a verb that only says better or worse leaves it to the metric."""
    if re.search(
        r"\b(?:rais\w+|ris(?:e|es|ing)|rose|increas\w+|grow\w*|grew|climb\w*|boost\w*|lift\w*)\b", text, re.IGNORECASE
    ):
        return "more"
    if re.search(
        r"\b(?:low(?:er\w*)|reduc\w+|fall\w*|fell|drop\w*|decreas\w+|cuts?|cutting|shrink\w*|down)\b",
        text,
        re.IGNORECASE,
    ):
        return "less"
    if re.search(r"\b(?:improv\w+|gain\w*)\b", text, re.IGNORECASE):
        return "better"
    if re.search(r"\b(?:degrad\w+|worsen\w*|deteriorat\w+|hurt\w*)\b", text, re.IGNORECASE):
        return "worse"
    return "any"


def baseline_labels(reading: Reading) -> frozenset[str]:
    """Labels that stand after "than", "over", "compared with" and their like."""
    return frozenset(
        mention.label for mention in reading.label_mentions() if _MARKER.search(reading.spoken.text[: mention.start])
    )


def roles_of(reading: Reading, cue: Cue) -> Roles:
    """Sorts the rows that a sentence names into treatments and baselines."""
    text = reading.spoken.text
    mentions = reading.label_mentions()
    passive = _PASSIVE.search(text)
    if passive is not None:
        return _passive_roles(mentions, passive, text)
    marked = list(dict.fromkeys(one.label for one in mentions if _MARKER.search(text[: one.start])))
    marked += _joined(mentions, marked, text)
    free = [one for one in mentions if one.label not in marked]
    removed = [one.label for one in free if _REMOVED.match(clean_label(one.label))]
    if removed and not marked:
        marked = [one.label for one in free if one.label not in removed]
        free = [one for one in free if one.label in removed]
    elif not marked:
        owned = [one for one in free if _OF.search(text[: one.start]) and one.start > cue.start]
        if owned and any(one.start < owned[0].start and one.label != owned[0].label for one in free):
            marked = list(dict.fromkeys(one.label for one in owned))
            free = [one for one in free if one.label not in marked]
    treatments = list(dict.fromkeys(one.label for one in free))
    if not treatments and reading.says_own and reading.subject_before() is None:
        treatments = [path[-1] for path in reading.grid.conditions if is_own(path[-1], reading.own_names)]
    if not treatments and (subject := reading.subject_before()) is not None:
        treatments = [subject]
    treatments = [label for label in treatments if label not in marked and label not in reading.excepted]
    best_other = not marked and bool(_BEST_OTHER.search(text))
    usual = not marked and not best_other and bool(_USUAL.search(text))
    if usual:
        rows = [path[-1] for path in reading.grid.conditions if _BASELINE_ROW.search(clean_label(path[-1]))]
        marked = list(dict.fromkeys(rows)) if len(set(rows)) == 1 else []
    return Roles(tuple(dict.fromkeys(treatments)), tuple(marked), best_other, usual)


def _passive_roles(mentions: tuple[Mention, ...], passive: re.Match[str], text: str) -> Roles:
    """ "X is beaten by Y": Y, right behind "by", is the treatment."""
    agents = [
        one.label
        for one in mentions
        if one.start >= passive.end() and re.fullmatch(r"(?:the |our )?", text[passive.end() : one.start])
    ]
    patients = [one.label for one in mentions if one.end <= passive.start() and one.label not in agents]
    return Roles(tuple(dict.fromkeys(agents)), tuple(dict.fromkeys(patients)), best_other=False, usual=False)


def sense_holds(sense: Sense, treatment: Entry, baseline: Entry) -> bool:
    """Whether the cells differ the way the sentence says."""
    gap = treatment.value - baseline.value
    if sense == "any" or gap == 0:
        return sense == "any"
    if sense in {"more", "less"}:
        return (gap > 0) == (sense == "more")
    if treatment.direction is None:
        return True
    better = (gap > 0) == (treatment.direction == "higher_is_better")
    return better == (sense == "better")


def _joined(mentions: tuple[Mention, ...], marked: list[str], text: str) -> list[str]:
    """ "than A and B": what is joined to a baseline is a baseline too."""
    joined = []
    for first, second in pairwise(mentions):
        between = text[first.end : second.start]
        if (
            first.label in marked
            and second.label not in marked
            and re.fullmatch(r"(?:\s?\([^()]*\))?\s?(?:,? ?and|,? ?or)\s(?:the\s)?", between)
        ):
            joined.append(second.label)
    return joined
