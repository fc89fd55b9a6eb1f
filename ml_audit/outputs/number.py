"""A score as people read it."""

import math

from ml_audit.audit import BADGES

__all__ = ["tenths"]


def tenths(score: float | None) -> str:
    """One decimal; cut and not rounded where it would say a better band than the score has: 4.47 is `4.4`."""
    if score is None:
        return "–"
    rounded = f"{score:.1f}"
    crosses = any(score < least <= float(rounded) for least, _ in BADGES)
    return f"{math.floor(score * 10) / 10:.1f}" if crosses else rounded
