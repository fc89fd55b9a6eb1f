"""Says what became of every claim: the rows of the report, the working papers of `01-extract/`, the counts."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing

from reproducegym.pipeline.claims.refused import refused_targets
from reproducegym.pipeline.claims.triage import triage_scores
from reproducegym.pipeline.evidence.bundle import Bundler
from reproducegym.pipeline.evidence.index import build_index
from reproducegym.ports import Proposal, ReadPaper
from reproducegym.schema.base import Frozen
from reproducegym.schema.claim import Candidate, Reason, Rejected
from reproducegym.schema.evidence import SectionRole
from reproducegym.schema.spec import ClaimSpec
from reproducegym.schema.task import ClaimReport, ClaimRow
from reproducegym.schema.triage import (
    CandidateRow,
    Candidates,
    SelectedClaim,
    SelectedClaims,
    TargetPoints,
    TriagedClaim,
    TriagedClaims,
)

__all__ = ["claim_report", "excluded", "no_claims", "proposer", "working_papers"]

_ENGLISH = frozenset({"a", "and", "for", "in", "is", "of", "on", "that", "the", "to", "we", "with"})
_ENGLISH_SHARE = 0.1
_FEW_WORDS = 30
_TELLING: tuple[SectionRole, ...] = (
    "abstract",
    "conclusion",
    "introduction",
    "results",
    "other",
    "setup",
    "aside",
)
"""Kinds of sections, those first in which papers state what they are about."""


def claim_report(
    paper: ReadPaper, extractor: str, proposals: Iterable[Proposal], refused: Mapping[str, tuple[Reason, ...]]
) -> ClaimReport:
    """One row a claim; `refused` holds, by claim id, why a compiled claim did not prove itself as a task."""
    rows = tuple(_row(paper, proposal, refused) for proposal in proposals)
    return ClaimReport(schema_version=1, paper_id=paper.document.paper_id, extractor=extractor, claims=rows)


def excluded(report: ClaimReport) -> dict[str, int]:
    """How many claims are not tasks, by their first reason's code."""
    codes = Counter(row.reasons[0].partition(":")[0] for row in report.claims if row.pool == "exploration")
    return {code: codes[code] for code in sorted(codes)}


def working_papers(
    paper: ReadPaper, extractor: str, proposals: tuple[Proposal, ...], selected: Iterable[ClaimSpec], characters: int
) -> Iterator[tuple[str, Frozen]]:
    """Every file of `01-extract/` but the report, by its name there; `characters` bounds the evidence of a claim."""
    paper_id = paper.document.paper_id
    index = build_index(paper)
    yield "paper_evidence_index.json", index
    rows = tuple(
        CandidateRow(
            claim_uid=one.claim_uid,
            proposed_by=proposer(one),
            disagreement=one.disagreement,
            candidate=one.candidate,
        )
        for one in proposals
    )
    yield (
        "claim_candidates.json",
        Candidates(schema_version=1, paper_id=paper_id, extractor=extractor, candidates=rows),
    )
    chosen = tuple(
        SelectedClaim(claim_id=spec.claim_id, claim_uid=spec.claim_uid, spec_hash=spec.spec_hash) for spec in selected
    )
    yield "selected_claims_for_build.json", SelectedClaims(schema_version=1, paper_id=paper_id, claims=chosen)
    with closing(Bundler(index, paper)) as bundler:
        triaged = tuple(_triaged(one, bundler) for one in proposals)
        yield "triaged_claims.json", TriagedClaims(schema_version=1, paper_id=paper_id, claims=triaged)
        for uid, candidate in _by_uid(proposals).items():
            yield f"claim_evidence/{uid}.json", bundler.bundle(candidate, characters)
            points = TargetPoints(schema_version=1, paper_id=paper_id, claim_uid=uid, points=candidate.points)
            yield f"target_points/{uid}.json", points


def proposer(proposal: Proposal) -> str:
    """Who proposed a claim: the extractor's name, or `both`."""
    return proposal.proposed_by[0] if len(proposal.proposed_by) == 1 else "both"


def no_claims(paper: ReadPaper) -> str:
    """Why a paper may have given no claim at all, in one line that says what was missing."""
    document = paper.document
    sentences = [one.text for paragraph in document.paragraphs for one in paragraph.sentences]
    words = [word.strip(".,;:()").casefold() for sentence in sentences for word in sentence.split()]
    english = sum(word in _ENGLISH for word in words)
    missing = []
    if not sentences:
        missing.append("no sentences were found")
    elif not any(character.isdigit() for sentence in sentences for character in sentence):
        missing.append("no sentence states a number")
    if len(words) >= _FEW_WORDS and english < _ENGLISH_SHARE * len(words):
        missing.append("the text does not look English, and no other language is read")
    if not document.tables:
        missing.append("no tables were found, and numbers are looked up in tables")
    if not missing:
        missing.append("no sentence states a result of the paper's own with a number that one of its tables prints")
    return f"no claims were found: {'; '.join(missing)}"


def _row(paper: ReadPaper, proposal: Proposal, refused: Mapping[str, tuple[Reason, ...]]) -> ClaimRow:
    candidate, outcome = proposal.candidate, proposal.outcome
    spec = outcome if isinstance(outcome, ClaimSpec) else None
    reasons = outcome.reasons if isinstance(outcome, Rejected) else ()
    if spec is not None and spec.claim_id in refused:
        reasons = refused[spec.claim_id]
    places = (place for role in candidate.points for place in role.point.provenance)
    return ClaimRow(
        claim_uid=proposal.claim_uid,
        claim_id=None if spec is None or reasons else spec.claim_id,
        proposed_by=proposer(proposal),
        disagreement=proposal.disagreement,
        statement=candidate.statement,
        claim_type=candidate.claim_type,
        pool="exploration" if reasons else "rlvr",
        reasons=tuple(str(reason) for reason in reasons),
        details=tuple(reason.detail for reason in reasons),
        anchors=candidate.anchors,
        evidence=tuple(dict.fromkeys(places)),
        targets=refused_targets(paper, candidate, reasons) if spec is None else spec.targets,
        metrics=() if spec is None else spec.metrics,
        guards=() if spec is None else spec.guards,
    )


def _triaged(proposal: Proposal, bundler: Bundler) -> TriagedClaim:
    candidate, outcome = proposal.candidate, proposal.outcome
    reasons = outcome.reasons if isinstance(outcome, Rejected) else ()
    said_in = {sentence.role for sentence in bundler.stating(candidate.anchors)}
    role = next((one for one in _TELLING if one in said_in), None)
    return TriagedClaim(
        claim_uid=proposal.claim_uid,
        claim_id=outcome.claim_id if isinstance(outcome, ClaimSpec) else None,
        statement=candidate.statement,
        claim_type=candidate.claim_type,
        proposed_by=proposer(proposal),
        scores=triage_scores(candidate, role, proposal.proposed_by),
        pool="exploration" if reasons else "rlvr",
        reasons=tuple(str(reason) for reason in reasons),
    )


def _by_uid(proposals: Iterable[Proposal]) -> dict[str, Candidate]:
    """One candidate a uid, the first; claims of the same sentences share a uid, and stand on the points of them all."""
    found: dict[str, Candidate] = {}
    for one in proposals:
        first = found.setdefault(one.claim_uid, one.candidate)
        points = tuple(dict.fromkeys((*first.points, *one.candidate.points)))
        found[one.claim_uid] = first.model_copy(update={"points": points})
    return found
