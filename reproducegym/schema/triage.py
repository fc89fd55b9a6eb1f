"""The working papers of extraction: what was proposed by whom, in which order it counts, and what was chosen."""

from typing import Literal

from reproducegym.schema.base import Frozen
from reproducegym.schema.claim import Candidate, ClaimType, RolePoint

__all__ = [
    "CandidateRow",
    "Candidates",
    "Score",
    "SelectedClaim",
    "SelectedClaims",
    "TargetPoints",
    "TriageScores",
    "TriagedClaim",
    "TriagedClaims",
]


class CandidateRow(Frozen):
    """A claim as proposed, with its identity.

    `proposed_by` names the extractor, or is `both`. `disagreement` says how another extractor reads the same
    sentence or cells; None where nobody does.
    """

    claim_uid: str
    proposed_by: str
    disagreement: str | None
    candidate: Candidate


class Candidates(Frozen):
    """`01-extract/claim_candidates.json`: every proposal, most important first."""

    schema_version: Literal[1]
    paper_id: str
    extractor: str
    candidates: tuple[CandidateRow, ...]


class Score(Frozen):
    """How a claim stands in one respect, larger is better, and what speaks for it or against it."""

    value: int
    reasons: tuple[str, ...]


class TriageScores(Frozen):
    """The four respects in the order in which they count.

    `importance` is on the extractor's own scale; the others go from 0 to 100. Of `cost`, 100 is cheapest.
    """

    importance: Score
    quantifiability: Score
    reproducibility: Score
    cost: Score


class TriagedClaim(Frozen):
    """One proposal at its place in the order, and what became of it before the task proved itself."""

    claim_uid: str
    claim_id: str | None
    statement: str
    claim_type: ClaimType
    proposed_by: str
    scores: TriageScores
    pool: Literal["rlvr", "exploration"]
    reasons: tuple[str, ...]


class TriagedClaims(Frozen):
    """`01-extract/triaged_claims.json`: every proposal in the order in which tasks are built, up to `--max-claims`."""

    schema_version: Literal[1]
    paper_id: str
    claims: tuple[TriagedClaim, ...]


class TargetPoints(Frozen):
    """`01-extract/target_points/<uid>.json`: the numbers that a claim rests on, each with its place."""

    schema_version: Literal[1]
    paper_id: str
    claim_uid: str
    points: tuple[RolePoint, ...]


class SelectedClaim(Frozen):
    """One claim that a task is built for."""

    claim_id: str
    claim_uid: str
    spec_hash: str


class SelectedClaims(Frozen):
    """`01-extract/selected_claims_for_build.json`: in order of importance."""

    schema_version: Literal[1]
    paper_id: str
    claims: tuple[SelectedClaim, ...]
