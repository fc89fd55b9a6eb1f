"""Orders claims by what they are worth to a reader and to a trainer, and says in words why."""

from collections.abc import Sequence
from types import MappingProxyType

from reproducegym.pipeline.claims.merge import Proposed
from reproducegym.schema.claim import Candidate
from reproducegym.schema.evidence import SectionRole
from reproducegym.schema.triage import Score, TriageScores

__all__ = ["in_order", "triage_scores"]

_SAID_IN = MappingProxyType(
    {
        "abstract": "stated in the abstract",
        "conclusion": "stated in the conclusion",
        "introduction": "stated in the introduction",
        "results": "stated among the results",
        "setup": "stated in the set-up",
        "aside": "stated beside the paper's own work",
        "other": "stated in a section of no special kind",
    }
)
_COSTS = MappingProxyType(
    {
        "S": (100, "minutes on a CPU"),
        "M": (70, "about an hour"),
        "L": (40, "half a day, one GPU"),
        "XL": (10, "days, or many GPUs"),
    }
)


def in_order(proposed: Sequence[Proposed]) -> list[int]:
    """The numbers of the proposals in the order in which they are compiled and built.

    More important ones first, as the extractor weighs them; of equals the better quantified, then the better
    reproducible, then the cheaper one; at last the extractor's own order.
    """

    def rank(number: int) -> tuple[int, ...]:
        candidate = proposed[number].candidate
        scores = (_quantifiability(candidate), _reproducibility(candidate), _cost(candidate))
        return (-candidate.importance, *(-score.value for score in scores), number)

    return sorted(range(len(proposed)), key=rank)


def triage_scores(candidate: Candidate, role: SectionRole | None, by: tuple[str, ...]) -> TriageScores:
    """All scores of a claim that is stated in a section of this role, and proposed by these extractors."""
    return TriageScores(
        importance=_importance(candidate, role, by),
        quantifiability=_quantifiability(candidate),
        reproducibility=_reproducibility(candidate),
        cost=_cost(candidate),
    )


def _importance(candidate: Candidate, role: SectionRole | None, by: tuple[str, ...]) -> Score:
    weigh = "weighs" if len(by) == 1 else "weigh"
    reasons = [f"{' and '.join(by)} {weigh} it {candidate.importance}"]
    if role is not None:
        reasons.append(_SAID_IN[role])
    if len(candidate.anchors) > 1:
        reasons.append(f"quoted {len(candidate.anchors)} times")
    return Score(value=candidate.importance, reasons=tuple(reasons))


def _quantifiability(candidate: Candidate) -> Score:
    """0 to 100: how firmly numbers of the paper hold the claim."""
    if not candidate.points:
        return Score(value=0, reasons=("no number of the paper is bound to it",))
    kinds = {place.kind for role in candidate.points for place in role.point.provenance}
    held = {
        "table_cell": (50, "its numbers stand in a table"),
        "figure_series": (30, "its numbers are read off a figure"),
    }
    found = [held[kind] for kind in held if kind in kinds][:1] or [(25, "its numbers stand in the text alone")]
    roles = {role.role for role in candidate.points}
    if any(role.point.spread is not None for role in candidate.points):
        found.append((15, "the paper prints a spread"))
    if roles & {"baseline", "chance", "control"}:
        found.append((15, "there is something to hold it against"))
    if candidate.metric.direction is not None:
        found.append((20, "it is known which way is better"))
    found += [(-25, f"doubtful: {reason.code}") for reason in candidate.doubts]
    return _score(found)


def _reproducibility(candidate: Candidate) -> Score:
    """0 to 100: how much of the experiment the paper tells."""
    protocol = candidate.protocol
    if any(reason.code == "needs_unavailable_asset" for reason in candidate.doubts):
        return Score(value=0, reasons=("it needs what nobody can obtain by name",))
    told = (
        (protocol.method, 25, "the method"),
        (protocol.dataset, 25, "the data set"),
        (protocol.evaluation, 20, "how it is evaluated"),
        (candidate.budget_knob, 15, "the budget"),
        (protocol.numbers, 15, f"{len(protocol.numbers)} numbers of the set-up"),
    )
    found = [(points, f"the paper names {what}") for value, points, what in told if value]
    missing = [(0, f"not found: {what}") for value, points, what in told[:3] if not value]
    return _score([*found, *missing])


def _cost(candidate: Candidate) -> Score:
    """0 to 100: 100 is cheapest."""
    value, words = _COSTS[candidate.cost]
    needs = [(candidate.requires_training, "a model is trained"), (candidate.requires_gpu, "a GPU is needed")]
    return Score(value=value, reasons=(words, *(said for needed, said in needs if needed)))


def _score(found: Sequence[tuple[int, str]]) -> Score:
    total = sum(points for points, _ in found)
    return Score(value=max(0, min(100, total)), reasons=tuple(words for _, words in found))
