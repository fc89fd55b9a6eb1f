"""What language models replied about a paper, as it is kept, and what that cost; outside of every identity."""

from decimal import Decimal
from typing import Annotated, Literal

from pydantic import Field

from reproducegym.schema.base import Frozen, Sha256

__all__ = ["KeptReply", "Step", "StepUsage", "UsageSummary"]

Step = Literal["extract", "merge", "refine", "read_panel"]
"""What models are asked for: each step has its prompt, its reply, and its model in the configuration."""

Count = Annotated[int, Field(ge=0)]
Seconds = Annotated[float, Field(ge=0, allow_inf_nan=False)]
Dollars = Annotated[Decimal, Field(ge=0)]


class KeptReply(Frozen):
    """`01-extract/model_replies/<step>/<key>.json`: a reply as the model wrote it, what it answers, what it had cost.

    `key` digests everything that it depends on. `estimated` says that the endpoint did not count the tokens.
    """

    schema_version: Literal[1]
    key: Sha256
    model: str
    prompt: str
    version: str
    reply: str
    reply_sha256: Sha256
    prompt_tokens: Count
    completion_tokens: Count
    estimated: bool


class StepUsage(Frozen):
    """One step: requests that were answered (`calls`), failed and were repeated, and replies from the cache.

    Tokens, seconds and dollars are those of this build; `cached_tokens` and `cached_dollars` are what the replies
    from the cache had cost when they were asked for. `estimated` counts calls whose endpoint did not say its tokens:
    they are taken from above, one for each byte. Dollars are null where the model has no price in the configuration.
    """

    model: str
    calls: Count
    failed: Count
    cached: Count
    unanswered: Count
    prompt_tokens: Count
    completion_tokens: Count
    estimated: Count
    seconds: Seconds
    dollars: Dollars | None
    cached_tokens: Count
    cached_dollars: Dollars | None


class UsageSummary(Frozen):
    """`token_usage.summary.json`: all steps of one build, and their sums. `dollars` is null if one step's is."""

    schema_version: Literal[1]
    paper_id: str
    host: str
    steps: dict[Step, StepUsage]
    calls: Count
    cached: Count
    prompt_tokens: Count
    completion_tokens: Count
    seconds: Seconds
    dollars: Dollars | None
    cached_dollars: Dollars | None
