"""What a run leaves: the verifier's report, the verification record, and `result.json`."""

from decimal import Decimal
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from reproducegym.schema.base import Frozen

__all__ = [
    "AgentRecord",
    "AgentUsage",
    "Budget",
    "Draw",
    "EgressUsage",
    "EvidenceLevel",
    "FailureKind",
    "Flag",
    "MetricReport",
    "ProbeReport",
    "Report",
    "Result",
    "RunOutcome",
    "RunRecord",
    "Timings",
    "Verdict",
    "verdict",
]

EvidenceLevel = Literal["artifact", "replay", "reexecute"]
"""Where the numbers of a reward come from, weakest first: docs/contract.md."""

FailureKind = Literal["agent", "infra", "verifier"]
Verdict = Literal["reproduced", "partial", "failed", "invalid"]
Budget = Literal["wall_clock", "tokens", "dollars", "tool_calls", "trace_bytes"]
RunOutcome = Literal["ok", "nonzero_exit", "timeout", "out_of_memory", "no_output", "refused", "infra"]


class MetricReport(Frozen):
    """One metric: the value that the verifier computed (None: none could be), its reward, and why."""

    metric: str
    role: Literal["primary", "guard", "diagnostic"]
    value: float | None
    reward: float | None
    per_seed: tuple[float, ...]
    note: str


class ProbeReport(Frozen):
    """One probe: held or not, and the reason in words without hidden values; `choice` is the one that was drawn."""

    probe: str
    held: bool
    note: str
    choice: int = 0


class Flag(Frozen):
    """Something about a submission that people should look at; it never changes a reward."""

    flag: Literal["literal", "work", "constant_output", "one_noise", "shifted_curve"]
    note: str


class Report(Frozen):
    """What the verifier says, exactly as `verifier` prints it. `problems` are stable codes with a place."""

    reward: float
    failure_kind: Literal["agent"] | None
    implausible: bool
    metrics: tuple[MetricReport, ...]
    probes: tuple[ProbeReport, ...]
    problems: tuple[str, ...]


class RunRecord(Frozen):
    """One run of reproduce.sh that the verifier started. `labels` maps opaque to canonical labels.

    `choice` is which of its probe's choices was drawn, 0 for a main run; `start` the checkpoint that a replayed run
    began at, a directory of the submission (None: it began at the beginning).
    """

    purpose: str
    index: int
    seed: int
    labels: dict[str, str]
    knobs: dict[str, float]
    asset: Annotated[str | None, Field(exclude_if=lambda asset: asset is None)] = None
    """The asset whose labels were permuted; None where none were."""
    asset_draw: Annotated[int | None, Field(exclude_if=lambda drawn: drawn is None)] = None
    """The number from which the order of labels and rows in its copies follows; None for a task without assets."""
    outcome: RunOutcome
    exit_code: int | None
    detail: str
    seconds: float
    metrics_sha256: str | None
    choice: int = 0
    start: str | None = None


class Draw(Frozen):
    """What was drawn for one verification (host only): hidden seeds and label maps, one record a run.

    `sample` is which of a wide claim's samples was drawn, and is written where there are any.
    """

    schema_version: Literal[1]
    submission_sha256: str
    sample: Annotated[int | None, Field(exclude_if=lambda sample: sample is None)] = None
    runs: tuple[RunRecord, ...]


class AgentUsage(Frozen):
    """What an agent took of its models, as the gateway counted it.

    `dollars` is None where the price of any completion is not known. `tool_calls` are those that the models made.
    """

    completions: int
    prompt_tokens: int
    completion_tokens: int
    dollars: Decimal | None
    tool_calls: int


class EgressUsage(Frozen):
    """What went through a sandbox's way out: connections that were opened, refused, or failed, and their bytes."""

    opened: int
    refused: int
    failed: int
    sent_bytes: int
    received_bytes: int


class AgentRecord(Frozen):
    """How the agent's part ended.

    `model` is what it asked, `stopped_by` the budget that ended it; what there is none of is not written.
    """

    agent: str
    outcome: Literal["finished", "nonzero_exit", "timeout", "budget", "refused", "infra"]
    exit_code: int | None
    detail: str
    usage: Annotated[AgentUsage | None, Field(exclude_if=lambda usage: usage is None)] = None
    egress: Annotated[EgressUsage | None, Field(exclude_if=lambda egress: egress is None)] = None
    """None where nothing was allowed."""
    model: Annotated[str | None, Field(exclude_if=lambda model: model is None)] = None
    stopped_by: Annotated[Budget | None, Field(exclude_if=lambda budget: budget is None)] = None


class Timings(Frozen):
    """Wall seconds of each part."""

    agent_s: float
    copy_out_s: float
    verify_s: float
    total_s: float


def verdict(reward: float | None) -> Verdict:
    """The reward in a word for people: every primary metric within tolerance, some of it, nothing, unscored."""
    if reward is None:
        return "invalid"
    if reward >= 1.0:
        return "reproduced"
    return "partial" if reward > 0.0 else "failed"


class Result(Frozen):
    """`result.json`. `reward` is None exactly when `reward_valid` is false: a fault of infra or verifier.

    Reward, validity, verdict, failure and report say the same, or the value cannot be made or read. Where there is no
    report, the reward is None, or 0 through a fault of the agent. `evidence_level` is the level that was reached;
    `evidence_detail` says why it is below the task's, and is there only where it is.
    """

    schema_version: Literal[1]
    task_id: str
    paper_id: str
    claim_id: str
    spec_hash: str
    contract_hash: str
    task_digest: str
    attempt: int
    reward: float | None
    reward_valid: bool
    failure_kind: FailureKind | None
    failure_detail: str
    verdict: Verdict
    evidence_level: EvidenceLevel
    evidence_detail: Annotated[str, Field(exclude_if=lambda detail: not detail)] = ""
    sandbox: str
    image: str
    agent: AgentRecord
    report: Report | None
    submission_sha256: str | None
    reproducegym_version: str
    timings: Timings
    flags: tuple[Flag, ...] = ()

    @model_validator(mode="after")
    def _agrees(self) -> Self:
        known = self.reward is not None
        if self.reward is not None and not 0.0 <= self.reward <= 1.0:
            raise ValueError(f"reward {self.reward} is not between 0 and 1")
        if self.reward_valid is not known:
            raise ValueError(f"reward {self.reward} does not agree with reward_valid {self.reward_valid}")
        if self.verdict != verdict(self.reward):
            raise ValueError(f"reward {self.reward} does not agree with verdict {self.verdict!r}")
        if known is (self.failure_kind in ("infra", "verifier")):
            raise ValueError(f"reward {self.reward} does not agree with failure_kind {self.failure_kind!r}")
        said = self.report
        if said is not None and (said.reward, said.failure_kind) != (self.reward, self.failure_kind):
            raise ValueError(f"reward {self.reward} ({self.failure_kind}) does not agree with the report")
        if said is None and known and (self.reward, self.failure_kind) != (0.0, "agent"):
            raise ValueError(f"reward {self.reward} ({self.failure_kind}) has no report")
        return self
