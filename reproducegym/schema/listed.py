"""One task as a data set lists it: a flat row that JSONL and Parquet hold alike, with no hidden value in it."""

from dataclasses import dataclass, fields
from typing import Annotated, ClassVar, Final, Literal

from pydantic import ConfigDict, Field

from reproducegym.schema.asset import AssetName
from reproducegym.schema.base import Sha256, ShortDigest
from reproducegym.schema.claim import ClaimType
from reproducegym.schema.run import EvidenceLevel
from reproducegym.schema.spec import ExposurePolicy, PaperText
from reproducegym.schema.task import AtLeastOne, ClaimName, Difficulty, Rate

__all__ = ["FIELDS", "ROW_VERSION", "Cost", "ListedAsset", "ListedTask", "Remembered"]

ROW_VERSION: Final = 1
"""Version of the rows that this program writes, and the newest that it reads."""

Cost = Literal["S", "M", "L", "XL"]
Remembered = Literal["none", "knobs", "switches", "labels", "not_rehearsed"]
_STRICT = ConfigDict(strict=True, extra="forbid")


@dataclass(frozen=True, slots=True)
class ListedAsset:
    """A data set or model that a task needs and the operator provides; `size` in bytes."""

    __pydantic_config__: ClassVar[ConfigDict] = _STRICT

    name: AssetName
    sha256: Sha256
    licence: str
    about: str
    size: int


@dataclass(frozen=True, slots=True)
class ListedTask:
    """A task of a manifest, with what is needed of its paper; a dataclass with slots, because there are many.

    `task_dir` is below the directory of all papers. `oracle`, `noop` and `gameability` are rewards of known
    submissions, None where nothing was run. `quarantine` is the reason why a task is kept out of training, None for
    all others. `prompt` is what an agent is told, None where it was not read.
    """

    __pydantic_config__: ClassVar[ConfigDict] = _STRICT

    schema_version: Literal[1]
    task_id: str
    paper_id: str
    paper_title: str
    paper_sha256: str
    licence: str
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
    evidence_level: EvidenceLevel
    exposure_policy: ExposurePolicy
    paper_text: PaperText
    probes: tuple[str, ...]
    memory_resistant: bool
    seeds: AtLeastOne
    assets: tuple[ListedAsset, ...]
    requires_training: bool
    requires_gpu: bool
    cost: Cost
    difficulty: Difficulty
    timeout_s: AtLeastOne
    image: str
    oracle: Rate | None
    noop: Rate | None
    gameability: Rate | None
    remembered: Remembered
    quarantine: str | None
    prompt: str | None

    def __post_init__(self) -> None:
        """The names agree with each other, so that a row leads to its task and nowhere else.

        Raises:
            ValueError: they do not.
        """
        if self.task_id != f"{self.paper_id}.{self.claim_id}":
            raise ValueError(f"{self.task_id} is not claim {self.claim_id} of paper {self.paper_id}")
        if self.task_dir != f"{self.paper_id}/03-task/{self.claim_id}/{self.spec_hash}":
            raise ValueError(f"task_dir {self.task_dir!r} is not that of {self.task_id} {self.spec_hash}")


FIELDS = tuple(field.name for field in fields(ListedTask))
"""The columns, in order."""
