"""All that a test of the gateway plays with: upstream, gateway, run, records."""

import time
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

import anthropic
import openai
from speaking_upstream import KEY, Upstream

from agent_trace.apis import Price
from agent_trace.gateway import Limits, Run, Settings
from agent_trace.gateway import Upstream as Endpoint
from agent_trace.gateway.thread import ServingGateway
from agent_trace.reading import Trace, read_trace
from agent_trace.record import Record

LIMITS = Limits(inline_bytes=1 << 20, drain_s=30.0, connect_s=30.0, silence_s=60.0)
PRICES = {"a-model": Price(Decimal(2), Decimal(10), cached=Decimal("0.5"))}


@dataclass
class Stage:
    """All that a test plays with."""

    upstream: Upstream
    gateway: ServingGateway
    address: str
    run: Run
    directory: Path

    def openai(self, retries: int = 0) -> openai.OpenAI:
        return openai.OpenAI(base_url=f"{self.address}/v1", api_key=self.run.token, max_retries=retries)

    def anthropic(self, retries: int = 0) -> anthropic.Anthropic:
        return anthropic.Anthropic(base_url=self.address, api_key=self.run.token, max_retries=retries)

    def trace(self) -> Trace:
        """All records, once what is under way has ended: an SDK leaves at `[DONE]`, a moment before the stream ends."""
        ends = time.monotonic() + 60
        while getattr(self.run, "under_way", 0) and time.monotonic() < ends:
            time.sleep(0.005)
        return read_trace(self.directory)

    def record(self) -> Record:
        """The one record that there is."""
        (one,) = self.trace().records
        return one


def settings_for(upstream: Upstream, **changed: object) -> Settings:
    """Settings with this upstream for both vendors."""
    endpoint = Endpoint(upstream.base_url, KEY)
    told = {"prices": PRICES, "limits": LIMITS, **changed}
    return Settings({"openai": endpoint, "anthropic": endpoint}, **told)
