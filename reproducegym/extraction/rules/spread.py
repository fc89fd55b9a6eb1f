"""What a printed ± means: standard deviation or error, over how many seeds; unknown where the paper does not say."""

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypedDict

from reproducegym.extraction.rules.wording import CARDINALS
from reproducegym.schema.paper import Document, Table

__all__ = ["SpreadKind", "SpreadWords"]

_KINDS: tuple[tuple[Literal["sd", "sem", "ci95", "range"], str], ...] = (
    ("sem", r"standard errors?|std\.? ?err|\bs\.?e\.?m\b|\bs\.\s?e\."),
    ("ci95", r"95\s?%\s?(?:confidence|CI|bootstrap)|confidence intervals? \(95"),
    ("sd", r"standard deviations?|\bstd\b|\bstd\.? ?dev|\bs\.\s?d\.|\bsds?\b|\bstdevs?\b"),
    ("range", r"min(?:imum)? (?:and|to|–|-) max|± range"),
)
_COUNT = r"(\d{1,3}|" + "|".join(CARDINALS) + r")"
_OVER: tuple[tuple[Literal["seeds", "folds", "items"], str], ...] = (
    (
        "seeds",
        (
            rf"{_COUNT}\s(?:different |independent |random |training |distinct )*(?:seeds?|runs|trials"
            rf"|repetitions|repeats|replicates)"
        ),
    ),
    ("folds", rf"{_COUNT}[\s-](?:cross-validation )?folds?"),
    ("items", rf"{_COUNT}\s(?:test |evaluation )*(?:questions|problems|examples|episodes|samples)"),
)


_OVER_ELSE = re.compile(
    rf"(?:deviations?|errors?|intervals?|\bstd|\bs\.?d\.?|±)[^.;]{{0,40}}?\b(?:over|across|between|among)\s(?:the "
    rf"|all )*"
    rf"(?!{_COUNT}\s(?:[\w-]+\s)*?(?:seeds?|runs|trials|folds?|repetitions|repeats|replicates))"
    r"(?!(?:[\w-]+\s)?(?:seeds?|runs|trials|folds?|repetitions|repeats|replicates|them)\b)\w",
    re.IGNORECASE,
)
"""A spread over something else than runs: users, classes, tasks."""
_TUNING = re.compile(
    r"\btun(?:e|ed|ing)\b|hyper-?param|\bsearch|select(?:ed|ion)|ablation|pre-?stud"
    r"|pilot",
    re.IGNORECASE,
)


class SpreadKind(TypedDict):
    """The parts of a spread besides its value."""

    kind: Literal["sd", "sem", "ci95", "range", "unknown"]
    over: Literal["seeds", "folds", "items", "unknown"]
    n: int | None


_TELLING = re.compile(r"±|standard (?:deviation|error)|confidence interval|\bstd\b|seeds?\b|\bfolds?\b", re.IGNORECASE)


@dataclass(frozen=True)
class SpreadWords:
    """Says what the spreads of a table are, from its caption and notes, else from the paper's one statement of it."""

    document: Document

    def of(self, table: Table) -> SpreadKind:
        """Kind, over what and how many; each part only as far as the words say."""
        near = " ".join((table.caption.text if table.caption else "", *table.notes))
        far = [
            text for text in self._statements if table.label is None or f"Table {table.label}" in text or _general(text)
        ]
        told = [text for text in far if _one_kind(text) is not None]
        kind = _one_kind(near) or _one_kind(" ".join(told)) or "unknown"
        over, count = _over(near)
        if over == "unknown" and not _OVER_ELSE.search(near):
            over, count = _over(" ".join(told))
            if over == "unknown" and not any(_OVER_ELSE.search(text) for text in told):
                over, count = _over(" ".join(far))
        return SpreadKind(kind=kind, over=over, n=count)

    @cached_property
    def _statements(self) -> tuple[str, ...]:
        """Sentences of the paper that explain a spread or say over how many seeds means are taken."""
        return tuple(
            sentence.text
            for paragraph in self.document.paragraphs
            if paragraph.role not in {"reference", "front"}
            for sentence in paragraph.sentences
            if _TELLING.search(sentence.text) and not _TUNING.search(sentence.text)
        )


def _general(text: str) -> bool:
    return re.search(r"\bTable \d", text) is None


def _one_kind(text: str) -> Literal["sd", "sem", "ci95", "range"] | None:
    found = [kind for kind, pattern in _KINDS if re.search(pattern, text, re.IGNORECASE)]
    return found[0] if len(found) == 1 else None


def _over(text: str) -> tuple[Literal["seeds", "folds", "items", "unknown"], int | None]:
    for over, pattern in _OVER:
        counts = {_count(match.group(1)) for match in re.finditer(pattern, text, re.IGNORECASE)}
        if len(counts) == 1:
            return over, counts.pop()
        if counts:
            return over, None
    return "unknown", None


def _count(text: str) -> int:
    return int(text) if text.isdigit() else CARDINALS[text.casefold()]
