"""Plants defects into a clean project: which, where and how many follow from the seed alone."""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from random import Random

from reproducegym.errors import MisuseError
from reproducegym.planting.edit import Edit, Place, Texts, applied, lines_of
from reproducegym.planting.operator import Operator, Planted, Site
from reproducegym.planting.project import BaseProject
from reproducegym.schema.base import Frozen

__all__ = ["Damaged", "all_operators", "joined", "plant", "sites_of", "stand_apart"]

APART = 6
"""Lines of a clean file between two defects at least, so that a finding two lines off belongs to one of them."""


class Damaged(Frozen):
    """A project with defects planted: the damaged files, and each defect, if any, with what undoes it."""

    project: BaseProject
    files: Mapping[str, str]
    planted: tuple[Planted, ...]
    seed: int


def all_operators() -> tuple[Operator, ...]:
    """Every operator there is.

    Raises:
        MisuseError: what reads Python's syntax is not installed.
    """
    try:
        from reproducegym.planting.operators.catalogue import OPERATORS
    except ModuleNotFoundError as error:
        raise MisuseError(
            f"planting defects needs {error.name}; install it with: pip install 'reproducegym[auditor]'"
        ) from error
    return OPERATORS


@lru_cache(maxsize=8192)
def _sites(files: tuple[tuple[str, str], ...], operator: Operator) -> tuple[Site, ...]:
    return operator.sites(dict(files))


def sites_of(project: BaseProject, operator: Operator) -> tuple[Site, ...]:
    """The sites of an operator in a project, found once."""
    return _sites(tuple(project.files.items()), operator)


def plant(
    project: BaseProject,
    seed: int,
    count: int,
    operators: Sequence[Operator] | None = None,
    clean_share: float = 0.2,
    allows: Callable[[BaseProject, Site], bool] = lambda project, site: True,
) -> Damaged:
    """Plant up to `count` defects that stand apart; one time in five, as `clean_share` says, none.

    Operators are drawn first and then one of their sites, so that one with many sites is no more frequent. `allows`
    leaves out sites, such as those whose effect was not measured.

    Raises:
        MisuseError: an operator's library is not installed.
    """
    chance = Random(f"{project.name}/{seed}")  # noqa: S311  # chooses defects, and keeps no secret
    if chance.random() < clean_share:
        return Damaged(project=project, files=dict(project.files), planted=(), seed=seed)
    order = list(all_operators() if operators is None else operators)
    chance.shuffle(order)
    chosen: list[tuple[Operator, Site]] = []
    for operator in order:
        if len(chosen) == count:
            break
        free = [
            site
            for site in sites_of(project, operator)
            if allows(project, site) and all(stand_apart(site, other) for _, other in chosen)
        ]
        if free:
            chosen.append((operator, chance.choice(free)))
    return joined(project, chosen, seed)


def stand_apart(one: Site, other: Site) -> bool:
    """Whether two sites can be planted in one project: neither hides the other, nor a finding of the other."""
    if one.subject == other.subject or _undoes(one, other) or _undoes(other, one):
        return False
    return all(
        mine.file != its.file
        or mine.first_line > max(its.last_line, its.first_line) + APART
        or its.first_line > max(mine.last_line, mine.first_line) + APART
        for mine in one.edits
        for its in other.edits
    )


def _undoes(one: Site, other: Site) -> bool:
    """Whether a site changes a line in which the other shows, such as the call that gets what a flag says."""
    return any(
        edit.file == place.file and edit.first_line <= place.last_line and place.first_line <= edit.last_line
        for edit in one.edits
        for place in other.also
    )


def joined(project: BaseProject, chosen: Sequence[tuple[Operator, Site]], seed: int = 0) -> Damaged:
    """The project with these sites planted, which must stand apart."""
    every = [edit for _, site in chosen for edit in site.edits]
    damaged = applied(project.files, every)
    planted = [_planted(project.files, every, operator, site) for operator, site in chosen]
    planted.sort(key=lambda one: (one.file, one.first_line, one.operator))
    return Damaged(project=project, files=damaged, planted=tuple(planted), seed=seed)


def _planted(clean: Texts, every: Sequence[Edit], operator: Operator, site: Site) -> Planted:
    fix = tuple(_undone(clean, every, edit) for edit in site.edits)
    seam = fix[0]
    return Planted(
        operator=operator.id,
        rule=operator.rule,
        category=operator.category,
        effect=operator.effect,
        file=seam.file,
        first_line=seam.first_line,
        last_line=max(seam.first_line, seam.last_line),
        fix=fix,
        also=tuple(
            Place(
                file=one.file,
                first_line=_moved(every, one.file, one.first_line),
                last_line=_moved(every, one.file, one.last_line),
            )
            for one in site.also
        ),
        implies=operator.implies,
        site=site.id,
    )


def _moved(every: Sequence[Edit], file: str, line: int) -> int:
    """Where a line of a clean file stands when all edits are made."""
    return line + sum(
        len(lines_of(edit.text)) - (edit.last_line - edit.first_line + 1)
        for edit in every
        if edit.file == file and edit.last_line < line and edit.first_line <= line
    )


def _undone(clean: Texts, every: Sequence[Edit], edit: Edit) -> Edit:
    first = _moved([other for other in every if other is not edit], edit.file, edit.first_line)
    lines = lines_of(clean.get(edit.file, ""))[edit.first_line - 1 : edit.last_line]
    last = first + len(lines_of(edit.text)) - 1
    return Edit(file=edit.file, first_line=first, last_line=last, text="".join(lines))
