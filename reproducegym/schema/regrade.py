"""One line of a regrade's journal: what an attempt earned, and what it earns today."""

from typing import Annotated

from pydantic import Field

from reproducegym.schema.base import Frozen, ShortDigest
from reproducegym.schema.run import FailureKind
from reproducegym.schema.task import ClaimName

__all__ = ["RegradeLine"]


class RegradeLine(Frozen):
    """An attempt that was regraded with a contract, or could not be: then `error` says why and `after` is None."""

    paper_id: str
    claim_id: ClaimName
    spec_hash: ShortDigest
    attempt: Annotated[int, Field(ge=1)]
    contract_hash: ShortDigest | None
    before: float | None
    after: float | None
    failure_kind: FailureKind | None
    changed: bool
    written: bool
    error: str | None
