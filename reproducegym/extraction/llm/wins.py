"""Reads off a sentence whether it calls one side better, and what follows for the order of the numbers."""

import re
from collections.abc import Sequence
from decimal import Decimal

from reproducegym.schema.claim import Direction

__all__ = ["winning_direction"]

_WINS = re.compile(
    r"\b(?:outperform\w*|beats?|better|improv\w*|superior|boosts?|enhanc\w*|state[- ]of[- ]the[- ]art|ahead of)\b",
    re.IGNORECASE,
)
_LOSES = re.compile(
    r"\b(?:not|no|nor|neither|never|without|w/o|remov\w*|drop\w*|los(?:es|ing|t)|wors\w+|inferior|underperform\w*"
    r"|degrad\w*|hurts?|harm\w*|fail\w*|behind|although|though|despite|but|however|while|whereas)\b",
    re.IGNORECASE,
)


def winning_direction(sentences: Sequence[str], treatment: Decimal, baseline: Decimal) -> Direction | None:
    """What is better if the treatment is, as some sentence says and none puts a reserve to; None where none says so."""
    plain = [text for text in sentences if _WINS.search(text) and not _LOSES.search(text)]
    if not plain or treatment == baseline:
        return None
    return "higher_is_better" if treatment > baseline else "lower_is_better"
