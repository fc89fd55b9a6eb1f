"""Where tasks come from."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol

from reproducegym.ports.files import Files
from reproducegym.ports.papers import ReadPaper
from reproducegym.schema.base import Frozen
from reproducegym.schema.claim import Candidate, Rejected
from reproducegym.schema.contract import Contract
from reproducegym.schema.spec import ClaimSpec

__all__ = ["Proposal", "TaskFamily"]


@dataclass(frozen=True)
class Proposal:
    """A claim and what became of it.

    `proposed_by` names the extractors that found it; `disagreement` says how another one reads the same sentence or
    cells, None where nobody does.
    """

    candidate: Candidate
    claim_uid: str
    outcome: ClaimSpec | Rejected
    proposed_by: tuple[str, ...]
    disagreement: str | None = None


class TaskFamily(Protocol):
    """Where tasks come from. Families differ in where truth comes from, never in how a reward is computed.

    `extractor_name` says what proposes the claims, `model` which language model it asks, None for none, and `prompts`
    with which prompts (sha256 by file name), `host_model` the sha256 of an operator's model of the paper, None for
    none; all are part of what built a task.
    """

    name: str
    extractor_name: str
    model: str | None
    prompts: Mapping[str, str]
    host_model: str | None

    def propose(self, source: ReadPaper) -> Iterator[Proposal]:
        """Every candidate of a source, compiled or refused."""
        ...

    def records(self) -> Mapping[str, Frozen]:
        """What is kept of the last source for people, as files of `01-extract/`."""
        ...

    def brief(self, spec: ClaimSpec, source: ReadPaper) -> Files:
        """Everything that the agent may see, as files below `input_files/`."""
        ...

    def contract(self, spec: ClaimSpec) -> Contract:
        """How a submission is scored."""
        ...
