"""A kind of classic violation: where it lives, which words name it, and what its lines look like whole and broken."""

from collections.abc import Mapping
from dataclasses import dataclass

from reproducegym.families.auditor.nouns import Category, Level

__all__ = ["Kind", "Lines", "Pool", "Snippet"]


@dataclass(frozen=True)
class Lines:
    """The lines of one slot: `whole` in sound code, `broken` where the violation is planted."""

    whole: str
    broken: str


@dataclass(frozen=True)
class Kind:
    """`files` are roles of the level's snippet; `keywords` are searched without regard to case."""

    id: str
    level: Level
    category: Category
    files: tuple[str, ...]
    keywords: tuple[str, ...]
    slots: Mapping[str, Lines]


Pool = Mapping[str, tuple[str, ...]]
"""Name of a placeholder → what may stand for it."""


@dataclass(frozen=True)
class Snippet:
    """The files of a level: role → names that it may have, and its text with `{{slots}}` and `$NAMES`."""

    level: Level
    names: Mapping[str, tuple[str, ...]]
    texts: Mapping[str, str]
    kinds: tuple[Kind, ...]
