"""Filters: which tasks fit what a trainer asks for; an unknown word is told, never taken for an empty choice."""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import get_args

from reproducegym.errors import MisuseError
from reproducegym.schema.claim import ClaimType
from reproducegym.schema.listed import Cost, ListedTask
from reproducegym.schema.run import EvidenceLevel
from reproducegym.schema.spec import ExposurePolicy
from reproducegym.schema.task import Difficulty

__all__ = ["FILTERS", "Wanted", "Words", "fitting"]

Words = str | Collection[str] | None
"""One word, several of which any will do, or None for all."""

_KNOWN: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "evidence_level": get_args(EvidenceLevel),
        "cost": get_args(Cost),
        "difficulty": get_args(Difficulty),
        "claim_type": get_args(ClaimType),
        "exposure_policy": get_args(ExposurePolicy),
    }
)


@dataclass(frozen=True)
class Wanted:
    """What is asked of tasks; None asks nothing. `paper` holds paper ids, `task` task ids."""

    evidence_level: Words = None
    family: Words = None
    cost: Words = None
    difficulty: Words = None
    claim_type: Words = None
    exposure_policy: Words = None
    licence: Words = None
    paper: Words = None
    task: Words = None
    requires_gpu: bool | None = None
    requires_training: bool | None = None
    memory_resistant: bool | None = None


_WORDS: Mapping[str, Callable[[ListedTask], str]] = MappingProxyType(
    {
        "evidence_level": lambda task: task.evidence_level,
        "family": lambda task: task.family,
        "cost": lambda task: task.cost,
        "difficulty": lambda task: task.difficulty,
        "claim_type": lambda task: task.claim_type,
        "exposure_policy": lambda task: task.exposure_policy,
        "licence": lambda task: task.licence,
        "paper": lambda task: task.paper_id,
        "task": lambda task: task.task_id,
    }
)
_MARKS: Mapping[str, Callable[[ListedTask], bool]] = MappingProxyType(
    {
        "requires_gpu": lambda task: task.requires_gpu,
        "requires_training": lambda task: task.requires_training,
        "memory_resistant": lambda task: task.memory_resistant,
    }
)
_LISTED = 12
_SHOWN = 64

FILTERS = (*_WORDS, *_MARKS)
"""What a filter may ask for, by name."""


def fitting(tasks: Iterable[ListedTask], wanted: Wanted) -> tuple[ListedTask, ...]:
    """The tasks that fit all that is wanted, in their order.

    Raises:
        MisuseError: a word is none of those that there are; the message lists them. Or there are none, what is given
            is no word, or a mark is no bool.
    """
    whole = list(tasks)
    found = whole
    for name, of in _WORDS.items():
        asked = getattr(wanted, name)
        if asked is not None:
            words = _checked(name, _words(name, asked), whole, of)
            found = [task for task in found if of(task) in words]
    for name, mark in _MARKS.items():
        asked = getattr(wanted, name)
        if asked not in (None, True, False):
            raise MisuseError(f"{name} is True, False or None, not {asked!r}")
        if asked is not None:
            found = [task for task in found if mark(task) == asked]
    return tuple(found)


def _words(name: str, asked: object) -> set[str]:
    given: list[object] = [asked] if isinstance(asked, str) or not isinstance(asked, Iterable) else list(asked)
    if not given:
        raise MisuseError(f"{name} is empty, which no task fits; leave it out, or None, to ask nothing")
    words = {word for word in given if isinstance(word, str)}
    if not all(isinstance(word, str) for word in given):
        raise MisuseError(f"{name} is a word or several, not {repr(asked)[:_SHOWN]}")
    return words


def _checked(name: str, words: set[str], tasks: list[ListedTask], of: Callable[[ListedTask], str]) -> set[str]:
    known = _KNOWN.get(name)
    there = set(map(of, tasks)) if known is None else set(known)
    unknown = sorted(words - there)
    if unknown and (tasks or known is not None):
        told = sorted(there) if known is None else list(known)
        more = f" and {len(told) - _LISTED} more" if len(told) > _LISTED else ""
        raise MisuseError(f"{name} {unknown[0]!r} is unknown; there are: {', '.join(told[:_LISTED])}{more}")
    return words
