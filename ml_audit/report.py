"""The report: everything that is printed, in the names that other programs read."""

from ml_audit.frozen import Frozen
from ml_audit.rules.rule import Finding
from ml_audit.scoring import Risk
from ml_audit.signals.answer import Signal

__all__ = ["SCHEMA_VERSION", "Analysis", "Breakdown", "Insight", "Interval", "Patterns", "Quality", "Read", "Report"]

SCHEMA_VERSION = "1.2"


class Analysis(Frozen):
    """What the repository has."""

    has_readme: bool
    has_license: bool
    has_ci: bool
    has_tests: bool
    has_benchmarks: bool
    has_dockerfile: bool
    has_lockfile: bool
    has_dataset_docs: bool
    has_config: bool


class Quality(Frozen):
    """How well it is fixed; partial counts as false and is named in the insights."""

    has_pinned_dependencies: bool
    has_seed_control: bool
    has_determinism_flags: bool
    has_training_loop: bool
    has_worker_seeding: bool
    has_stable_order: bool
    has_multi_seed_evaluation: bool
    has_pinned_dataset: bool
    has_pinned_models: bool
    has_results_table: bool
    has_reproduce_commands: bool
    has_checkpoints: bool
    has_relative_paths: bool


class Patterns(Frozen):
    """What the code uses."""

    uses_pytorch: bool
    uses_tensorflow: bool
    uses_jax: bool
    uses_sklearn: bool
    uses_distributed: bool
    uses_all_reduce: bool
    uses_mixed_precision: bool
    uses_notebooks: bool


class Insight(Frozen):
    """One sentence, and the score that doing it would win."""

    text: str
    points: float


class Interval(Frozen):
    """Where the score may lie, given what is unknown."""

    low: float
    high: float


class Breakdown(Frozen):
    """The score of each dimension, from 0 to 10; null where nothing applies."""

    environment_setup: float | None
    determinism: float | None
    documentation: float | None
    testing: float | None
    ci_cd: float | None
    benchmarking: float | None
    dataset_reproducibility: float | None
    configuration_driven_experiments: float | None


class Read(Frozen):
    """How much of the repository was read; `notes` say what is missing or not as it seems."""

    files_seen: int
    files_relevant: int
    files_read: int
    sampled: bool
    notes: tuple[str, ...] = ()


class Report(Frozen):
    """The whole report on one repository."""

    schema_version: str = SCHEMA_VERSION
    repository: str
    commit: str | None = None
    url: str | None = None
    score: float
    score_interval: Interval
    risk: Risk
    badge: str
    analysis: Analysis
    quality: Quality
    patterns: Patterns
    insights: tuple[str, ...]
    improvements: tuple[Insight, ...]
    findings: tuple[Finding, ...]
    suppressed: tuple[Finding, ...]
    signals: dict[str, Signal]
    score_breakdown: Breakdown
    coverage: Read
