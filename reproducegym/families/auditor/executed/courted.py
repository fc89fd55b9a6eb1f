"""A grader that runs fixes in a court's sandboxes."""

from collections import OrderedDict
from collections.abc import Mapping, Sequence

from reproducegym.errors import InfrastructureError
from reproducegym.families.auditor.executed.grader import Graded
from reproducegym.families.auditor.executing.court import Court
from reproducegym.families.auditor.executing.grading import grade
from reproducegym.families.auditor.executing.patches import Fix
from reproducegym.families.auditor.executing.references import References
from reproducegym.planting.edit import Edit
from reproducegym.planting.plant import Damaged
from reproducegym.schema.base import digest

__all__ = ["CourtGrader"]

_KEPT = 256
"""Grades that are kept, the last ones."""


class CourtGrader:
    """Keeps what was measured of clean projects for as long as it lives; one may be shared by threads.

    The last grades are kept too: the same fixes of the same files run to the same end, whoever hands them in.
    """

    def __init__(self, court: Court) -> None:
        """Take where projects run."""
        self._court, self._references = court, References()
        self._graded: OrderedDict[str, Graded] = OrderedDict()

    def grade(self, damaged: Damaged, fixes: Mapping[int, tuple[Edit, ...]]) -> Graded:
        """Run the project with all fixes, and where that fails with each alone.

        Raises:
            InfrastructureError: the engine failed, or a clean project of ours does not run as it should.
        """
        handed = [Fix(planted=number, edits=edits) for number, edits in sorted(fixes.items())]
        key = digest("\n".join([damaged.to_json(), *(fix.to_json() for fix in handed)]).encode())
        known = self._graded.get(key)
        if known is None:
            known = self._run(damaged, handed)
            self._graded[key] = known
            while len(self._graded) > _KEPT:
                self._graded.popitem(last=False)
        return known

    def _run(self, damaged: Damaged, handed: Sequence[Fix]) -> Graded:
        grades = grade(self._court, self._references, damaged, handed)
        if grades.failure_kind is not None:
            raise InfrastructureError(f"fixes could not be graded ({grades.failure_kind}): {grades.detail}")
        return Graded(
            frozenset(one.planted for one in grades.fixes if one.earned),
            {one.planted: f"{one.reason}: {one.detail}" for one in grades.fixes if not one.earned},
        )
