"""The synthetic corpus: damaged repositories over all base projects, the same for the same seed."""

from collections.abc import Callable, Iterator
from random import Random

from reproducegym.planting.operator import Site
from reproducegym.planting.plant import Damaged, plant
from reproducegym.planting.project import BaseProject, base_projects

__all__ = ["corpus"]


def corpus(
    n: int, seed: int, allows: Callable[[BaseProject, Site], bool] = lambda project, site: True
) -> Iterator[Damaged]:
    """`n` repositories: the projects in turn, each with up to four defects, one in five clean.

    `allows` leaves out sites, such as those that were measured to have no effect.
    """
    projects = base_projects()
    chance = Random(f"corpus/{seed}")  # noqa: S311  # chooses defects, and keeps no secret
    for number in range(n):
        yield plant(projects[number % len(projects)], chance.randrange(2**31), chance.randint(1, 4), allows=allows)
