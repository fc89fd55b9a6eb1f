"""What a run took: completions, tokens, dollars, times, by model."""

import statistics
from collections import Counter
from collections.abc import Iterable, Sequence
from decimal import Decimal

from agent_trace.frozen import Frozen
from agent_trace.record import Record, Usage

__all__ = ["ModelSummary", "Summary", "summarised"]


class ModelSummary(Frozen):
    """One model's share. `cost_usd` is null where the price of any counted completion is not known, never a part sum.

    `uncounted` completions told no usage. Times are seconds.
    """

    model: str
    requests: int
    succeeded: int
    uncounted: int
    usage: Usage
    cost_usd: Decimal | None
    median_first_token_s: float | None
    median_total_s: float


class Summary(Frozen):
    """A run. `ends` and `statuses` count how exchanges ended; `failed` is what gave no whole completion."""

    runs: tuple[str, ...]
    requests: int
    succeeded: int
    failed: int
    retries: int
    ends: dict[str, int]
    statuses: dict[str, int]
    redactions: dict[str, int]
    usage: Usage
    cost_usd: Decimal | None
    seconds: float
    models: tuple[ModelSummary, ...]


def summarised(records: Sequence[Record]) -> Summary:
    """The summary of some records; `seconds` is from the first request to the end of the last response."""
    models = tuple(_model(name, records) for name in sorted({record.model or "unknown" for record in records}))
    redactions: Counter[str] = Counter()
    for record in records:
        redactions.update(record.redactions)
    succeeded = sum(record.succeeded for record in records)
    return Summary(
        runs=tuple(sorted({record.run for record in records})),
        requests=len(records),
        succeeded=succeeded,
        failed=len(records) - succeeded,
        retries=sum(record.retries > 0 for record in records),
        ends=_counted(record.end for record in records),
        statuses=_counted(str(record.status) for record in records),
        redactions=dict(sorted(redactions.items())),
        usage=_total([record.usage for record in records if record.usage is not None]),
        cost_usd=_cost(records),
        seconds=_seconds(records),
        models=models,
    )


def _model(name: str, records: Sequence[Record]) -> ModelSummary:
    own = [record for record in records if (record.model or "unknown") == name]
    firsts = [record.timing.first_token_s for record in own if record.timing.first_token_s is not None]
    return ModelSummary(
        model=name,
        requests=len(own),
        succeeded=sum(record.succeeded for record in own),
        uncounted=sum(record.succeeded and record.usage is None for record in own),
        usage=_total([record.usage for record in own if record.usage is not None]),
        cost_usd=_cost(own),
        median_first_token_s=round(statistics.median(firsts), 3) if firsts else None,
        median_total_s=round(statistics.median(record.timing.total_s for record in own), 3),
    )


def _total(usages: Sequence[Usage]) -> Usage:
    return Usage(
        prompt=sum(one.prompt for one in usages),
        completion=sum(one.completion for one in usages),
        cached=sum(one.cached for one in usages),
        cache_written=sum(one.cache_written for one in usages),
        reasoning=sum(one.reasoning for one in usages),
    )


def _cost(records: Sequence[Record]) -> Decimal | None:
    counted = [record for record in records if record.usage is not None or record.succeeded]
    costs = [record.cost_usd for record in counted if record.cost_usd is not None]
    return sum(costs, Decimal(0)) if len(costs) == len(counted) else None


def _counted(words: Iterable[str]) -> dict[str, int]:
    return dict(sorted(Counter(words).items()))


def _seconds(records: Sequence[Record]) -> float:
    if not records:
        return 0.0
    first = min(record.began for record in records)
    return round(max((record.began - first).total_seconds() + record.timing.total_s for record in records), 3)
