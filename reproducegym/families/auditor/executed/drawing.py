"""Draws an executed episode: one of the base projects, with as many defects as its level asks for."""

import random
from collections.abc import Callable
from typing import NamedTuple

from reproducegym.errors import MisuseError
from reproducegym.families.auditor.executed.case import ExecutedCase
from reproducegym.families.auditor.executed.grader import Grader
from reproducegym.families.auditor.executing.effects import allows
from reproducegym.families.auditor.nouns import Level
from reproducegym.planting.operator import Site
from reproducegym.planting.plant import Damaged, plant
from reproducegym.planting.project import BaseProject, Library, Split, base_projects

__all__ = ["CLEAN", "HARDNESS", "Allows", "Executed", "Hardness", "damaged_of"]

CLEAN = 0.2
"""The share of episodes without any defect."""
_TRIES = 6
Allows = Callable[[BaseProject, Site], bool]


class Hardness(NamedTuple):
    """What a level draws: defects, from and to, and projects of which libraries."""

    fewest: int
    most: int
    libraries: tuple[Library, ...]


HARDNESS: dict[Level, Hardness] = {
    "easy": Hardness(1, 2, ("numpy", "stub")),
    "medium": Hardness(2, 3, ("numpy", "stub", "sklearn")),
    "hard": Hardness(3, 5, ("numpy", "stub", "sklearn")),
}


def damaged_of(level: Level, seed: int, split: Split, *, torch: bool = False, allows: Allows = allows) -> Damaged:
    """The damaged project of a level and seed, a function of these and of the projects alone; one in five is clean.

    Projects are tried in a random order until one takes as many defects as were drawn; of the first few, the one that
    takes most.

    Raises:
        MisuseError: the extra `auditor` is not installed, or no project of the split takes any defect.
    """
    hardness = HARDNESS[level]
    wanted: tuple[Library, ...] = (*hardness.libraries, "torch") if torch else hardness.libraries
    projects = [one for one in base_projects(split) if one.library in wanted]
    if not projects:
        raise MisuseError(f"there is no project of the split {split} for the level {level}")
    chance = random.Random(f"executed/{level}/{split}/{seed}")  # noqa: S311 - drawn again from its seed, not a secret
    clean, count, inner = (
        chance.random() < CLEAN,
        chance.randint(hardness.fewest, hardness.most),
        chance.randrange(2**31),
    )
    chance.shuffle(projects)
    if clean:
        return plant(projects[0], inner, 0, clean_share=1.0)
    best: Damaged | None = None
    for tried, project in enumerate(projects, 1):
        found = plant(project, inner, count, clean_share=0.0, allows=allows)
        if best is None or len(found.planted) > len(best.planted):
            best = found
        if len(best.planted) == count or (best.planted and tried >= _TRIES):
            break
    if best is None or not best.planted:
        raise MisuseError(f"no project of the split {split} takes a defect whose effect was measured")
    return best


class Executed:
    """The drawer of executed mode. `torch` adds projects that need it."""

    name = "executed"

    def __init__(
        self,
        grader: Grader,
        split: Split = "train",
        *,
        torch: bool = False,
    ) -> None:
        """Take who runs fixes, and which projects are drawn from."""
        self._grader, self._split, self._torch = grader, split, torch

    def draw(self, level: Level, seed: int) -> ExecutedCase:
        """One episode."""
        damaged = damaged_of(level, seed, self._split, torch=self._torch)
        return ExecutedCase(level, seed, damaged, self._grader)
