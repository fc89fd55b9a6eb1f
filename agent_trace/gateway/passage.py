"""What the gateway knows of one exchange while it goes on."""

from dataclasses import dataclass
from datetime import datetime

from agent_trace.gateway.recording import Ending, Recording
from agent_trace.gateway.routes import Route
from agent_trace.gateway.runs import Run
from agent_trace.gateway.settings import Upstream
from agent_trace.gateway.tee import Tee
from agent_trace.record import End

__all__ = ["Copies", "Passage"]


@dataclass(frozen=True)
class Copies:
    """The recording of an exchange, and the two copies that feed it."""

    recording: Recording
    request: Tee
    response: Tee


@dataclass
class Passage:
    """One exchange under way. Times are of the loop's clock; `copies` is null for what is forwarded unrecorded.

    `gone`: the client has left; `missed`: before it had all that came. `status` is the upstream's, or the gateway's own
    where that gave none.
    """

    run: Run
    token: str
    route: Route
    upstream: Upstream
    wall: datetime
    start: float
    copies: Copies | None
    told_retries: int
    status: int | None = None
    end: End = "complete"
    first_byte: float | None = None
    last_byte: float | None = None
    retry_after: str | None = None
    request_id: str | None = None
    request_bytes: int = 0
    response_bytes: int = 0
    gone: bool = False
    missed: bool = False

    def ending(self, now: float, failures_before: int) -> Ending:
        """What the record says of its end."""
        return Ending(
            status=None if self.gone and self.first_byte is None else self.status,
            end="client_gone" if self.missed and self.end in ("complete", "upstream_cut") else self.end,
            first_byte=self.first_byte,
            last_byte=self.last_byte if self.last_byte is not None else now,
            retries=max(self.told_retries, failures_before),
            retry_after=self.retry_after,
            upstream_request_id=self.request_id,
            request_bytes=self.request_bytes,
            response_bytes=self.response_bytes,
        )
