"""Keeps the head of what a command prints and lets the rest pass, so that a flood of output costs no memory."""

from collections.abc import Callable

__all__ = ["OutputHead"]


class OutputHead:
    """The first `limit` bytes of a stream; `on_output` sees each of these bytes as it comes."""

    def __init__(self, limit: int, on_output: Callable[[bytes], None] | None) -> None:
        self._limit = limit
        self._on_output = on_output
        self._kept = bytearray()
        self.truncated = False

    def feed(self, chunk: bytes) -> None:
        """Take the next bytes."""
        room = self._limit - len(self._kept)
        head = chunk[:room] if room > 0 else b""
        if len(head) < len(chunk):
            self.truncated = True
        if not head:
            return
        self._kept += head
        if self._on_output is not None:
            self._on_output(head)

    def kept(self) -> bytes:
        """What was kept so far."""
        return bytes(self._kept)
