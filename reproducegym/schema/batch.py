"""Batches of attempts: which tasks, how many attempts at each, and where every attempt came from."""

from datetime import datetime
from decimal import Decimal
from typing import Annotated, Literal

from pydantic import Field

from reproducegym.schema.base import Frozen, ShortDigest
from reproducegym.schema.run import FailureKind, Verdict
from reproducegym.schema.task import ClaimName

__all__ = ["AttemptLine", "Batch", "BatchId", "BatchTask", "InProgress", "NodeUse", "Origin"]

BatchId = Annotated[str, Field(pattern="^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$")]
Slot = Annotated[int, Field(ge=1)]


class BatchTask(Frozen):
    """A version of a task of a paper below the batch's `runs` directory."""

    paper_id: str
    claim_id: ClaimName
    spec_hash: ShortDigest


class NodeUse(Frozen):
    """A node of the inventories, absolute paths, what it is for, and how many of its GPUs each attempt has."""

    name: str
    inventories: tuple[str, ...]
    use: Literal["sandbox", "commands"]
    gpus: Annotated[int, Field(ge=0)]


class Batch(Frozen):
    """`runs/.batches/<batch_id>.json`: what was ordered, whole, so that its id alone is enough to finish it.

    `attempts` is the number of valid attempts wanted at each task: those that were scored, whatever they earned.
    `agent` and `sandbox` are words of the command line, `assets` its `NAME=PATH`, paths absolute; `config` is the
    configuration file that was named, None for the shipped one; `node` the node that was named.
    """

    schema_version: Literal[1]
    batch_id: BatchId
    begun: datetime
    agent: str
    sandbox: str
    attempts: Slot
    tasks: Annotated[tuple[BatchTask, ...], Field(min_length=1)]
    assets: tuple[str, ...]
    config: str | None
    node: Annotated[NodeUse | None, Field(exclude_if=lambda node: node is None)] = None


class InProgress(Frozen):
    """`owner.json` of an attempt that is being made: whose it is, and until when at most.

    `owner` and `pid_namespace` name the process (`reproducegym.owner.Owner`) on `host`. A directory whose owner is
    dead is a lost attempt; one whose owner can't be asked, too, once it is past `expires` or its `owner.json` was not
    touched for ten times `beat_s` seconds.
    """

    schema_version: Literal[1]
    owner: str
    pid_namespace: str
    host: str
    begun: datetime
    expires: datetime
    batch_id: BatchId | None
    slot: Slot | None
    beat_s: Annotated[float | None, Field(gt=0, exclude_if=lambda beat: beat is None)] = None
    """How often the owner touches the file; None where it does not."""


class Origin(Frozen):
    """`origin.json` of a whole attempt: the batch and the slot that it fills, which try it was, where it was made."""

    schema_version: Literal[1]
    batch_id: BatchId
    slot: Slot
    tried: Annotated[int, Field(ge=1)]
    run_id: str
    host: str
    begun: datetime


class AttemptLine(Frozen):
    """One line of `04-run/index.jsonl`; everything in it stands in the attempt's own directory too.

    `tokens` and `dollars` are what the agent took of its models, None where that is not known.
    """

    schema_version: Literal[1]
    task_id: str
    claim_id: ClaimName
    spec_hash: ShortDigest
    attempt: int
    batch_id: BatchId | None
    slot: Slot | None
    tried: int | None
    begun: datetime | None
    agent: str
    outcome: str
    reward: float | None
    reward_valid: bool
    failure_kind: FailureKind | None
    verdict: Verdict
    sandbox: str
    agent_s: float
    verify_s: float
    total_s: float
    tokens: int | None
    dollars: Decimal | None
