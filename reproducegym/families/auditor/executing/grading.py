"""Grades fixes by running them: all at once first, and each alone where that fails."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from pydantic import Field

from reproducegym.errors import MisuseError
from reproducegym.families.auditor.executing.checking import checked
from reproducegym.families.auditor.executing.court import Court
from reproducegym.families.auditor.executing.double import Double, double_run
from reproducegym.families.auditor.executing.effects import committed, key_of
from reproducegym.families.auditor.executing.patches import Fix, clash, ended_lines, fault_of
from reproducegym.families.auditor.executing.references import EngineFailedError, References
from reproducegym.families.auditor.executing.rules import found_by
from reproducegym.families.auditor.executing.standing import fallen
from reproducegym.families.auditor.executing.state import restored
from reproducegym.planting.edit import Edit, applied
from reproducegym.planting.operator import Planted
from reproducegym.planting.plant import Damaged
from reproducegym.schema.base import Frozen

__all__ = ["FixGrade", "Grades", "Reason", "grade"]

Reason = Literal[
    "earned",
    "malformed",
    "not_allowed",
    "too_large",
    "unchanged",
    "overlaps",
    "broken",
    "not_equal",
    "seed_ignored",
    "metric_off",
    "check_failed",
    "effect_remains",
]


class FixGrade(Frozen):
    """What became of one fix; `alone` says that it was tried by itself, with all other defects undone by us."""

    planted: int
    earned: bool
    reason: Reason
    detail: str
    alone: bool = False


class Grades(Frozen):
    """The grades of all fixes handed in; none, and a failure kind, where engine or judge failed: that is never a 0.

    `versions` are those of the libraries that projects ran with, `trials` how often a whole double run was made.
    """

    fixes: tuple[FixGrade, ...]
    failure_kind: Literal["infra", "verifier"] | None = None
    detail: str = ""
    trials: int = 0
    versions: dict[str, str] = Field(default_factory=dict)


@dataclass(frozen=True)
class _Trial:
    """One set of files, run: why no fix of it earns anything, or `earned`."""

    reason: Reason
    detail: str
    double: Double | None = None


def grade(court: Court, references: References, damaged: Damaged, fixes: Sequence[Fix]) -> Grades:
    """Grade fixes of planted defects, one for each at most. Defects without a fix are undone by us before the runs.

    Raises:
        MisuseError: two fixes of one defect, a fix of none, or a library of the project is not installed.
    """
    if len({fix.planted for fix in fixes}) != len(fixes) or any(
        not 0 <= f.planted < len(damaged.planted) for f in fixes
    ):
        raise MisuseError("each planted defect has one fix at most, named by its place in the list")
    if not fixes:
        return Grades(fixes=())
    versions = dict(court.libraries(damaged.project).versions)
    grading = _Grading(court, references, damaged)
    try:
        grades = grading.all([ended_lines(fix) for fix in fixes])
    except EngineFailedError as error:
        return Grades(fixes=(), failure_kind=error.kind, detail=str(error), trials=grading.trials, versions=versions)
    if grading.trials:
        versions["python"] = references.clean(court, damaged.project).first.ran.python
    return Grades(fixes=grades, trials=grading.trials, versions=versions)


_CONFIRMED = 3
"""How often more both runs have to be alike where the rule still tells of a defect: runs may agree by chance."""


class _Grading:
    """The grading of one episode."""

    def __init__(self, court: Court, references: References, damaged: Damaged) -> None:
        self._court = court
        self._references = references
        self._damaged = damaged
        self.trials = 0

    def all(self, fixes: Sequence[Fix]) -> tuple[FixGrade, ...]:
        """One grade for each fix, in their order."""
        grades: dict[int, FixGrade] = {}
        sound: list[Fix] = []
        for fix in fixes:
            fault = fault_of(self._damaged, fix)
            still = "" if fault is not None else self._found(fix)
            if fault is not None:
                grades[fix.planted] = FixGrade(planted=fix.planted, earned=False, **fault.model_dump())
            elif still:
                grades[fix.planted] = FixGrade(planted=fix.planted, earned=False, reason="effect_remains", detail=still)
            else:
                sound.append(fix)
        joint = self._edits(sound)
        if sound and joint is not None:
            trial = self._try(sound, joint)
            if trial.double is not None or len(sound) == 1:
                for fix in sound:
                    grades[fix.planted] = self._graded(fix, trial, alone=False)
        for fix in sound:
            if fix.planted not in grades:
                grades[fix.planted] = self._alone(fix)
        return tuple(grades[fix.planted] for fix in fixes)

    def _alone(self, fix: Fix) -> FixGrade:
        edits = self._edits([fix])
        if edits is None:
            detail = "the fix changes lines where another defect stands"
            return FixGrade(planted=fix.planted, earned=False, reason="overlaps", detail=detail, alone=True)
        return self._graded(fix, self._try([fix], edits), alone=True)

    def _edits(self, fixes: Sequence[Fix]) -> tuple[Edit, ...] | None:
        """These fixes, and ours of all other defects; None where they clash."""
        fixed = {fix.planted for fix in fixes}
        groups = [fix.edits for fix in fixes]
        groups += [one.fix for number, one in enumerate(self._damaged.planted) if number not in fixed]
        for number, group in enumerate(groups):
            if any(clash(one, two) for before in groups[:number] for one in before for two in group):
                return None
        return tuple(edit for group in groups for edit in group)

    def _try(self, fixes: Sequence[Fix], edits: Sequence[Edit]) -> _Trial:
        """Run the edited files and compare with the clean project; with its runs where nothing speaks against them."""
        project, files = self._damaged.project, applied(self._damaged.files, edits)
        clean = self._references.clean(self._court, project)
        if clean.other is None:
            raise EngineFailedError("verifier", f"the clean project {project.name} was not run by another seed")
        self.trials += 1
        double = double_run(self._court, project, files)
        if double.engine_failed:
            raise EngineFailedError("infra", double.engine_failed)
        if double.failed is not None:
            return _Trial("broken", f"{double.failed.outcome}: {double.failed.detail}")
        if not double.equal or not self._stays_equal(fixes, files):
            return _Trial("not_equal", "two runs under changed circumstances do not give the same weights and metrics")
        if double.other is None or not double.seed_matters:
            return _Trial("seed_ignored", "another seed gives the same weights")
        wanted, found = clean.first.ran.numbers[project.metric], double.first.ran.numbers.get(project.metric)
        if found is None or abs(found - wanted) > project.tolerance:
            return _Trial(
                "metric_off", f"{project.metric} is {found}, not within {project.tolerance} of the clean project's"
            )
        given, ours = (double.first.files, double.other.files), (clean.first.files, clean.other.files)
        check = checked(self._court, project, given, ours)
        if check.verdict == "infra":
            raise EngineFailedError("infra", check.detail)
        if check.verdict != "passed":
            return _Trial(check.verdict, check.detail)
        return _Trial("earned", "", double)

    def _stays_equal(self, fixes: Sequence[Fix], files: Mapping[str, str]) -> bool:
        """Whether runs agree again and again, which is asked where some fix changes nothing for the rule it answers."""
        if not any(self._untouched(fix, files) for fix in fixes):
            return True
        for _ in range(_CONFIRMED):
            again = double_run(self._court, self._damaged.project, files, other_seed=False)
            if again.engine_failed:
                raise EngineFailedError("infra", again.engine_failed)
            if not again.equal:
                return False
        return True

    def _untouched(self, fix: Fix, files: Mapping[str, str]) -> bool:
        planted = self._damaged.planted[fix.planted]
        return planted.effect == "dynamic" and found_by(planted.rule, files) >= found_by(
            planted.rule, self._alone_damaged(fix)
        )

    def _alone_damaged(self, fix: Fix) -> Mapping[str, str]:
        """The files with the defect of a fix, and all others undone."""
        others = [edit for n, one in enumerate(self._damaged.planted) if n != fix.planted for edit in one.fix]
        return applied(self._damaged.files, others)

    def _graded(self, fix: Fix, trial: _Trial, *, alone: bool) -> FixGrade:
        reason, detail = trial.reason, trial.detail
        if trial.double is not None:
            remains = self._remains(fix, trial.double)
            reason, detail = ("effect_remains", remains) if remains else ("earned", "")
        return FixGrade(planted=fix.planted, earned=reason == "earned", reason=reason, detail=detail, alone=alone)

    def _found(self, fix: Fix) -> str:
        """Whether the files show that a defect which they have to show mended is not: then nothing need be run."""
        planted, project = self._damaged.planted[fix.planted], self._damaged.project
        if planted.effect == "dynamic":
            return ""
        edits = self._edits([fix])
        files = self._damaged.files if edits is None else applied(self._damaged.files, edits)
        if found_by(planted.rule, files) > found_by(planted.rule, project.files):
            return f"{planted.rule} still finds it"
        return fallen(self._damaged, planted, self._alone_damaged(fix), files)

    def _remains(self, fix: Fix, double: Double) -> str:
        """What is left of a defect's effect on the state of processes; empty where nothing is."""
        planted = self._damaged.planted[fix.planted]
        if planted.effect != "state":
            return ""
        left = restored(
            self._references.clean(self._court, self._damaged.project).state, double.state, self._keys(planted)
        )
        return f"not as in the clean project: {', '.join(left)}" if left else ""

    def _keys(self, planted: Planted) -> tuple[str, ...]:
        """What a defect changes in the state of a process: as measured once for all, or else now."""
        known = committed().instances.get(key_of(self._damaged.project, planted.site, planted.fix))
        return known.keys if known else self._references.state_keys(self._court, self._damaged, planted)
