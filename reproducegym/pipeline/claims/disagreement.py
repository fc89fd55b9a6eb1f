"""Where two extractors read one thing in two ways: says so, and lets the paper's own numbers decide, or nobody."""

from collections.abc import Sequence

from reproducegym.pipeline.claims.merge import Proposed
from reproducegym.schema.claim import Candidate, Reason, Rejected
from reproducegym.schema.spec import ClaimSpec

__all__ = ["disagreements", "settled"]

_Outcome = ClaimSpec | Rejected
_SHOWN = 3
"""Points of one reading that are shown."""


def disagreements(proposed: Sequence[Proposed]) -> tuple[str | None, ...]:
    """For each proposal how the others read it, in a line; None where they do not."""
    return tuple(_said([own, *(proposed[other] for other in own.rivals)]) if own.rivals else None for own in proposed)


def settled(proposed: Sequence[Proposed], compiled: Sequence[_Outcome]) -> tuple[_Outcome, ...]:
    """What each proposal comes to once its rivals are heard.

    A reading stands when every rival was refused for what the paper says, or when it alone gives the effect that the
    paper prints. Where one reading shows that the sentence contradicts its table, no other one is a task.
    """
    said = disagreements(proposed)
    return tuple(
        _ambiguous(said[number])
        if isinstance(outcome, ClaimSpec)
        and any(not _decided(outcome, compiled[rival]) for rival in proposed[number].rivals)
        else outcome
        for number, outcome in enumerate(compiled)
    )


def _said(readings: Sequence[Proposed]) -> str:
    return f"the extractors disagree: {'; '.join(_reading(one) for one in readings)}"


def _decided(spec: ClaimSpec, rival: _Outcome) -> bool:
    """Whether the evidence speaks for the spec and against its rival."""
    if isinstance(rival, Rejected):
        return all(reason.code != "inconsistent_with_table" for reason in rival.reasons)
    return _confirmed(spec) and not _confirmed(rival)


def _confirmed(spec: ClaimSpec) -> bool:
    """Whether the paper prints the derived value itself."""
    return any(target.derivation is not None and target.derivation.printed is not None for target in spec.targets)


def _ambiguous(disagreement: str | None) -> Rejected:
    detail = f"{disagreement}; nothing in the paper decides"
    return Rejected(reasons=(Reason(code="ambiguous_target", argument=None, detail=detail),))


def _reading(one: Proposed) -> str:
    return f"{' and '.join(one.by)} {'reads' if len(one.by) == 1 else 'read'} {_in_words(one.candidate)}"


def _in_words(candidate: Candidate) -> str:
    shown = [
        f"{role.role} {role.point.value}{f' {role.point.unit}' if role.point.unit else ''} ({role.point.condition})"
        for role in candidate.points
        if role.role not in {"chance", "guard"}
    ]
    more = [f"{len(shown) - _SHOWN} more"] if len(shown) > _SHOWN else []
    direction = "direction unknown" if candidate.metric.direction is None else candidate.metric.direction
    pattern = candidate.pattern.replace("_", " ")
    return f"{pattern} of {', '.join([*shown[:_SHOWN], *more])}, {direction.replace('_', ' ')}"
