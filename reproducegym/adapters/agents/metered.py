"""The models of an agent: behind a gateway of its own for each attempt, which records, counts and stops it."""

import contextlib
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import httpx
from pydantic import JsonValue

from agent_trace.apis import Price
from agent_trace.gateway import Budget as Caps
from agent_trace.gateway import Limits, Loopback, Policy, Run, Settings, Upstream, serving
from agent_trace.gateway.settings import Vendor
from agent_trace.gateway.thread import ServingGateway
from agent_trace.record import Api
from reproducegym.adapters.llm import Endpoint
from reproducegym.ports import AgentTask
from reproducegym.schema.config import AgentBudget, Config
from reproducegym.schema.run import AgentUsage, Budget

__all__ = ["Metered", "Models", "answering", "metered"]

_DRAIN_S = 3.0
"""How long a completion is still read whose agent was stopped: a stop waits for it."""
_REQUEST_BYTES = 32 << 20
_CHECK, _CHECK_S = "check", 60.0
"""Where in the trace a question of our own is kept, and how long its answer may take."""


_OK: list[JsonValue] = [{"role": "user", "content": "Say OK."}]
_SHORT: dict[Api, tuple[str, dict[str, JsonValue]]] = {
    "openai.chat": ("/v1/chat/completions", {"messages": _OK}),
    "openai.responses": ("/v1/responses", {"input": "Say OK."}),
    "anthropic.messages": ("/v1/messages", {"messages": _OK, "max_tokens": 16}),
}


@dataclass(frozen=True)
class Models:
    """Where an agent's models are and what it may spend on them: an endpoint for each vendor, and the model's name."""

    endpoints: Mapping[Vendor, Endpoint]
    model: str
    settings: Config

    def gateway(self) -> Settings:
        """The gateway's settings; keys are sent to their endpoints only, and kept out of records."""
        upstreams = {vendor: Upstream(one.base_url.rstrip("/"), one.key) for vendor, one in self.endpoints.items()}
        prices = {name: Price(one.prompt, one.completion) for name, one in self.settings.llm.prices.items()}
        secrets = tuple(("model-key", secret) for one in self.endpoints.values() for secret in one.secrets)
        return Settings(
            upstreams, prices=prices, secrets=secrets, limits=Limits(drain_s=_DRAIN_S, request_bytes=_REQUEST_BYTES)
        )


@dataclass
class Metered:
    """One attempt's gateway and run, and the wall clock beside them. Seconds are of `clock`."""

    gateway: ServingGateway
    run: Run
    budget: AgentBudget
    seconds: float
    clock: Callable[[], float] = time.monotonic
    _began: float = field(init=False)

    def __post_init__(self) -> None:
        self._began = self.clock()

    @property
    def left_s(self) -> float:
        """Seconds of wall clock that are left."""
        return self.seconds - (self.clock() - self._began)

    def over(self) -> Budget | None:
        """Which budget is used up, None while none is."""
        return "wall_clock" if self.left_s <= 0 else self.run.over()

    def told(self, over: Budget) -> str:
        """A budget that is used up, in words."""
        if over == "wall_clock":
            return f"{self.seconds:g} s of wall clock are used up"
        if over == "dollars" and self.run.spent.dollars is None:
            return f"the cap of {self.budget.max_dollars} dollars cannot be kept: a model without a price answered"
        most = {
            "tokens": f"{self.budget.max_tokens} tokens",
            "dollars": f"{self.budget.max_dollars} dollars",
            "tool_calls": f"{self.budget.max_tool_calls} calls of tools",
            "trace_bytes": f"{self.budget.max_trace_mib} MiB of records",
        }
        return f"{most[over]} are used up"

    def usage(self) -> AgentUsage:
        """What was spent so far."""
        spent = self.run.spent
        return AgentUsage(
            completions=spent.completions,
            prompt_tokens=spent.prompt,
            completion_tokens=spent.completion,
            dollars=spent.dollars,
            tool_calls=spent.tool_calls,
        )


def answering(meter: Metered, api: Api, model: str, trace: Path) -> bool:
    """Whether the endpoint completes a short question of our own now.

    What an agent's requests came to may be its own doing; a run that fails is not made unscored by asking for errors.
    """
    route, question = _SHORT[api]
    run = meter.gateway.admit(_CHECK, trace / _CHECK)
    headers = {"Authorization": f"Bearer {run.token}"}
    if api == "anthropic.messages":
        headers["anthropic-version"] = "2023-06-01"
    try:
        address = meter.gateway.listen(Loopback())
        answer = httpx.post(f"{address}{route}", json={"model": model, **question}, headers=headers, timeout=_CHECK_S)
    except httpx.HTTPError:
        return False
    finally:
        meter.gateway.dismiss(run)
    return answer.is_success


@contextlib.contextmanager
def metered(models: Models, task: AgentTask, name: str) -> Iterator[Metered]:
    """A gateway whose records go to the task's trace; when the context is left, all that was under way is recorded,
    and what was spent stands in the task's bill, also where the agent failed.

    Raises:
        OSError: the trace cannot be written.
    """
    budget = models.settings.agent
    caps = Caps(
        tokens=budget.max_tokens,
        dollars=None if budget.max_dollars == "none" else budget.max_dollars,
        tool_calls=budget.max_tool_calls,
        trace_bytes=budget.max_trace_mib * 2**20,
    )
    with serving(models.gateway()) as gateway:
        policy = Policy(frozenset({models.model}), hosted=budget.hosted_tools)
        run = gateway.admit(name, task.trace, budget=caps, policy=policy)
        meter = Metered(gateway, run, budget, task.timeout_s)
        try:
            yield meter
        finally:
            gateway.dismiss(run)
            task.bill.usage, task.bill.model = meter.usage(), models.model
