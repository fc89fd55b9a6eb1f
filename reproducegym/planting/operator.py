"""What an operator is: it finds sites in a clean project where one defect can be planted, and says what undoes it."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Literal, get_args

from reproducegym.planting.edit import Edit, Place, Texts, applied
from reproducegym.schema.base import Frozen

__all__ = ["CATEGORIES", "Category", "Effect", "Operator", "Planted", "Site", "operators"]

Category = Literal[
    "random_seeds",
    "dependency_pinning",
    "determinism_flags",
    "environment_config",
    "dataloader_reproducibility",
    "model_initialization",
    "configuration_management",
    "multiprocessing",
    "rng_initialization",
]
CATEGORIES: tuple[Category, ...] = get_args(Category)
Effect = Literal["dynamic", "state", "structural"]
"""Two runs differ; a flag of the runtime differs; a pin, lock, digest or text differs."""


class Site(Frozen):
    """One place of a clean project where an operator can plant: the edits that do it, the first being the defect.

    Sites with the same `subject` are never planted together, since one hides or undoes the other. `also` are other
    places of the clean files that a finding may rightly name, such as the draw from a generator that nothing seeds.
    """

    operator: str
    edits: tuple[Edit, ...]
    subject: str
    also: tuple[Place, ...] = ()

    @property
    def id(self) -> str:
        """Names the site within its project; the same as long as the project's bytes are."""
        first = self.edits[0]
        return f"{self.operator}@{first.file}:{first.first_line}-{first.last_line}={first.text!r}"


class Planted(Frozen):
    """A defect of a damaged project: lines count in its damaged files, and `fix` turns them back."""

    operator: str
    rule: str
    category: Category
    effect: Effect
    file: str
    first_line: int
    last_line: int
    fix: tuple[Edit, ...]
    also: tuple[Place, ...] = ()
    implies: tuple[str, ...] = ()
    site: str


Finder = Callable[[Texts], Iterable[Site]]


@dataclass(frozen=True)
class Operator:
    """A kind of defect: the rule of ml-audit that it breaks, its category, and what it does to runs.

    `libraries` names what a project must use for the defect to be one. `implies` names rules that rightly find
    something as a consequence.
    """

    id: str
    rule: str
    category: Category
    effect: Effect
    summary: str
    find: Finder
    libraries: tuple[str, ...] = ()
    implies: tuple[str, ...] = ()

    def sites(self, files: Texts) -> tuple[Site, ...]:
        """All places of a clean project where it can plant, in the order of files and lines."""
        return tuple(self.find(files))

    def plant(self, files: Texts, site: Site) -> dict[str, str]:
        """The files with the defect."""
        return applied(files, site.edits)


@dataclass
class operators:  # noqa: N801  # read as a word: `seeds = operators("random_seeds")`
    """A group of operators of one category that is filled by decorating what finds their sites."""

    category: Category
    all: list[Operator] = field(default_factory=list)

    def __call__(
        self,
        id: str,
        *,
        rule: str,
        effect: Effect,
        summary: str,
        libraries: tuple[str, ...] = (),
        implies: tuple[str, ...] = (),
    ) -> Callable[[Callable[[Texts, str], Iterator[Site]]], Callable[[Texts, str], Iterator[Site]]]:
        """Make an operator of the finder that follows; it is told the files and the operator's id."""

        def keep(find: Callable[[Texts, str], Iterator[Site]]) -> Callable[[Texts, str], Iterator[Site]]:
            self.all.append(
                Operator(id, rule, self.category, effect, summary, lambda files: find(files, id), libraries, implies)
            )
            return find

        return keep
