"""The working papers of parse and extract: what was found, in which order, and on what it rests."""

from typing import Literal

from reproducegym.schema.base import BBox, Frozen, PageNumber
from reproducegym.schema.claim import Anchor, Candidate, ClaimType, RolePoint

__all__ = [
    "CandidateRow",
    "Candidates",
    "ClaimEvidence",
    "EvidenceIndex",
    "FigureEntry",
    "FigureIndex",
    "SelectedClaim",
    "SelectedClaims",
    "TableEntry",
    "TargetPoints",
    "TriagedClaim",
    "TriagedClaims",
]


class FigureEntry(Frozen):
    """One figure: where it stands, and the file in `figures/` that shows it."""

    id: str
    label: str | None
    page: PageNumber
    bbox: BBox
    caption: str | None
    image: str | None
    image_sha256: str | None


class FigureIndex(Frozen):
    """`00-parse/figures.index.json`."""

    schema_version: Literal[1]
    paper_id: str
    figures: tuple[FigureEntry, ...]


class TableEntry(Frozen):
    """One table in a line: what it measures and how large it is."""

    id: str
    label: str | None
    page: PageNumber
    caption: str | None
    rows: int
    columns: int


class EvidenceIndex(Frozen):
    """`01-extract/paper_evidence_index.json`: everything of the paper that can hold a target."""

    schema_version: Literal[1]
    paper_id: str
    sentences: int
    tables: tuple[TableEntry, ...]
    figures: tuple[FigureEntry, ...]


class CandidateRow(Frozen):
    """A claim as proposed, with its identity."""

    claim_uid: str
    candidate: Candidate


class Candidates(Frozen):
    """`01-extract/claim_candidates.json`: every proposal, most important first."""

    schema_version: Literal[1]
    paper_id: str
    extractor: str
    candidates: tuple[CandidateRow, ...]


class TriagedClaim(Frozen):
    """What became of one proposal when it was compiled, before the task proved itself."""

    claim_uid: str
    claim_type: ClaimType
    importance: int
    pool: Literal["rlvr", "exploration"]
    reasons: tuple[str, ...]


class TriagedClaims(Frozen):
    """`01-extract/triaged_claims.json`."""

    schema_version: Literal[1]
    paper_id: str
    claims: tuple[TriagedClaim, ...]


class ClaimEvidence(Frozen):
    """`01-extract/claim_evidence/<uid>.json`: the sentences that state a claim, and the sentence's own words."""

    schema_version: Literal[1]
    paper_id: str
    claim_uid: str
    statement: str
    anchors: tuple[Anchor, ...]


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
