"""What leaves the build: the manifest that trainers read, ClawGym's data entry, and the report of all claims."""

from typing import Literal

from reproducegym.schema.base import Frozen
from reproducegym.schema.claim import Anchor, ClaimType, Provenance
from reproducegym.schema.spec import Asset, MetricSpec, Target

__all__ = [
    "BuildValidation",
    "BuilderRecord",
    "CheckResult",
    "ClaimReport",
    "ClaimRow",
    "DataEntry",
    "Difficulty",
    "LeakFinding",
    "Manifest",
    "ManifestTask",
    "PaperRecord",
    "TaskReport",
    "TaskValidation",
]

Difficulty = Literal["easy", "medium", "hard"]


class DataEntry(Frozen):
    """`data_entry.json` as ClawGym's loader reads it."""

    task_id: str
    user_query: str
    input_mount_dir: str
    metadata: dict[str, str]


class PaperRecord(Frozen):
    """The paper a manifest was built from."""

    paper_id: str
    title: str
    sha256: str
    licence: str


class BuilderRecord(Frozen):
    """What built the tasks. `prompts` maps a prompt or template file to its sha256."""

    version: str
    extractor: str
    model: str | None
    prompts: dict[str, str]


class TaskReport(Frozen):
    """Measured rewards of known submissions; `none` where nothing was run."""

    oracle: float | Literal["none"]
    noop: float | Literal["none"]
    gameability: float | Literal["none"]


class ManifestTask(Frozen):
    """One task, with no hidden value. `task_dir` is relative to the manifest; `statement` is the agent's wording."""

    task_id: str
    family: str
    claim_id: str
    claim_uid: str
    title: str
    statement: str
    claim_type: ClaimType
    spec_hash: str
    contract_hash: str
    task_digest: str
    task_dir: str
    metrics: tuple[str, ...]
    n_targets: int
    evidence_level: Literal["artifact", "replay", "reexecute"]
    exposure_policy: Literal["masked", "full", "claim_only"]
    probes: tuple[str, ...]
    memory_resistant: bool
    seeds: int
    assets: tuple[Asset, ...]
    requires_training: bool
    requires_gpu: bool
    cost: Literal["S", "M", "L", "XL"]
    difficulty: Difficulty
    timeout_s: int
    image: str
    report: TaskReport


class Manifest(Frozen):
    """`task_manifest.json`: the only file downstream reads. `excluded` counts refused claims by reason code."""

    schema_version: Literal[1]
    paper: PaperRecord
    builder: BuilderRecord
    tasks: tuple[ManifestTask, ...]
    excluded: dict[str, int]


class ClaimRow(Frozen):
    """One claim of the report, accepted (`rlvr`) or kept for people (`exploration`) with its reasons."""

    claim_uid: str
    claim_id: str | None
    statement: str
    claim_type: ClaimType
    pool: Literal["rlvr", "exploration"]
    reasons: tuple[str, ...]
    details: tuple[str, ...]
    anchors: tuple[Anchor, ...]
    evidence: tuple[Provenance, ...]
    targets: tuple[Target, ...]
    metrics: tuple[MetricSpec, ...]


class ClaimReport(Frozen):
    """`01-extract/claim_verification_report.json`: every claim that was looked at."""

    schema_version: Literal[1]
    paper_id: str
    extractor: str
    claims: tuple[ClaimRow, ...]


class CheckResult(Frozen):
    """One self-test of a task."""

    name: str
    passed: bool
    detail: str


class LeakFinding(Frozen):
    """A number in an agent-visible file that equals a hidden one by value; `blocking` when it is the same quantity."""

    file: str
    spelling: str
    context: str
    blocking: bool


class TaskValidation(Frozen):
    """All self-tests and the leak scan of one task."""

    claim_id: str
    spec_hash: str
    accepted: bool
    checks: tuple[CheckResult, ...]
    coincidences: tuple[LeakFinding, ...]


class BuildValidation(Frozen):
    """`build_validation.json`."""

    schema_version: Literal[1]
    paper_id: str
    tasks: tuple[TaskValidation, ...]
