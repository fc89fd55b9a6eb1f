"""Reads server-sent events from bytes that arrive in any pieces, and forgives what does not fit the format."""

import codecs
from collections.abc import Iterator
from dataclasses import dataclass

__all__ = ["Event", "EventParser"]


@dataclass(frozen=True)
class Event:
    """One event: its name ("message" when it has none) and its data, lines joined by newlines."""

    name: str
    data: str


class EventParser:
    """Give it bytes as they come; it gives the events that are complete.

    Lines end with LF, CRLF or CR, wherever the bytes are cut. Comments, unknown fields, `id` and `retry` are dropped;
    bytes that are no UTF-8 become replacement characters. An event or line of more than `largest` characters is
    dropped and counted in `oversized`: memory is bounded whatever is sent. An event that the stream breaks off is not
    given by `feed`; `end` gives it, as some servers forget the last empty line.
    """

    def __init__(self, largest: int = 64 << 20) -> None:
        self.oversized = 0
        self._largest = largest
        self._text = codecs.getincrementaldecoder("utf-8")("replace")
        self._line: list[str] = []
        self._line_size = 0
        self._data: list[str] = []
        self._data_size = 0
        self._name = ""
        self._too_large = False
        self._after_cr = False
        self._first = True

    def feed(self, chunk: bytes) -> Iterator[Event]:
        """The events that these bytes complete."""
        yield from self._take(self._text.decode(chunk))

    def end(self) -> Iterator[Event]:
        """The event that was begun when the stream ended, if it has data."""
        yield from self._take(self._text.decode(b"", final=True) + "\n\n")

    def _take(self, text: str) -> Iterator[Event]:
        if not text:
            return
        if self._first:
            text, self._first = text.removeprefix("\ufeff"), False
        ends_in_cr = text.endswith("\r")
        if self._after_cr:
            text = text.removeprefix("\n")
        self._after_cr = ends_in_cr
        *whole, rest = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        for piece in whole:
            self._add(piece)
            line, empty, self._line, self._line_size = "".join(self._line), not self._line_size, [], 0
            if (event := self._end_line(line, empty=empty)) is not None:
                yield event
        self._add(rest)

    def _add(self, piece: str) -> None:
        self._line_size += len(piece)
        if self._too_large or self._line_size + self._data_size > self._largest:
            self._too_large = True
            self._line, self._data, self._data_size = [], [], 0
        elif piece:
            self._line.append(piece)

    def _end_line(self, line: str, *, empty: bool) -> Event | None:
        if self._too_large:
            if empty:
                self.oversized += 1
                self._too_large, self._name = False, ""
            return None
        if empty:
            return self._dispatch()
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if field == "data":
            self._data.append(value)
            self._data_size += len(value) + 1
        elif field == "event":
            self._name = value
        return None

    def _dispatch(self) -> Event | None:
        data, name, self._data, self._name, self._data_size = self._data, self._name, [], "", 0
        return Event(name or "message", "\n".join(data)) if data else None
