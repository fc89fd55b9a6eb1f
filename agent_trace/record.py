"""One record for each completion: what was asked, what came back, what it cost and how long it took."""

from datetime import datetime
from decimal import Decimal
from typing import Annotated, Literal

from pydantic import Field, JsonValue

from agent_trace.frozen import Frozen

__all__ = ["FORMAT", "Api", "Blob", "Body", "End", "Inline", "Record", "Text", "Timing", "Usage"]

FORMAT: Literal["agent-trace/1"] = "agent-trace/1"

Api = Literal["openai.chat", "openai.responses", "anthropic.messages"]
"""Which of the three ways of asking was used."""

End = Literal["complete", "client_gone", "upstream_cut", "upstream_unreachable", "request_cut", "too_large"]
"""How an exchange ended.

| word | meaning |
| --- | --- |
| `complete` | the upstream said all it had to say, an error too |
| `client_gone` | the client left; what the upstream still sent is in the record |
| `upstream_cut` | the upstream broke off in the middle of its response |
| `upstream_unreachable` | no response at all; the gateway answered 502 or 504 |
| `request_cut` | the client left before its request was whole |
| `too_large` | the request was over the gateway's limit, and answered 413 |
"""


class Inline(Frozen):
    """A body that stands in the record as JSON."""

    kind: Literal["json"] = "json"
    value: JsonValue


class Text(Frozen):
    """A body that is no JSON; `undecoded` names an encoding that could not be undone, and then `text` is empty."""

    kind: Literal["text"] = "text"
    text: str
    undecoded: str | None = None


class Blob(Frozen):
    """A body too large for the record: a file beside the segments, redacted like everything else.

    `bytes` and `sha256` are of that file; `path` is relative to the directory of the records.
    """

    kind: Literal["file"] = "file"
    path: str
    bytes: Annotated[int, Field(ge=0)]
    sha256: Annotated[str, Field(pattern="^[0-9a-f]{64}$")]


Body = Annotated[Inline | Text | Blob, Field(discriminator="kind")]


class Usage(Frozen):
    """Tokens as the upstream counted them; `prompt` includes `cached` and `cache_written`, `completion` `reasoning`."""

    prompt: Annotated[int, Field(ge=0)]
    completion: Annotated[int, Field(ge=0)]
    cached: Annotated[int, Field(ge=0)] = 0
    cache_written: Annotated[int, Field(ge=0)] = 0
    reasoning: Annotated[int, Field(ge=0)] = 0


class Timing(Frozen):
    """Seconds since the request's first byte came in; null where it did not come so far.

    `first_byte_s`: the upstream's status line; `first_token_s`: the first text, reasoning or tool call of a stream;
    `total_s`: the last byte from the upstream.
    """

    first_byte_s: float | None
    first_token_s: float | None
    total_s: float


class Record(Frozen):
    """One completion. `response` is rebuilt from the stream in the form that the API gives without streaming.

    `sequence` counts the run's requests from 1 in the order in which they began. `status` is what the client got; null
    when it had left before. `retries` counts the attempts at the same request before this one, from the client's own
    count or from equal requests that failed. `cost_usd` is null where no price is known.
    `redactions` counts what was taken out, by name.
    """

    format: Literal["agent-trace/1"] = FORMAT
    id: str
    run: str
    sequence: Annotated[int, Field(ge=1)]
    api: Api
    began: datetime
    model: str | None
    streamed: bool
    status: int | None
    end: End
    request: Body
    response: Body | None
    usage: Usage | None
    cost_usd: Decimal | None
    timing: Timing
    retries: Annotated[int, Field(ge=0)]
    retry_after: str | None = None
    upstream_request_id: str | None = None
    malformed_events: Annotated[int, Field(ge=0)] = 0
    request_bytes: Annotated[int, Field(ge=0)]
    response_bytes: Annotated[int, Field(ge=0)]
    redactions: dict[str, int] = Field(default_factory=dict)

    @property
    def succeeded(self) -> bool:
        """Whether there is a completion that a trainer may use whole."""
        return self.end == "complete" and self.status == 200
