"""What a language model made of each claim, and what of it was refused: `01-extract/refined_claims.json`."""

from typing import Literal

from reproducegym.schema.base import Frozen
from reproducegym.schema.claim import Candidate, Reason

__all__ = ["RefinedClaim", "RefinedClaims", "UnreadSection"]


class RefinedClaim(Frozen):
    """One claim after its evidence was read.

    `found_in` names the sections that state it, `sentences` the ids of its sentences. `candidate` holds what was bound
    to the paper, `refused` what contradicts the paper, or why no model answered; `dropped` what the model said besides
    and was not found there.
    """

    claim_uid: str
    found_in: tuple[str, ...]
    sentences: tuple[str, ...]
    answered: bool
    candidate: Candidate
    refused: tuple[Reason, ...]
    dropped: tuple[str, ...]


class UnreadSection(Frozen):
    """A section that no model answered for, and why."""

    section: str
    title: str
    reason: str
    detail: str


class RefinedClaims(Frozen):
    """All claims that a model proposed, in the order of their importance.

    `withheld` are ids of sentences that give orders to a program: no model was shown their words. `joins_refused` are
    claims that a model took for one without a number in common.
    """

    schema_version: Literal[1]
    paper_id: str
    model: str
    claims: tuple[RefinedClaim, ...]
    unread: tuple[UnreadSection, ...]
    withheld: tuple[str, ...]
    joins_refused: tuple[str, ...]
