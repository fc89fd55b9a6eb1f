"""The answer to one question about a repository: a value and the places that show it."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from ml_audit.frozen import Frozen

__all__ = ["IMPLIED", "Evidence", "Place", "Signal", "Value", "answer", "share"]

Value = Literal["yes", "no", "partial", "na", "unknown", "all", "some", "none", "absent"]
IMPLIED = "implied by torch.manual_seed"
"""The note of a partial answer that costs nothing: PyTorch seeds the GPUs too."""

MOST = 120
"""Places cited at most for one signal."""


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """A line of a file; line 0 means the file as a whole."""

    path: str
    line: int = 0


class Evidence(Frozen):
    """A cited place: a file, and a line from 1 unless the whole file is meant."""

    file: str
    line: int | None = None


class Signal(Frozen):
    """The answer to one of the 37 questions; a count is written in digits."""

    value: str
    evidence: tuple[Evidence, ...] = ()
    note: str = ""


def answer(value: str, places: Iterable[Place | tuple[str, int]] = (), note: str = "") -> Signal:
    """An answer with each place cited once, at most `MOST` of them."""
    told = dict.fromkeys(p if isinstance(p, Place) else Place(*p) for p in places)
    evidence = tuple(Evidence(file=p.path, line=p.line or None) for p in list(told)[:MOST])
    return Signal(value=value, evidence=evidence, note=note)


def share(good: int, total: int, *, enough: float = 0.9) -> Literal["yes", "partial", "no"]:
    """`yes` where nearly all are good, `partial` where some are."""
    if total and good / total >= enough:
        return "yes"
    return "partial" if good else "no"
