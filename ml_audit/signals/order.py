"""Whether the order of files or of sets, which nobody fixed, reaches data, splits or label ids."""

from dataclasses import dataclass

from ml_audit.code.project import Project, once
from ml_audit.signals.answer import Place, Signal, answer
from ml_audit.signals.listings import listings
from ml_audit.signals.sets import sets

__all__ = ["Hazard", "hazards", "iteration_order_hazard"]


@dataclass(frozen=True, slots=True)
class Hazard:
    """An order that nobody fixed: where, which kind, and what it reaches."""

    path: str
    line: int
    kind: str
    what: str


@once
def hazards(project: Project) -> list[Hazard]:
    """All hazards of the main code."""
    found: list[Hazard] = []
    for path, facts in project.main_facts.items():
        told = [*listings(facts, project.modules[path].tree), *sets(facts)]
        if told:
            found += dict.fromkeys(Hazard(path, line, kind, what) for line, kind, what in told)
    return found


def iteration_order_hazard(project: Project) -> Signal:
    """Whether there is such a hazard."""
    found = hazards(project)
    return answer("yes", [Place(h.path, h.line) for h in found]) if found else answer("no")
