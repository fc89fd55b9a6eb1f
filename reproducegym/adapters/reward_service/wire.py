"""What the service and its clients say to each other."""

from typing import Annotated, Literal

from pydantic import Field

from reproducegym.schema.base import Frozen
from reproducegym.schema.run import EvidenceLevel, FailureKind

__all__ = ["Answer", "Details", "Problem", "ProblemAnswer", "Scored", "State", "SubmissionFiles"]

State = Literal["queued", "running", "done"]


class SubmissionFiles(Frozen):
    """A submission as JSON: files by relative path, texts as they are, others in base64."""

    files: dict[str, str] = Field(default_factory=dict)
    files_base64: dict[str, str] = Field(default_factory=dict)


class Details(Frozen):
    """What an operator may see of a verification; it can tell hidden things, so agents never get it."""

    failure_detail: str
    evidence_detail: str
    problems: tuple[str, ...]
    probes: tuple[str, ...]


class Scored(Frozen):
    """The outcome of one verification. `reward` is None exactly for faults of `infra` or `verifier`."""

    reward: Annotated[float | None, Field(ge=0, le=1)]
    failure_kind: FailureKind | None
    evidence_level: EvidenceLevel
    details: Details


class Answer(Frozen):
    """A verification as its client sees it.

    Once it is done, `reward_valid` says whether there is a reward; false is a fault of ours, never of the submission.
    `details` are there where the operator shows them.
    """

    id: str
    task_id: str
    spec_hash: str
    state: State
    reward: float | None
    reward_valid: bool | None
    failure_kind: FailureKind | None
    evidence_level: EvidenceLevel | None
    tries: int
    details: Annotated[Details | None, Field(exclude_if=lambda details: details is None)] = None


class Problem(Frozen):
    """Why a request was refused: a stable code, and a line for people."""

    code: str
    message: str


class ProblemAnswer(Frozen):
    """The body of every refusal."""

    error: Problem
