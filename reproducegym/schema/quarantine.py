"""Tasks that are kept out of training, and why."""

from typing import Annotated, Literal

from pydantic import Field

from reproducegym.schema.base import Frozen, ShortDigest
from reproducegym.schema.task import ClaimName

__all__ = ["Quarantine", "Quarantined"]


class Quarantined(Frozen):
    """One version of a task, and in a line why nobody should train on it."""

    claim_id: ClaimName
    spec_hash: ShortDigest
    reason: Annotated[str, Field(min_length=1, max_length=500)]


class Quarantine(Frozen):
    """`quarantine.json` beside a paper's manifest: `load_manifest` leaves these tasks out and lists them."""

    schema_version: Literal[1]
    tasks: tuple[Quarantined, ...]
