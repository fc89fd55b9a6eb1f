"""Undoes gzip, deflate and br piece by piece, for the copy that is recorded; what is passed on stays as it came."""

import zlib
from collections.abc import Iterator, Sequence
from typing import Protocol

import brotli

__all__ = ["READABLE", "Decoder", "UndecodableError", "decoder"]

READABLE = ("gzip", "deflate", "br", "identity")
"""Content encodings that a record can be made of."""
_PIECE = 1 << 18


class UndecodableError(Exception):
    """The bytes are not what their Content-Encoding says, or nobody here reads that encoding."""


class Decoder(Protocol):
    """Give it bytes as they come; it gives what they stand for, in pieces of bounded size."""

    def feed(self, chunk: bytes) -> Iterator[bytes]:
        """Decode one more piece.

        Raises:
            UndecodableError: the bytes do not fit the encoding.
        """


class _Plain:
    def feed(self, chunk: bytes) -> Iterator[bytes]:
        if chunk:
            yield chunk


class _Zlib:
    """gzip (also several members in a row) and deflate, with or without its zlib frame."""

    def __init__(self, name: str) -> None:
        self._gzip = name == "gzip"
        self._bits: int | None = 31 if self._gzip else None
        self._head = b""
        self._work = zlib.decompressobj(31) if self._gzip else None

    def feed(self, chunk: bytes) -> Iterator[bytes]:
        if self._work is None:
            self._head += chunk
            if len(self._head) < 2:
                return
            framed = self._head[0] & 0x0F == 8 and int.from_bytes(self._head[:2], "big") % 31 == 0
            self._work, chunk = zlib.decompressobj(15 if framed else -15), self._head
        try:
            while chunk:
                if self._work.eof:
                    if not self._gzip or not chunk.strip(b"\0"):
                        return
                    self._work = zlib.decompressobj(31)
                if piece := self._work.decompress(chunk, _PIECE):
                    yield piece
                chunk = self._work.unused_data if self._work.eof else self._work.unconsumed_tail
            while not self._work.eof and (piece := self._work.decompress(b"", _PIECE)):
                yield piece
        except zlib.error as error:
            raise UndecodableError(f"broken {'gzip' if self._gzip else 'deflate'}: {error}") from error


class _Brotli:
    def __init__(self) -> None:
        self._work = brotli.Decompressor()

    def feed(self, chunk: bytes) -> Iterator[bytes]:
        try:
            piece = self._work.process(chunk, output_buffer_limit=_PIECE)
            while piece or not self._work.can_accept_more_data():
                yield piece
                piece = self._work.process(b"", output_buffer_limit=_PIECE)
        except brotli.error as error:
            raise UndecodableError(f"broken br: {error}") from error


class _Chain:
    def __init__(self, stages: Sequence[Decoder]) -> None:
        self._stages = stages

    def feed(self, chunk: bytes) -> Iterator[bytes]:
        yield from self._through(chunk, 0)

    def _through(self, chunk: bytes, stage: int) -> Iterator[bytes]:
        if stage == len(self._stages):
            yield chunk
            return
        for piece in self._stages[stage].feed(chunk):
            yield from self._through(piece, stage + 1)


def decoder(content_encoding: str) -> Decoder:
    """A decoder for the value of a Content-Encoding header; several are undone from the last to the first.

    Raises:
        UndecodableError: an encoding that is not readable here.
    """
    stages: list[Decoder] = []
    for word in reversed(content_encoding.lower().split(",")):
        name = word.strip().removeprefix("x-")
        if name in ("", "identity"):
            continue
        if name not in READABLE:
            raise UndecodableError(f"Content-Encoding {name} is not read here")
        stages.append(_Brotli() if name == "br" else _Zlib(name))
    return _Chain(stages) if stages else _Plain()
