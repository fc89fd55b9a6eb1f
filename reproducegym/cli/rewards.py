"""Says what an attempt earned."""

from reproducegym.schema.run import Result

__all__ = ["reward_line"]


def reward_line(result: Result) -> str:
    """A result in words, with its evidence level where that is not the task's."""
    if result.evidence_detail:
        return f"{_earned(result)}, at level {result.evidence_level} only: {result.evidence_detail}"
    return _earned(result)


def _earned(result: Result) -> str:
    if result.reward is None:
        return f"not scored ({result.failure_kind}: {result.failure_detail})"
    why = f" ({result.failure_kind}: {result.failure_detail})" if result.failure_kind is not None else ""
    return f"reward {result.reward:.3f}, {result.verdict}{why}"
