"""What a metric says of answers that know nothing, as far as the shares of the labels decide it."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal

from reproducegym.pipeline.printed.decimals import ARITHMETIC

__all__ = ["Chance", "chance_of"]

Shares = tuple[Decimal, ...]
"""The share of each label, the most frequent first."""


@dataclass(frozen=True)
class Chance:
    """Between which levels answers lie that do not depend on what is asked: from those that follow the shares of the
    labels to one and the same answer for all, in the metric's unit."""

    low: Decimal
    high: Decimal

    @property
    def middle(self) -> Decimal:
        """Half-way between the two."""
        return (self.low + self.high) / 2


def chance_of(metric: str, unit: str, counts: Mapping[str, int]) -> Chance | None:
    """The chance level of a metric by its name; None where labels alone don't decide it (losses, recall, top-5).

    `counts` says how often each label occurs; fewer than two labels have no chance level.
    """
    total = sum(counts.values())
    if len(counts) < 2:
        return None
    shares = tuple(sorted((ARITHMETIC.divide(Decimal(one), Decimal(total)) for one in counts.values()), reverse=True))
    words = " ".join(re.split(r"[\W_]+", metric.casefold()))
    for pattern, level in _LEVELS:
        if re.search(pattern, words):
            if level is None:
                return None
            low, high = level(shares)
            whole = 100 if unit == "%" else 1
            return Chance(_short(low * whole), _short(high * whole))
    return None


def _hit(shares: Shares) -> tuple[Decimal, Decimal]:
    """Accuracy: Σp² where answers follow the shares, the largest share where all are the same."""
    return sum((one * one for one in shares), Decimal(0)), shares[0]


def _missed(shares: Shares) -> tuple[Decimal, Decimal]:
    low, high = _hit(shares)
    return 1 - high, 1 - low


def _even(shares: Shares) -> tuple[Decimal, Decimal]:
    """Each label counts alike: 1/K whatever is answered."""
    level = ARITHMETIC.divide(Decimal(1), Decimal(len(shares)))
    return level, level


def _macro_f1(shares: Shares) -> tuple[Decimal, Decimal]:
    """At most 1/K, where answers follow the shares; one answer for all has F1 2p/(1 + p) on its label and 0 else."""
    one = ARITHMETIC.divide(2 * shares[0], 1 + shares[0])
    even = _even(shares)[1]
    return min(even, one * even), even


def _any_f1(shares: Shares) -> tuple[Decimal, Decimal]:
    """An F1 that does not say how it is averaged: from the lowest to the highest of all ways."""
    single = ARITHMETIC.divide(2 * shares[0], 1 + shares[0]) if len(shares) == 2 else Decimal(0)
    low = Decimal(0) if len(shares) == 2 else _macro_f1(shares)[0]
    return low, max(_hit(shares)[1], _macro_f1(shares)[1], single)


def _half(shares: Shares) -> tuple[Decimal, Decimal]:
    return Decimal("0.5"), Decimal("0.5")


def _none(shares: Shares) -> tuple[Decimal, Decimal]:
    return Decimal(0), Decimal(0)


def _short(value: Decimal) -> Decimal:
    return value.quantize(Decimal("1e-6"))


_LEVELS: tuple[tuple[str, Callable[[Shares], tuple[Decimal, Decimal]] | None], ...] = (
    (r"\btop (?:[2-9]|\d\d)\b|\bpass\b|\bloss\b|\bcalibration\b|\bquanti[sz]ation\b|\bsquared?\b|\babsolute\b", None),
    (r"\b(?:balanced|mean class|class averaged|macro) (?:\w+ )?accuracy\b|\bmacro(?: averaged)? recall\b", _even),
    (r"\bmacro(?: averaged)? f1?\b|\bf1 macro\b", _macro_f1),
    (r"\bmicro(?: averaged)? f1?\b|\bf1 micro\b", _hit),
    (r"\bf1\b|\bf score\b|\bf measure\b", _any_f1),
    (r"\bkappa\b|\bmcc\b|\bmatthews\b|\bcorrelation\b", _none),
    (r"\bau ?roc\b|\broc auc\b|\bauc\b", _half),
    (r"\berror(?: rates?)?\b|\bmisclassifi\w+\b", _missed),
    (r"\baccurac(?:y|ies)\b|\bacc\b|\bcorrect(?:ly)?\b|\bexact match\b", _hit),
)
"""By the words of a metric's name, the first that fits; None for names that look like others and have no such level."""
