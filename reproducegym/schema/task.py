"""What leaves the build: the manifest that trainers read, ClawGym's data entry, and the report of all claims."""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from reproducegym.schema.asset import Asset
from reproducegym.schema.base import Frozen, Sha256, ShortDigest
from reproducegym.schema.claim import Anchor, ClaimType, Provenance
from reproducegym.schema.spec import ExposurePolicy, Guard, MetricSpec, PaperText, Target

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
ClaimName = Annotated[str, Field(pattern="^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$")]
AtLeastOne = Annotated[int, Field(ge=1)]
Rate = Annotated[float, Field(ge=0.0, le=1.0)]


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
    """What built the tasks: `config` digests what the build reads of the configuration.

    `prompts` maps each template file to its sha256. `host_model` is the sha256 of an operator's model, written where
    there is one.
    """

    version: str
    config: str
    extractor: str
    model: str | None
    prompts: dict[str, str]
    host_model: Annotated[str | None, Field(exclude_if=lambda sha256: sha256 is None)] = None


class TaskReport(Frozen):
    """Measured rewards of known submissions; `none` where nothing was run.

    `gameability` is the best reward of remembered numbers in rehearsed re-runs, by cheats that know nothing but the
    paper; `remembered` is the least that a cheat must go by to be paid: `labels` (one number for all conditions, or the
    place of each), `switches`, `knobs` (it also knows that a turned knob must close the gap), `none` where none is
    paid, `not_rehearsed` where nobody tried.
    """

    oracle: Rate | Literal["none"]
    noop: Rate | Literal["none"]
    gameability: Rate | Literal["none"]
    remembered: Literal["none", "knobs", "switches", "labels", "not_rehearsed"] = "not_rehearsed"


class ManifestTask(Frozen):
    """One task, with no hidden value. `task_dir` is relative to the manifest; `statement` is the agent's wording."""

    task_id: str
    family: str
    claim_id: ClaimName
    claim_uid: str
    title: str
    statement: str
    claim_type: ClaimType
    spec_hash: ShortDigest
    contract_hash: ShortDigest
    task_digest: Sha256
    task_dir: str
    metrics: Annotated[tuple[str, ...], Field(min_length=1)]
    n_targets: AtLeastOne
    evidence_level: Literal["artifact", "replay", "reexecute"]
    exposure_policy: ExposurePolicy
    paper_text: Annotated[PaperText, Field(exclude_if=lambda text: text == "masked")] = "masked"
    probes: tuple[str, ...]
    memory_resistant: bool
    seeds: AtLeastOne
    assets: tuple[Asset, ...]
    requires_training: bool
    requires_gpu: bool
    cost: Literal["S", "M", "L", "XL"]
    difficulty: Difficulty
    timeout_s: AtLeastOne
    image: str
    report: TaskReport


class Manifest(Frozen):
    """`task_manifest.json`: the only file downstream reads. `excluded` counts refused claims by reason code.

    `earlier` are versions of tasks that a later build does not make: they can still be run and regraded by their hash,
    and are no part of the data set.
    """

    schema_version: Literal[1]
    paper: PaperRecord
    builder: BuilderRecord
    tasks: tuple[ManifestTask, ...]
    earlier: tuple[ManifestTask, ...]
    excluded: dict[str, Annotated[int, Field(ge=0)]]

    @model_validator(mode="after")
    def _lists_each_once(self) -> Self:
        seen: set[tuple[str, str]] = set()
        for task in (*self.tasks, *self.earlier):
            if task.task_id != f"{self.paper.paper_id}.{task.claim_id}":
                raise ValueError(f"{task.task_id} is not claim {task.claim_id} of paper {self.paper.paper_id}")
            if (task.claim_id, task.spec_hash) in seen:
                raise ValueError(f"{task.task_id} {task.spec_hash} is listed twice")
            seen.add((task.claim_id, task.spec_hash))
        current = [task.task_id for task in self.tasks]
        if len(set(current)) < len(current):
            raise ValueError("a claim has two tasks; earlier versions stand under `earlier`")
        return self


class ClaimRow(Frozen):
    """One claim of the report, accepted (`rlvr`) or kept for people (`exploration`) with its reasons.

    `proposed_by` names the extractor, or is `both`; `disagreement` says how another one reads the same sentence or
    cells.
    """

    claim_uid: str
    claim_id: str | None
    proposed_by: str
    disagreement: str | None
    statement: str
    claim_type: ClaimType
    pool: Literal["rlvr", "exploration"]
    reasons: tuple[str, ...]
    details: tuple[str, ...]
    anchors: tuple[Anchor, ...]
    evidence: tuple[Provenance, ...]
    targets: tuple[Target, ...]
    metrics: tuple[MetricSpec, ...]
    guards: Annotated[tuple[Guard, ...], Field(exclude_if=lambda guards: not guards)] = ()


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
