"""A grader that runs fixes in a court's sandboxes."""

from collections.abc import Mapping

from reproducegym.errors import InfrastructureError
from reproducegym.families.auditor.executed.grader import Graded
from reproducegym.families.auditor.executing.court import Court
from reproducegym.families.auditor.executing.grading import grade
from reproducegym.families.auditor.executing.patches import Fix
from reproducegym.families.auditor.executing.references import References
from reproducegym.planting.edit import Edit
from reproducegym.planting.plant import Damaged

__all__ = ["CourtGrader"]


class CourtGrader:
    """Keeps what was measured of clean projects for as long as it lives; one may be shared by threads."""

    def __init__(self, court: Court) -> None:
        """Take where projects run."""
        self._court, self._references = court, References()

    def grade(self, damaged: Damaged, fixes: Mapping[int, tuple[Edit, ...]]) -> Graded:
        """Run the project with all fixes, and where that fails with each alone.

        Raises:
            InfrastructureError: the engine failed, or a clean project of ours does not run as it should.
        """
        handed = [Fix(planted=number, edits=edits) for number, edits in sorted(fixes.items())]
        grades = grade(self._court, self._references, damaged, handed)
        if grades.failure_kind is not None:
            raise InfrastructureError(f"fixes could not be graded ({grades.failure_kind}): {grades.detail}")
        return Graded(
            frozenset(one.planted for one in grades.fixes if one.earned),
            {one.planted: f"{one.reason}: {one.detail}" for one in grades.fixes if not one.earned},
        )
