"""The redactor: finds every secret in bytes, a value or a stream, and puts a marker in its place."""

from collections import Counter
from collections.abc import Iterable, Sequence

from agent_trace.redact.known import SHORTEST, spellings
from agent_trace.redact.patterns import LONGEST, PATTERNS, Pattern
from agent_trace.redact.views import Views
from agent_trace.tree import Json, walked

__all__ = ["Redactor", "StreamRedactor"]

_CONTEXT = 256
"""Bytes before a place that say whether a secret begins there: a header's name, a variable's, backslashes."""

Span = tuple[int, int, str]


class Redactor:
    """Knows the secrets; `secrets` are (name, value), `hosts` are private host names.

    A known secret becomes `[redacted:NAME]`, a host `[redacted:private-host]`, what has the form of a secret
    `[redacted:key]`, `token`, `private-key`, `secret`, `cookie`, `password` or `private-host`. Secrets are never shown.
    """

    def __init__(
        self,
        secrets: Iterable[tuple[str, str]] = (),
        hosts: Iterable[str] = (),
        patterns: Sequence[Pattern] = PATTERNS,
    ) -> None:
        named = [*secrets, *(("private-host", host) for host in hosts)]
        self._known = tuple((name, one) for name, value in named for one in spellings(value))
        self._patterns = tuple(patterns)
        self.lookback = max([LONGEST, *(one.longest for _, one in self._known)]) + _CONTEXT

    def __repr__(self) -> str:
        return f"Redactor({len(self._known)} spellings)"

    def spans(self, data: bytes) -> list[Span]:
        """Start, end and name of what has to go, in order; what overlaps is one span with the name of the first."""
        views = Views(data)
        found = [(start, end, name) for name, one in self._known for start, end in one.matches(views)]
        found += [(start, end, one.name) for one in self._patterns for start, end in one.matches(data, views.lower)]
        merged: list[Span] = []
        for start, end, name in sorted(found, key=lambda span: (span[0], -span[1])):
            if _is_escaped(data, start):
                start += 1  # noqa: PLW2901 - the letter belongs to an escape, which must stay whole
            if merged and start < merged[-1][1]:
                merged[-1] = (merged[-1][0], max(end, merged[-1][1]), merged[-1][2])
            else:
                merged.append((start, end, name))
        return merged

    def redacted(self, data: bytes, counts: Counter[str] | None = None) -> bytes:
        """The bytes without secrets; counts what went, by name."""
        spans = self.spans(data)
        return _cut(data, 0, len(data), spans, counts) if spans else data

    def text(self, text: str, counts: Counter[str] | None = None) -> str:
        """The text without secrets, and with U+FFFD for each half of a character, which no UTF-8 can hold."""
        if len(text) < SHORTEST and text.isascii():
            return text
        try:
            data = text.encode()
        except UnicodeEncodeError:
            text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
            data = text.encode()
        spans = self.spans(data)
        return _cut(data, 0, len(data), spans, counts).decode() if spans else text

    def value(self, value: Json, counts: Counter[str] | None = None) -> Json:
        """The JSON value with every text and key in it redacted."""
        return walked(value, lambda text: self.text(text, counts))

    def stream(self) -> "StreamRedactor":
        """For bytes that come in pieces."""
        return StreamRedactor(self)


class StreamRedactor:
    """Redacts a stream: what is given out is the same as if the whole had been redacted at once, however it is cut."""

    def __init__(self, redactor: Redactor) -> None:
        self.counts: Counter[str] = Counter()
        self._redactor = redactor
        self._held = b""
        self._given = 0  # how much of what is held has been given out, and is kept for what stands after it

    def feed(self, chunk: bytes) -> bytes:
        """What is certain once these bytes have come, when it is enough to be worth a look at what is held."""
        self._held += chunk
        certain = len(self._held) - self._redactor.lookback
        return self._give(certain) if certain - self._given > self._redactor.lookback // 2 else b""

    def end(self) -> bytes:
        """The rest."""
        return self._give(len(self._held))

    def _give(self, certain: int) -> bytes:
        data = self._held
        spans = [span for span in self._redactor.spans(data) if span[0] >= self._given]
        if certain < len(data):
            certain = next((start for start, end, _ in spans if start < certain < end), certain)
            spans = [span for span in spans if span[0] < certain]
        given = _cut(data, self._given, certain, spans, self.counts)
        kept = max(0, certain - _CONTEXT)
        self._held, self._given = data[kept:], certain - kept
        return given


def _cut(data: bytes, begin: int, end: int, spans: Sequence[Span], counts: Counter[str] | None) -> bytes:
    pieces, at = [], begin
    for start, stop, name in spans:
        pieces += [data[at:start], f"[redacted:{name}]".encode()]
        at = stop
        if counts is not None:
            counts[name] += 1
    return b"".join([*pieces, data[at:end]])


def _is_escaped(data: bytes, start: int) -> bool:
    """Whether an odd number of backslashes stands before the place."""
    at = start
    while at > 0 and data[at - 1] == 0x5C:
        at -= 1
    return (start - at) % 2 == 1
