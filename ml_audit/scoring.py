"""The score: weighted answers and rules over those that apply, by dimension, with what each finding costs."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from ml_audit.rules.rule import DIMENSIONS, Dimension, Finding, Rule
from ml_audit.signals.answer import IMPLIED, Signal

__all__ = ["Risk", "Scored", "Term", "priced", "risk_of", "scored", "terms"]

Risk = Literal["LOW", "MEDIUM", "HIGH"]

WEIGHTS: Mapping[str, tuple[Dimension, float]] = {
    "has_readme": ("documentation", 2.0),
    "has_license": ("documentation", 1.0),
    "results_table_in_readme": ("documentation", 0.75),
    "reproduce_commands": ("documentation", 2.0),
    "hardware_stated": ("documentation", 0.5),
    "has_ci": ("ci_cd", 1.5),
    "has_tests": ("testing", 2.0),
    "has_dockerfile": ("environment_setup", 0.75),
    "docker_base_pinned": ("environment_setup", 0.5),
    "has_lockfile": ("environment_setup", 1.5),
    "dependencies_pinned": ("environment_setup", 3.0),
    "seed_python": ("determinism", 1.0),
    "seed_numpy": ("determinism", 1.5),
    "seed_torch": ("determinism", 2.0),
    "seed_cuda": ("determinism", 0.5),
    "seed_jax": ("determinism", 2.0),
    "seed_tf": ("determinism", 2.0),
    "seed_env": ("determinism", 1.5),
    "seed_sklearn": ("determinism", 1.5),
    "determinism_flags": ("determinism", 1.0),
    "nondeterminism_flags": ("determinism", 0.5),
    "dataloader_worker_seeding": ("determinism", 0.5),
    "iteration_order_hazard": ("determinism", 1.0),
    "multi_seed_eval": ("benchmarking", 1.5),
    "checkpoints_linked": ("benchmarking", 1.0),
    "training_loop": ("benchmarking", 0.5),
    "dataset_pinned": ("dataset_reproducibility", 2.0),
    "model_revision_pinned": ("dataset_reproducibility", 1.0),
    "config_driven": ("configuration_driven_experiments", 2.0),
    "absolute_paths": ("configuration_driven_experiments", 1.0),
}
"""Weight and dimension of each answer that counts; what a repository uses is neither good nor bad."""

BAD_IF_YES = frozenset({"nondeterminism_flags", "iteration_order_hazard", "absolute_paths"})
_WORTH = {"yes": 1.0, "all": 1.0, "partial": 0.5, "some": 0.5, "no": 0.0, "none": 0.0, "absent": 0.0}


@dataclass(frozen=True, slots=True)
class Term:
    """One summand: an answer, or a rule without one. `value` is None while it is unknown."""

    name: str
    dimension: Dimension
    weight: float
    value: float | None


@dataclass(frozen=True, slots=True)
class Scored:
    """Score from 0 to 10, the interval that unknown answers leave, and each dimension's (None: nothing applies)."""

    score: float
    low: float
    high: float
    dimensions: Mapping[Dimension, float | None]
    total: float


def terms(signals: Mapping[str, Signal], rules: Iterable[Rule], findings: Iterable[Finding]) -> list[Term]:
    """All summands that apply."""
    found = []
    for name, (dimension, weight) in WEIGHTS.items():
        value = signals[name].value
        if value == "na" or (name == "training_loop" and value == "no"):
            continue
        worth = None if value == "unknown" else 1.0 if signals[name].note == IMPLIED else _WORTH[value]
        if worth is not None and name in BAD_IF_YES:
            worth = 1.0 - worth
        found.append(Term(name, dimension, weight, worth))
    hit = {f.rule for f in findings}
    found += [
        Term(r.id, r.dimension, r.weight, 0.0 if r.id in hit else 1.0)
        for r in rules
        if not r.signal and r.weight and (r.id in hit or r.applies(signals))
    ]
    return found


def scored(every: Iterable[Term]) -> Scored:
    """The score: the weighted mean of the known values; unknown ones widen the interval."""
    told = list(every)
    base = sum(t.weight for t in told)
    known = sum(t.weight * t.value for t in told if t.value is not None)
    unknown = sum(t.weight for t in told if t.value is None)
    certain = base - unknown

    def clipped(value: float) -> float:
        return round(min(10.0, max(0.0, value)), 2)

    if not base:
        return Scored(0.0, 0.0, 10.0, dict.fromkeys(DIMENSIONS), 0.0)
    best = 10.0 * known / certain if certain else 5.0
    low, high = 10.0 * known / base, 10.0 * (known + unknown) / base
    by: dict[Dimension, float | None] = {}
    for dimension in DIMENSIONS:
        mine = [t for t in told if t.dimension == dimension and t.value is not None]
        full = sum(t.weight for t in mine)
        got = sum(t.weight * (t.value or 0.0) for t in mine)
        by[dimension] = clipped(10.0 * got / full) if full else None
    return Scored(clipped(best), clipped(low), clipped(high), by, certain)


def risk_of(score: float) -> Risk:
    """`LOW` from 8 on, `HIGH` below 4.5."""
    return "LOW" if score >= 8 else "MEDIUM" if score >= 4.5 else "HIGH"


def priced(findings: Iterable[Finding], every: Iterable[Term]) -> list[Finding]:
    """The findings with what each costs: what its terms lose, each shared by all findings that lower it."""
    told = list(every)
    total = scored(told).total
    listed = list(findings)
    sharing = Counter(name for f in listed for name in f.lowers)
    lost = {t.name: 10.0 * t.weight * (1.0 - t.value) / total for t in told if t.value is not None and total}
    return [
        f.model_copy(update={"points": round(sum(lost.get(n, 0.0) / sharing[n] for n in f.lowers), 4)}) for f in listed
    ]
