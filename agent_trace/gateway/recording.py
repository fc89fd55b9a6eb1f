"""One exchange becoming a record: its sinks take the bytes, its end puts all together. All of it runs in threads."""

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from agent_trace.apis import Price, StreamReader, cost, usage_of
from agent_trace.decoding import Decoder, UndecodableError, decoder
from agent_trace.gateway.runs import Run
from agent_trace.gateway.settings import Limits
from agent_trace.gateway.spending import Took, took
from agent_trace.gateway.spool import Spool
from agent_trace.gateway.tee import Arrival
from agent_trace.record import Api, Blob, Body, End, Inline, Record, Text, Timing
from agent_trace.tree import Json, mapping, string

__all__ = ["Ending", "Recording"]

_LARGEST = 1 << 30


@dataclass(frozen=True)
class Ending:
    """How it ended, as the loop saw it. Times are of the loop's clock; `retries` is the client's or our own count."""

    status: int | None
    end: End
    first_byte: float | None
    last_byte: float
    retries: int
    retry_after: str | None
    upstream_request_id: str | None
    request_bytes: int
    response_bytes: int


class Recording:
    """Collects one exchange. `digest` is of the request's bytes once all have come; it is stored nowhere.

    `took` says what it took once its line is made; null before, and where nothing was completed. `kept_bytes` are those
    of the line and of the files beside it.
    """

    def __init__(self, run: Run, api: Api, identity: str, limits: Limits, began: tuple[datetime, float]) -> None:
        self._run, self._api, self._identity, self._limits = run, api, identity, limits
        self._wall, self._start = began
        self._sequence = run.next_sequence()
        self.took: Took | None = None
        self.kept_bytes = 0
        self._sha = hashlib.sha256()
        self._request: Spool | None = None
        self._response: Spool | _Stream | None = None

    @property
    def digest(self) -> bytes:
        return self._sha.digest()

    def begin_request(self, encoding: str) -> None:
        """The request's head came."""
        self._request = self._spool("request", encoding, self._limits.request_bytes)

    def begin_response(self, encoding: str, *, stream: bool) -> None:
        """The response's head came."""
        self._response = _Stream(self._api, encoding) if stream else self._spool("response", encoding, _LARGEST)

    def take_request(self, batch: Sequence[Arrival]) -> None:
        """The sink of the request's bytes.

        Raises:
            OSError: a file cannot be written.
        """
        assert self._request is not None
        for _, piece in batch:
            self._sha.update(piece)
            self._request.feed(piece)

    def take_response(self, batch: Sequence[Arrival]) -> None:
        """The sink of the response's bytes.

        Raises:
            OSError: a file cannot be written.
        """
        assert self._response is not None
        for time, piece in batch:
            if isinstance(self._response, _Stream):
                self._response.feed(time, piece)
            else:
                self._response.feed(piece)

    def discard(self) -> None:
        """Leave no file of an exchange that cannot be recorded."""
        for body in (self._request, self._response):
            if isinstance(body, Spool):
                body.discard()

    def line(self, ending: Ending, prices: Mapping[str, Price]) -> bytes:
        """The record's line.

        Raises:
            OSError: a file cannot be written.
        """
        assert self._request is not None
        counts: Counter[str] = Counter()
        request = self._request.end(counts)
        asked = mapping(self._request.value)
        end, malformed, first_token, answer = ending.end, 0, None, None
        response: Body | None = None
        if isinstance(self._response, _Stream):
            told = self._response.reader.end()
            malformed, answer = told.malformed, told.response
            response = self._stream_body(self._response.undecoded, answer, counts)
            first_token = self._response.first_token
            if end == "complete" and not told.finished:
                end = "upstream_cut"
        elif self._response is not None and ending.response_bytes:
            response = self._response.end(counts)
            answer = self._response.value
        model = string(mapping(answer).get("model")) or string(asked.get("model")) or None
        usage = usage_of(self._api, answer)
        record = self._record(ending, request, response, first_token).model_copy(
            update={
                "model": None if model is None else self._run.redactor.text(model),
                "streamed": isinstance(self._response, _Stream) or asked.get("stream") is True,
                "end": end,
                "usage": usage,
                "cost_usd": cost(model, usage, answer, prices),
                "malformed_events": malformed,
                "redactions": dict(sorted(counts.items())),
            }
        )
        return self._written(record, answer)

    def bare_line(self, ending: Ending, why: str) -> bytes:
        """The line of an exchange that could not be read, by a defect of ours: how it ended, and none of its bodies."""
        self.discard()
        lost = Text(text="", undecoded=f"not kept: {why}")
        return self._written(self._record(ending, lost, lost if ending.response_bytes else None, None), None)

    def _written(self, record: Record, answer: Json) -> bytes:
        self.took = took(record, answer)
        line = record.model_dump_json().encode("utf-8", "replace") + b"\n"
        bodies = (record.request, record.response)
        self.kept_bytes = len(line) + sum(body.bytes for body in bodies if isinstance(body, Blob))
        return line

    def _record(self, ending: Ending, request: Body, response: Body | None, first_token: float | None) -> Record:
        """What is known of an exchange from its ending and its bodies alone."""
        return Record(
            id=self._identity,
            run=self._run.name,
            sequence=self._sequence,
            api=self._api,
            began=self._wall,
            model=None,
            streamed=isinstance(self._response, _Stream),
            status=ending.status,
            end=ending.end,
            request=request,
            response=response,
            usage=None,
            cost_usd=None,
            timing=Timing(
                first_byte_s=self._since(ending.first_byte),
                first_token_s=self._since(first_token),
                total_s=round(ending.last_byte - self._start, 6),
            ),
            retries=ending.retries,
            retry_after=self._clean(ending.retry_after),
            upstream_request_id=self._clean(ending.upstream_request_id),
            request_bytes=ending.request_bytes,
            response_bytes=ending.response_bytes,
        )

    def _stream_body(self, undecoded: str | None, answer: Json, counts: Counter[str]) -> Body | None:
        if undecoded is not None:
            return Text(text="", undecoded=undecoded)
        return None if answer is None else Inline(value=self._run.redactor.value(answer, counts))

    def _spool(self, which: str, encoding: str, largest: int) -> Spool:
        name, directory = f"{self._identity}.{which}", self._run.journal.directory
        return Spool(directory, name, encoding, self._run.redactor, self._limits.inline_bytes, largest)

    def _since(self, time: float | None) -> float | None:
        return None if time is None else round(time - self._start, 6)

    def _clean(self, text: str | None) -> str | None:
        return None if text is None else self._run.redactor.text(text)


class _Stream:
    """A stream of events being read."""

    def __init__(self, api: Api, encoding: str) -> None:
        self.reader = StreamReader(api)
        self.first_token: float | None = None
        self.undecoded: str | None = None
        self._encoding = encoding
        try:
            self._decoder: Decoder = decoder(encoding)
        except UndecodableError:
            self._decoder, self.undecoded = decoder(""), encoding

    def feed(self, time: float, piece: bytes) -> None:
        if self.undecoded is not None:
            return
        try:
            for plain in self._decoder.feed(piece):
                self.reader.feed(plain)
        except UndecodableError:
            self.undecoded = self._encoding
        if self.first_token is None and self.reader.answering:
            self.first_token = time
