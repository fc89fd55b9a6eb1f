"""Merges what several extractors propose: one claim each, and their disagreements kept in sight.

Claims on the same cells with the same pattern are one claim, however it is worded. Where two extractors read one
sentence, or the same cells, in two ways, both readings stay: which one holds is for the paper's numbers to say.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations

from reproducegym.pipeline.grounding.binding import convert
from reproducegym.schema.claim import Candidate, RolePoint, TargetPoint

__all__ = ["Proposed", "Proposers", "merge"]

Proposers = tuple[str, ...]
"""Names of the extractors that proposed a claim."""
_COMPARED = frozenset({"treatment", "baseline", "part", "control", "series"})
_WORTH = {"table_cell": 0, "figure_series": 1, "sentence": 2, "caption": 3}

_Place = tuple[str, ...]
_Cells = tuple[tuple[str, _Place], ...]


@dataclass(frozen=True)
class Proposed:
    """A candidate, who proposed it, and the numbers of the proposals that read the same thing in another way."""

    candidate: Candidate
    by: Proposers
    rivals: tuple[int, ...] = ()


def merge(proposals: Mapping[str, Sequence[Candidate]]) -> tuple[Proposed, ...]:
    """All proposals, each claim once, in the order of the first extractor, then of the others.

    Of an agreed claim the first extractor's candidate stands, with what only the other knows: the direction, parts of
    the protocol, doubts. The i-th claim that another extractor alone has weighs as much as the first one's i-th.
    """
    names = list(proposals)
    merged = [Proposed(one, (names[0],)) for one in proposals[names[0]]]
    scale = sorted((one.importance for one in proposals[names[0]]), reverse=True)
    for name in names[1:]:
        for rank, candidate in enumerate(proposals[name]):
            same = [number for number, one in enumerate(merged) if _is_same(one.candidate, candidate)]
            if same:
                merged[same[0]] = _joined(merged[same[0]], candidate, name)
                continue
            importance = scale[min(rank, len(scale) - 1)] if scale else candidate.importance
            merged.append(Proposed(candidate.model_copy(update={"importance": importance}), (name,)))
    return _with_rivals(_without_unquantified_twins(merged))


def _joined(one: Proposed, other: Candidate, name: str) -> Proposed:
    candidate = one.candidate
    filled = candidate.metric.direction is None and other.metric.direction is not None
    doubts = [*candidate.doubts, *other.doubts]
    protocol = candidate.protocol
    changes: dict[str, object] = {
        "doubts": tuple(
            dict.fromkeys(reason for reason in doubts if not (filled and reason.code == "direction_unknown"))
        ),
        "protocol": protocol.model_copy(
            update={
                "method": protocol.method or other.protocol.method,
                "dataset": protocol.dataset or other.protocol.dataset,
                "evaluation": protocol.evaluation or other.protocol.evaluation,
            }
        ),
    }
    if filled:
        changes["metric"] = candidate.metric.model_copy(update={"direction": other.metric.direction})
    by = one.by if name in one.by else (*one.by, name)
    return replace(one, candidate=candidate.model_copy(update=changes), by=by)


def _without_unquantified_twins(merged: Sequence[Proposed]) -> list[Proposed]:
    """Who bound no number to a sentence to which the other did has not read it in another way."""
    bound = [one for one in merged if one.candidate.points]
    return [
        one
        for one in merged
        if one.candidate.points
        or not any(
            set(one.by).isdisjoint(other.by) and _share_a_sentence(one.candidate, other.candidate) for other in bound
        )
    ]


def _with_rivals(merged: Sequence[Proposed]) -> tuple[Proposed, ...]:
    rivals: dict[int, list[int]] = {}
    for (first, one), (second, other) in combinations(enumerate(merged), 2):
        if set(one.by).isdisjoint(other.by) and _contradict(one.candidate, other.candidate):
            rivals.setdefault(first, []).append(second)
            rivals.setdefault(second, []).append(first)
    return tuple(replace(one, rivals=tuple(rivals.get(number, ()))) for number, one in enumerate(merged))


def _is_same(one: Candidate, other: Candidate) -> bool:
    """Whether two candidates are one claim: equal pattern, cells, numbers, and no word against each other."""
    if not one.points or not other.points:
        return not one.points and not other.points and _share_a_sentence(one, other)
    return (
        one.pattern == other.pattern
        and one.relation == other.relation
        and _cells(one) == _cells(other)
        and not _other_direction(one, other)
        and not _other_numbers(one, other)
    )


def _contradict(one: Candidate, other: Candidate) -> bool:
    """Whether two candidates read the same cells, or the same quantity of one sentence, in two ways."""
    if not one.points or not other.points:
        return False
    if _cells(one) and _cells(one) == _cells(other):
        return True  # else they were one claim
    if not _share_a_sentence(one, other) or not _same_subject(one, other):
        return False
    return not _is_part(one, other) and not _is_part(other, one)


def _same_subject(one: Candidate, other: Candidate) -> bool:
    """Whether both speak of the same quantity of the same treatment."""
    mine, theirs = _main(one), _main(other)
    if _place(mine) == _place(theirs):
        return True
    alike = _letters(mine.condition) == _letters(theirs.condition) and _letters(mine.metric) == _letters(theirs.metric)
    datasets = {_letters(point.dataset) for point in (mine, theirs) if point.dataset is not None}
    return alike and len(datasets) < 2


def _is_part(one: Candidate, other: Candidate) -> bool:
    """Whether a plain value is one of those that the other claim compares: "from 52 to 47" states both."""
    return one.pattern == "absolute" and _place(_main(one)) in {place for _, place in _cells(other)}


def _other_direction(one: Candidate, other: Candidate) -> bool:
    return len({one.metric.direction, other.metric.direction} - {None}) == 2


def _other_numbers(one: Candidate, other: Candidate) -> bool:
    mine = {(role.role, _place(role.point)): role.point for role in one.points}
    return any(
        convert(role.point.value, role.point.unit, mine[key].unit) not in {None, mine[key].value}
        for role in other.points
        for key in [(role.role, _place(role.point))]
        if key in mine
    )


def _cells(candidate: Candidate) -> _Cells:
    """The places that a claim compares; of a plain value its own alone, whatever it is held against."""
    compared = frozenset({"treatment"}) if candidate.pattern == "absolute" else _COMPARED
    return tuple(sorted((role.role, _place(role.point)) for role in candidate.points if role.role in compared))


def _main(candidate: Candidate) -> TargetPoint:
    """The point that a claim is about: its treatment, or the first of its parts."""
    return min(candidate.points, key=_rank).point


def _rank(role: RolePoint) -> int:
    return 0 if role.role == "treatment" else 1


def _place(point: TargetPoint) -> _Place:
    """Where a point stands, as both extractors name it: its cell, else its series, else its words."""
    place = min(point.provenance, key=lambda one: _WORTH[one.kind])
    names: dict[str, _Place] = {
        "table_cell": (*place.row_path, "/", *place.column_path),
        "figure_series": (place.figure or "", place.panel or "", place.series or "", str(place.x)),
    }
    return (place.kind, str(place.page), *(names[place.kind] if place.kind in names else (_letters(place.quote),)))


def _share_a_sentence(one: Candidate, other: Candidate) -> bool:
    return any(
        mine.page == theirs.page
        and (_letters(mine.quote) in _letters(theirs.quote) or _letters(theirs.quote) in _letters(mine.quote))
        for mine in one.anchors
        for theirs in other.anchors
    )


@lru_cache(maxsize=4096)
def _letters(text: str) -> str:
    return "".join(letter for letter in text.casefold() if letter.isalnum())
