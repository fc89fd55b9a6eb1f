"""The executed reward, as a pure function of what was claimed, told, matched and graded."""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from reproducegym.families.auditor.executed.chance import youden
from reproducegym.families.auditor.executed.matching import Matched
from reproducegym.families.auditor.nouns import CATEGORIES, Feedback, Scored, Triage
from reproducegym.planting.operator import Planted

__all__ = ["CALIBRATION", "FINDINGS", "FIXES", "TRIAGE", "clean_reward", "eliminated", "reward", "triage_score"]

TRIAGE, FINDINGS, FIXES, CALIBRATION = 0.15, 0.35, 0.45, 0.05
_FILES, _CATEGORIES = 0.6, 0.4
_CLEAN_COST = 0.5


def triage_score(said: Triage, planted: Sequence[Planted], files: AbstractSet[str]) -> float:
    """0.6 · files + 0.4 · categories, each better than chance; a set that tells nothing apart leaves it to the other.

    A file in which a defect may rightly be pointed at, but was not planted, is neither right nor wrong.
    """
    true_files = {one.file for one in planted}
    either = {place.file for one in planted for place in one.also} - true_files
    by_file = youden({name.removeprefix("./") for name in said.suspicious_files} - either, true_files, files - either)
    by_category = youden(
        set(said.suspected_categories), {str(one.category) for one in planted}, {str(name) for name in CATEGORIES}
    )
    parts = [(score, weight) for score, weight in ((by_file, _FILES), (by_category, _CATEGORIES)) if score is not None]
    return sum(score * weight for score, weight in parts) / sum(weight for _, weight in parts) if parts else 0.0


def eliminated(said: Triage, told: Feedback, one: Planted) -> bool:
    """Whether a defect may have been found by elimination.

    Of files, or of categories, the agent heard that one is wrong, and it had not claimed the defect's own.
    """
    rejected = {claim.kind for claim in told.claims if not claim.confirmed}
    files = {name.removeprefix("./") for name in said.suspicious_files}
    homes = {one.file, *(place.file for place in one.also)}
    by_file = "file" in rejected and not files & homes
    return by_file or ("category" in rejected and one.category not in said.suspected_categories)


def reward(
    planted: int, triage: float, match: Matched, barred: AbstractSet[int], fixed: AbstractSet[int], score: float
) -> Scored:
    """The reward of an episode with `planted` defects (at least one), each part and the whole in [0, 1].

    `barred` are defects reachable by elimination alone, `fixed` those whose fix was found to work, `score` what the
    agent takes for the code's reproducibility, which is 0 here. The sum is scaled by the share of findings and fixes
    earned, so that what costs nothing to say earns nothing by itself.
    """
    credits = sum(credit for _, number, credit in match.pairs if number not in barred)
    findings = min(1.0, max(0.0, (credits - match.false) / planted))
    fixes = len(fixed - barred) / planted
    calibration = 1 - score**2
    whole = TRIAGE * triage + FINDINGS * findings + FIXES * fixes + CALIBRATION * calibration
    share = (findings + fixes) / 2
    parts = {
        "triage": triage,
        "findings": findings,
        "fixes": fixes,
        "calibration": calibration,
        "share": share,
        "false": float(match.false),
        "planted": float(planted),
    }
    return Scored(min(1.0, max(0.0, whole * share)), parts)


def clean_reward(findings: int) -> Scored:
    """On a clean episode silence earns 1, and each finding costs 0.5."""
    return Scored(max(0.0, 1 - _CLEAN_COST * findings), {"false": float(findings), "planted": 0.0})
