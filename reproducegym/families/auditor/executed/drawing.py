"""Draws an executed episode: one of the base projects, with as many defects as its level asks for."""

import random
from collections.abc import Callable
from typing import NamedTuple

from reproducegym.families.auditor.executed.case import ExecutedCase
from reproducegym.families.auditor.executed.grader import Grader
from reproducegym.families.auditor.nouns import Level
from reproducegym.planting.operator import Site
from reproducegym.planting.plant import Damaged, plant
from reproducegym.planting.project import BaseProject, Library, Split, base_projects

__all__ = ["HARDNESS", "Executed", "Hardness", "damaged_of"]


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


def damaged_of(
    level: Level,
    seed: int,
    split: Split,
    *,
    torch: bool = False,
    allows: Callable[[BaseProject, Site], bool] = lambda project, site: True,
) -> Damaged:
    """The damaged project of a level and seed, a function of these alone; one in five is clean."""
    hardness = HARDNESS[level]
    wanted: tuple[Library, ...] = (*hardness.libraries, "torch") if torch else hardness.libraries
    projects = [one for one in base_projects(split) if one.library in wanted]
    chance = random.Random(f"executed/{level}/{split}/{seed}")  # noqa: S311 - drawn again from its seed, not a secret
    project = chance.choice(projects)
    count = chance.randint(hardness.fewest, hardness.most)
    return plant(project, chance.randrange(2**31), count, allows=allows)


class Executed:
    """The drawer of executed mode. `torch` adds projects that need it."""

    name = "executed"

    def __init__(
        self,
        grader: Grader,
        split: Split = "train",
        *,
        torch: bool = False,
        allows: Callable[[BaseProject, Site], bool] = lambda project, site: True,
    ) -> None:
        """Take who runs fixes, and which projects and sites are drawn from."""
        self._grader, self._split, self._torch, self._allows = grader, split, torch, allows

    def draw(self, level: Level, seed: int) -> ExecutedCase:
        """One episode."""
        damaged = damaged_of(level, seed, self._split, torch=self._torch, allows=self._allows)
        return ExecutedCase(level, seed, damaged, self._grader)
