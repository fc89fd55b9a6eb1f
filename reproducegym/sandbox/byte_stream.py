"""Makes a readable file of chunks that come one by one."""

import io
from collections.abc import Iterator
from typing import TYPE_CHECKING, BinaryIO

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

__all__ = ["byte_stream"]


def byte_stream(chunks: Iterator[bytes]) -> BinaryIO:
    """A file for reading whose content is the chunks in order; a chunk is taken only when it is needed."""
    return io.BufferedReader(_Raw(chunks))


class _Raw(io.RawIOBase):
    def __init__(self, chunks: Iterator[bytes]) -> None:
        self._chunks = chunks
        self._rest = b""

    def readable(self) -> bool:
        """It is made to be read."""
        return True

    def readinto(self, buffer: "WriteableBuffer") -> int:
        """Fill the buffer from the next chunks; 0 at the end."""
        view = memoryview(buffer).cast("B")
        while not self._rest:
            chunk = next(self._chunks, None)
            if chunk is None:
                return 0
            self._rest = chunk
        size = min(len(view), len(self._rest))
        view[:size], self._rest = self._rest[:size], self._rest[size:]
        return size
