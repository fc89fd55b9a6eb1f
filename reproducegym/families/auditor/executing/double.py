"""The perturbed double run: a project twice under circumstances that must not matter, and once by another seed."""

from collections.abc import Mapping
from dataclasses import dataclass

from reproducegym.families.auditor.executing.circumstances import FIRST, OTHER_SEED, SECOND, Circumstances
from reproducegym.families.auditor.executing.court import Court, Left, Ran
from reproducegym.families.auditor.executing.running import run_once
from reproducegym.planting.project import BaseProject

__all__ = ["DIFFERS", "Double", "double_run"]

SEED = 7_351
"""The other seed; a run without the option has the project's own."""
DIFFERS = "differs"
"""What stands for a value of the state that is not the same in both runs."""


@dataclass(frozen=True)
class Double:
    """Two runs by the project's own seed, and one by another (None: it was not asked for)."""

    first: Left
    second: Left
    other: Left | None

    @property
    def engine_failed(self) -> str:
        """How the engine failed; empty where it did not."""
        return next((one.ran.detail for one in self._all() if one.ran.outcome == "infra"), "")

    @property
    def failed(self) -> Ran | None:
        """The first run that did not end well, the project's fault or the engine's."""
        return next((one.ran for one in self._all() if one.ran.outcome != "ok"), None)

    @property
    def equal(self) -> bool:
        """Whether both runs ended well with the same weights and the same metrics."""
        one, two = self.first.ran, self.second.ran
        return one.outcome == two.outcome == "ok" and (one.weights, one.metrics) == (two.weights, two.metrics)

    @property
    def seed_matters(self) -> bool:
        """Whether another seed gave other weights."""
        return self.other is not None and self.other.ran.weights != self.first.ran.weights

    @property
    def state(self) -> dict[str, str]:
        """What both runs told of their processes; `differs` where they did not tell the same."""
        one, two = self.first.ran.state, self.second.ran.state
        both = {key: value if two.get(key) == value else DIFFERS for key, value in one.items()}
        return {**dict.fromkeys(two, DIFFERS), **both}

    def _all(self) -> tuple[Left, ...]:
        return (self.first, self.second) if self.other is None else (self.first, self.second, self.other)


def double_run(court: Court, project: BaseProject, files: Mapping[str, str], *, other_seed: bool = True) -> Double:
    """Run files of a project in fresh sandboxes, at once where the court's executor allows."""
    plans: list[tuple[Circumstances, int | None]] = [(FIRST, None), (SECOND, None)]
    if other_seed:
        plans.append((OTHER_SEED, SEED))
    first, second, *rest = court.executor.map(lambda plan: run_once(court, project, files, *plan), plans)
    return Double(first, second, rest[0] if rest else None)
