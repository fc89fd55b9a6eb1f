"""Computes the statistics of a task's rewards from its attempts."""

import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from reproducegym.schema.listed import ListedTask
from reproducegym.schema.run import Result
from reproducegym.schema.statistics import Group, GroupStatistics, TaskStatistics

__all__ = ["Bounds", "task_statistics"]

_GROUPS: tuple[Group, ...] = ("reference", "lazy", "cheat", "other")
_SAID = 500


@dataclass(frozen=True)
class Bounds:
    """What a task must keep to be fit for training.

    Two verifications of one submission differ by `spread` on average at most; a reference earns `reference` on average;
    a cheat is paid `paid` at most; of all attempts `unscored` at most are left without a reward by the verifier.
    """

    spread: float = 0.25
    reference: float = 0.9
    paid: float = 0.0
    unscored: float = 0.2


def task_statistics(task: ListedTask, attempts: Sequence[tuple[Result, Group]], bounds: Bounds) -> TaskStatistics:
    """The statistics of one task from all its attempts, each with the kind of its agent."""
    results = [one for one, _ in attempts]
    scored = [(one, one.reward) for one in results if one.reward is not None]
    rewards = [reward for _, reward in scored]
    groups = tuple(
        _group(name, found)
        for name in _GROUPS
        if (found := [one.reward for one, group in attempts if group == name and one.reward is not None])
    )
    by_name = {one.group: one for one in groups}
    repeated = _repeated(scored)
    paid = [one.most for one in groups if one.group == "cheat"]
    if task.gameability is not None:
        paid.append(task.gameability)
    others = [by_name[name].mean for name in ("lazy", "cheat") if name in by_name]
    reference = by_name.get("reference")
    told = TaskStatistics(
        task_id=task.task_id,
        paper_id=task.paper_id,
        claim_id=task.claim_id,
        spec_hash=task.spec_hash,
        evidence_level=task.evidence_level,
        attempts=len(results),
        scored=len(scored),
        infra=sum(one.failure_kind == "infra" for one in results),
        verifier=sum(one.failure_kind == "verifier" for one in results),
        mean=statistics.fmean(rewards) if rewards else None,
        sd=statistics.stdev(rewards) if len(rewards) > 1 else None,
        groups=groups,
        repeated=len(repeated),
        spread=_spread(repeated),
        discrimination=reference.mean - max(others) if reference is not None and others else None,
        gameability=max(paid, default=None),
        rewards=tuple(rewards),
        unfit=None,
        quarantine=task.quarantine,
    )
    return told.model_copy(update={"unfit": _unfit(told, bounds)})


def _group(name: Group, rewards: Sequence[float]) -> GroupStatistics:
    return GroupStatistics(
        group=name,
        scored=len(rewards),
        mean=statistics.fmean(rewards),
        sd=statistics.stdev(rewards) if len(rewards) > 1 else None,
        least=min(rewards),
        most=max(rewards),
    )


def _repeated(scored: Iterable[tuple[Result, float]]) -> list[list[float]]:
    """The rewards of each submission that was verified more than once."""
    same: dict[str, list[float]] = {}
    for one, reward in scored:
        if one.submission_sha256 is not None:
            same.setdefault(one.submission_sha256, []).append(reward)
    return [rewards for rewards in same.values() if len(rewards) > 1]


def _spread(repeated: Sequence[Sequence[float]]) -> float | None:
    """How far two verifications of one submission lie apart on average, each submission as often as it was verified.

    What was never paid does not count beside what was: it always agrees.
    """
    paid = [rewards for rewards in repeated if max(rewards) > 0] or repeated
    if not paid:
        return None
    return sum(len(rewards) * _mean_difference(rewards) for rewards in paid) / sum(map(len, paid))


def _mean_difference(rewards: Sequence[float]) -> float:
    """Gini's mean difference: |a - b| over all pairs of two or more numbers."""
    n = len(rewards)
    return sum((2 * place - n + 1) * reward for place, reward in enumerate(sorted(rewards))) / (n * (n - 1) / 2)


def _unfit(found: TaskStatistics, bounds: Bounds) -> str | None:
    """Everything in its attempts that speaks against training on a task, in a line; None where nothing does."""
    told = []
    by_name = {one.group: one for one in found.groups}
    reference, cheat = by_name.get("reference"), by_name.get("cheat")
    if found.spread is not None and found.spread > bounds.spread:
        apart = f"differ by {found.spread:.2f} on average, more than {bounds.spread:g}"
        told.append(f"flaky: verifications of one submission {apart}")
    if reference is not None and reference.mean < bounds.reference:
        told.append(f"the reference earns {reference.mean:.2f} on average, less than {bounds.reference:g}")
    if cheat is not None and cheat.most > bounds.paid:
        told.append(f"a cheat is paid {cheat.most:.2f}")
    if found.attempts and found.verifier / found.attempts > bounds.unscored:
        told.append(f"the verifier failed at {found.verifier} of {found.attempts} attempts")
    return "; ".join(told)[:_SAID] or None
