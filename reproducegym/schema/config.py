"""Every knob of the program, read once at the door from `config/default.toml` and `config/tolerances.yaml`."""

import ipaddress
import re
from decimal import Decimal
from typing import Annotated, Literal

from pydantic import Field, field_validator

from reproducegym.schema.base import Frozen
from reproducegym.schema.claim import MetricKind
from reproducegym.schema.spec import ExposurePolicy, PaperText
from reproducegym.schema.usage import Step

__all__ = [
    "AgentBudget",
    "BuildConfig",
    "Config",
    "EgressConfig",
    "LlmConfig",
    "ModelName",
    "Price",
    "RayConfig",
    "RunConfig",
    "RunMultiples",
    "SandboxConfig",
    "TolerancePolicy",
    "ToleranceRow",
    "VerificationConfig",
]

Count = Annotated[int, Field(ge=1)]
Chance = Annotated[Decimal, Field(gt=0, lt=1)]
Share = Annotated[Decimal, Field(ge=0)]
Positive = Annotated[float, Field(gt=0, allow_inf_nan=False)]
_VARIABLE = re.compile("[A-Za-z_][A-Za-z0-9_]{0,99}")
_PROXIES = frozenset({"http_proxy", "https_proxy", "all_proxy", "no_proxy"})
ModelName = Annotated[str, Field(pattern=r"^[!-~]{1,200}$")]


class BuildConfig(Frozen):
    """How many claims, how much of the paper a claim's evidence holds, how much of it the agent may know and gets."""

    max_claims: Count
    evidence_characters: Count
    exposure: ExposurePolicy
    paper_text: PaperText
    agent_timeout_s: Count


class RunMultiples(Frozen):
    """How many times `run_budget_s` one run may take, by the cost class of a claim."""

    S: Count
    M: Count
    L: Count
    XL: Count


class VerificationConfig(Frozen):
    """Budgets of verification. Hours and seconds are wall clock."""

    max_hours: Positive
    min_seeds: Count
    max_seeds: Count
    policy_seeds: Count
    budget_probe_seeds: Count
    max_probe_seeds: Count
    joint_error: Chance
    probe_error: Chance
    host_settings: Annotated[int, Field(ge=3)]
    host_seeds: Annotated[int, Field(ge=3)]
    run_budget_s: Count
    max_metrics_bytes: Count
    max_rows: Count
    run_multiples: RunMultiples


class SandboxConfig(Frozen):
    """Limits of one sandbox, the same for agent and re-run. Sizes in MiB."""

    image: str
    memory_mib: Count
    cpus: Positive
    pids: Count
    workspace_mib: Count
    file_mib: Count
    submission_files: Count
    submission_mib: Count
    output_bytes: Count
    parallel: Count


class RunConfig(Frozen):
    """How a batch of attempts is made. Seconds are wall clock.

    `retries` counts further tries of an attempt that the engine or the judge failed. `longest_attempt_s` is the time to
    live of what an attempt makes: whatever is older, and whose owner cannot be asked, is removed.
    """

    retries: Annotated[int, Field(ge=0)]
    retry_wait_s: Positive
    longest_attempt_s: Positive


class RayConfig(Frozen):
    """What one piece of work holds on a node of a Ray cluster, and how often it may lose its worker.

    `resources` are names that nodes were started with (`ray start --resources`).
    """

    cpus: Annotated[float, Field(ge=0, allow_inf_nan=False)]
    gpus: Annotated[float, Field(ge=0, allow_inf_nan=False)]
    resources: dict[str, Positive]
    retries: Annotated[int, Field(ge=0)]


