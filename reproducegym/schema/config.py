"""Every knob of the program, read once at the door from `config/default.toml` and `config/tolerances.yaml`."""

from decimal import Decimal

from reproducegym.schema.base import Frozen
from reproducegym.schema.claim import MetricKind

__all__ = ["BuildConfig", "Config", "SandboxConfig", "TolerancePolicy", "ToleranceRow", "VerificationConfig"]


class BuildConfig(Frozen):
    """How many claims, how much of the paper's text the agent gets."""

    max_claims: int
    paper_text: str
    agent_timeout_s: int


class VerificationConfig(Frozen):
    """Budgets of verification. Hours and seconds are wall clock."""

    max_hours: float
    max_seeds: int
    joint_error: Decimal
    probe_error: Decimal
    run_budget_s: int
    max_metrics_bytes: int
    max_rows: int


class SandboxConfig(Frozen):
    """Limits of one sandbox, the same for agent and re-run. Sizes in MiB."""

    image: str
    memory_mib: int
    cpus: float
    pids: int
    workspace_mib: int
    file_mib: int
    submission_files: int
    submission_mib: int
    output_bytes: int
    parallel: int


class ToleranceRow(Frozen):
    """Policy for one metric kind where no usable spread is printed: d = max(relative * |t|, absolute)."""

    kind: MetricKind
    relative: Decimal
    absolute: Decimal
    reason: str


class TolerancePolicy(Frozen):
    """All rows of config/tolerances.yaml."""

    rows: tuple[ToleranceRow, ...]
    unknown_items_factor: Decimal


class Config(Frozen):
    """The whole configuration."""

    build: BuildConfig
    verification: VerificationConfig
    sandbox: SandboxConfig
    tolerances: TolerancePolicy
