"""Counts what every step cost, over all threads, and keeps the summary up to date on disk."""

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal

from reproducegym.adapters.llm.cost import Tokens, cost_of
from reproducegym.schema.config import Price
from reproducegym.schema.usage import Step, StepUsage, UsageSummary

__all__ = ["Ledger"]


@dataclass
class _Counts:
    """The running counts of one step."""

    calls: int = 0
    failed: int = 0
    cached: int = 0
    unanswered: int = 0
    estimated: int = 0
    seconds: float = 0.0
    spent: Tokens = field(default_factory=Tokens)
    saved: Tokens = field(default_factory=Tokens)


class Ledger:
    """Usage of one paper. `keep` gets every new summary whose calls cost something, and the last one."""

    def __init__(
        self,
        paper_id: str,
        host: str,
        models: Mapping[Step, str],
        prices: Mapping[str, Price],
        keep: Callable[[UsageSummary], None],
    ) -> None:
        self._paper_id, self._host, self._models, self._prices, self._keep = paper_id, host, models, prices, keep
        self._steps: dict[Step, _Counts] = {}
        self._unkept = False
        self._lock = threading.RLock()

    def called(self, step: Step, tokens: Tokens, seconds: float) -> None:
        """A request was answered, whether its reply can be used or not."""
        with self._lock:
            counts = self._of(step)
            counts.calls += 1
            counts.estimated += tokens.estimated
            counts.seconds += seconds
            counts.spent += tokens
            self._unkept = True
            self.keep()

    def failed(self, step: Step, seconds: float) -> None:
        """A request failed; what it cost, if anything, nobody says."""
        with self._lock:
            counts = self._of(step)
            counts.failed += 1
            counts.seconds += seconds

    def cached(self, step: Step, tokens: Tokens) -> None:
        """A reply came from the cache."""
        with self._lock:
            counts = self._of(step)
            counts.cached += 1
            counts.saved += tokens

    def unanswered(self, step: Step) -> None:
        """A question stays without a reply that can be used."""
        with self._lock:
            self._of(step).unanswered += 1

    def keep(self) -> None:
        """Hand the summary on if something changed since the last time.

        Raises:
            StorageError: it cannot be written.
        """
        with self._lock:
            if self._unkept:
                self._keep(self.summary())
                self._unkept = False

    def summary(self) -> UsageSummary:
        """Everything so far."""
        with self._lock:
            steps = {step: self._usage(step, self._steps[step]) for step in sorted(self._steps)}
        used = tuple(steps.values())
        return UsageSummary(
            schema_version=1,
            paper_id=self._paper_id,
            host=self._host,
            steps=steps,
            calls=sum(one.calls for one in used),
            cached=sum(one.cached for one in used),
            prompt_tokens=sum(one.prompt_tokens for one in used),
            completion_tokens=sum(one.completion_tokens for one in used),
            seconds=round(sum(one.seconds for one in used), 3),
            dollars=_sum([one.dollars for one in used]),
            cached_dollars=_sum([one.cached_dollars for one in used]),
        )

    def _of(self, step: Step) -> _Counts:
        self._unkept = True
        return self._steps.setdefault(step, _Counts())

    def _usage(self, step: Step, counts: _Counts) -> StepUsage:
        model = self._models[step]
        price = self._prices.get(model)
        return StepUsage(
            model=model,
            calls=counts.calls,
            failed=counts.failed,
            cached=counts.cached,
            unanswered=counts.unanswered,
            prompt_tokens=counts.spent.prompt,
            completion_tokens=counts.spent.completion,
            estimated=counts.estimated,
            seconds=round(counts.seconds, 3),
            dollars=cost_of(counts.spent, price).dollars,
            cached_tokens=counts.saved.prompt + counts.saved.completion,
            cached_dollars=cost_of(counts.saved, price).dollars,
        )


def _sum(amounts: list[Decimal | None]) -> Decimal | None:
    known = [amount for amount in amounts if amount is not None]
    return sum(known, Decimal(0)) if len(known) == len(amounts) else None
