"""The synthetic corpus: damaged repositories over all base projects, the same for the same seed."""

from collections.abc import Callable, Iterator, Sequence
from random import Random

from reproducegym.planting.operator import Operator, Site
from reproducegym.planting.plant import Damaged, all_operators, joined, plant, sites_of, stand_apart
from reproducegym.planting.project import BaseProject, base_projects

__all__ = ["corpus", "stratified"]

MOST = 4
"""Defects of one repository at most."""


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


def stratified(
    n: int,
    seed: int,
    least: int = 10,
    more: Sequence[BaseProject] = (),
    allows: Callable[[BaseProject, Site], bool] = lambda project, site: True,
) -> Iterator[Damaged]:
    """Repositories in which every operator plants `least` times, one with fewer sites in each of them again.

    Those come first, with up to four defects each; if they are fewer than `n`, the rest is drawn as `corpus` draws it.
    `more` are projects beside the base projects. An operator without a site in any of them plants nothing.
    """
    projects = (*base_projects(), *more)
    chance = Random(f"stratified/{seed}")  # noqa: S311  # chooses defects, and keeps no secret
    cases = [
        (project, operator, site)
        for operator in all_operators()
        for project, site in _drawn(operator, projects, least, chance, allows)
    ]
    chance.shuffle(cases)
    packed: list[tuple[BaseProject, list[tuple[Operator, Site]]]] = []
    for project, operator, site in cases:
        for other, chosen in packed:
            if other is project and len(chosen) < MOST and all(stand_apart(site, one) for _, one in chosen):
                chosen.append((operator, site))
                break
        else:
            packed.append((project, [(operator, site)]))
    yield from (joined(project, chosen, seed) for project, chosen in packed)
    for number in range(n - len(packed)):
        one = projects[number % len(projects)]
        yield plant(one, chance.randrange(2**31), chance.randint(1, MOST), allows=allows)


def _drawn(
    operator: Operator,
    projects: Sequence[BaseProject],
    least: int,
    chance: Random,
    allows: Callable[[BaseProject, Site], bool],
) -> Iterator[tuple[BaseProject, Site]]:
    """`least` sites of an operator, another project each time as long as there is one."""
    rooms = []
    for project in projects:
        if free := [site for site in sites_of(project, operator) if allows(project, site)]:
            chance.shuffle(free)
            rooms.append((project, free))
    chance.shuffle(rooms)
    for turn in range(least if rooms else 0):
        project, free = rooms[turn % len(rooms)]
        yield project, free[turn // len(rooms) % len(free)]
