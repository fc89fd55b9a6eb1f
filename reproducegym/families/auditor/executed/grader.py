"""The door to who runs fixes, so that nothing else of this room knows a sandbox."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from reproducegym.planting.edit import Edit
from reproducegym.planting.plant import Damaged

__all__ = ["Graded", "Grader"]


@dataclass(frozen=True)
class Graded:
    """Which planted defects (by place in `Damaged.planted`) a fix of theirs undoes, and why each other does not."""

    earned: frozenset[int]
    reasons: Mapping[int, str] = field(default_factory=dict)


class Grader(Protocol):
    """Judges fixes by running the project with them."""

    def grade(self, damaged: Damaged, fixes: Mapping[int, tuple[Edit, ...]]) -> Graded:
        """One grade for each fix; edits count lines of the damaged files.

        Raises:
            InfrastructureError: the engine failed, so that nothing is known; the audit may be handed in again.
        """
        ...
