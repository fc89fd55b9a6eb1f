"""The identities of a claim: by its anchors, by what the verifier uses, and by everything that changes the task."""

import json

from reproducegym.schema.base import digest, short_digest
from reproducegym.schema.claim import Candidate
from reproducegym.schema.contract import Contract
from reproducegym.schema.spec import ClaimSpec

__all__ = ["claim_uid", "contract_hash", "sealed_spec"]


def claim_uid(paper_id: str, candidate: Candidate) -> str:
    """`clm_` and 16 hex digits of the paper id, the anchors' pages and words, the pattern and the cells it rests on.

    Neither the statement's wording nor a box enters: every extractor that found the same sentences and cells agrees.
    """
    places = sorted({(anchor.page, " ".join(anchor.quote.split())) for anchor in candidate.anchors})
    cells = sorted(
        (one.role, place.table or "", *place.row_path, "", *place.column_path)
        for one in candidate.points
        for place in one.point.provenance
        if place.kind == "table_cell"
    )
    text = json.dumps([paper_id, places, candidate.pattern, cells], separators=(",", ":"), ensure_ascii=False)
    return f"clm_{digest(text.encode())[:16]}"


def contract_hash(contract: Contract) -> str:
    """16 hex digits over everything that the verifier uses."""
    return short_digest(contract)


def sealed_spec(spec: ClaimSpec) -> ClaimSpec:
    """The spec with its `spec_hash`: 16 hex digits over all of it, computed while that one field is empty."""
    unsealed = spec.model_copy(update={"spec_hash": ""})
    return spec.model_copy(update={"spec_hash": short_digest(unsealed)})