class EgressConfig(Frozen):
    """What agents may reach while they work; nothing where `allow` is empty. Sizes in MiB of one run, seconds of one
    connection.

    `allow` lists `host:port`; `networks` those private ones that hosts may stand in, with their prefix; `environment`
    goes to agents, and sets neither their proxy nor what the judge says.
    """

    allow: tuple[str, ...]
    networks: tuple[str, ...]
    environment: dict[str, str]
    max_mib: Count
    connections: Count
    connect_s: Positive
    connection_s: Positive

    @field_validator("networks")
    @classmethod
    def _are_networks(cls, networks: tuple[str, ...]) -> tuple[str, ...]:
        for text in networks:
            if "/" not in text:
                raise ValueError(
                    f"{text!r} has no prefix; a network like 10.1.2.0/24 is wanted, 10.1.2.3/32 is one host"
                )
            try:
                ipaddress.ip_network(text)
            except ValueError as error:
                raise ValueError(f"{error}; a network like 10.1.2.0/24 is wanted") from error
        return networks

    @field_validator("environment")
    @classmethod
    def _can_be_set(cls, environment: dict[str, str]) -> dict[str, str]:
        for name, value in environment.items():
            if _VARIABLE.fullmatch(name) is None:
                raise ValueError(f"{name!r} cannot name a variable; letters, digits and _ can")
            if name.lower() in _PROXIES or name.startswith("REPRODUCEGYM_"):
                raise ValueError(f"{name} is set by reproducegym itself; leave it out")
            if not value.isprintable():
                raise ValueError(f"{name}: {value!r} is not one line of text")
        return environment


class Price(Frozen):
    """What a million tokens of a model cost, in dollars."""

    prompt: Share
    completion: Share


class LlmConfig(Frozen):
    """Which model answers which step, how it is called, and what a paper may cost. Seconds are wall clock.

    `model` is empty where none is named; `steps` names other models for single steps. `max_dollars_per_paper` is
    `none` for no cap. `prices` are by model; without one, dollars are not known.
    """

    model: Literal[""] | ModelName
    temperature: Annotated[float, Field(ge=0, le=2)]
    concurrency: Annotated[int, Field(ge=1, le=256)]
    connect_s: Positive
    stall_s: Positive
    call_s: Positive
    attempts: Count
    first_wait_s: Positive
    longest_wait_s: Positive
    max_reply_tokens: Count
    max_tokens_per_paper: Count
    max_dollars_per_paper: Annotated[Decimal, Field(gt=0)] | Literal["none"]
    steps: dict[Step, ModelName]
    prices: dict[ModelName, Price]


class AgentBudget(Frozen):
    """What one attempt of an agent that asks a model may spend beside its wall clock, and how its tools behave.

    `max_dollars` is `none` for no cap, and needs a price under `[llm.prices]` else. `command_s` are wall seconds of one
    command in the foreground; `output_characters` of one answer of a tool; past `context_tokens` the conversation is
    summed up. `hosted_tools` opens what an endpoint does by itself: searching, fetching addresses, running code.
    """

    max_tokens: Count
    max_dollars: Annotated[Decimal, Field(gt=0)] | Literal["none"]
    max_tool_calls: Count
    max_trace_mib: Count
    command_s: Positive
    output_characters: Annotated[int, Field(ge=200)]
    context_tokens: Count
    hosted_tools: bool


class ToleranceRow(Frozen):
    """Policy for one metric kind where no usable spread is printed: d = max(relative * |value|, absolute).

    The absolute part is in the metric's unit, that of a rate in percent. `reason` says where the row comes from.
    """

    kind: MetricKind
    relative: Share
    absolute: Share
    reason: Annotated[str, Field(min_length=1)]


class TolerancePolicy(Frozen):
    """All rows of config/tolerances.yaml.

    Of a rate or percent score a row's width is at most `end_share` of the distance to the nearer end of the range.
    """

    rows: tuple[ToleranceRow, ...]
    unknown_items_factor: Annotated[Decimal, Field(ge=1)]
    end_share: Annotated[Decimal, Field(gt=0, le=1)]


class Config(Frozen):
    """The whole configuration."""

    build: BuildConfig
    verification: VerificationConfig
    sandbox: SandboxConfig
    run: RunConfig
    ray: RayConfig
    egress: EgressConfig
    llm: LlmConfig
    agent: AgentBudget
    tolerances: TolerancePolicy
