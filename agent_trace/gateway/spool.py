"""A body on its way into a record: in memory while it is small, redacted into a file when it is not."""

import hashlib
import os
from collections import Counter
from pathlib import Path
from typing import BinaryIO

from agent_trace.decoding import UndecodableError, decoder
from agent_trace.journal import BODIES
from agent_trace.record import Blob, Body, Inline, Text
from agent_trace.redact import Redactor
from agent_trace.tree import Json, decoded

__all__ = ["Spool"]

_UNKNOWN = "too large when decoded"


class Spool:
    """Takes a body in pieces and gives what a record holds of it. Nothing goes to the disk before it is redacted.

    `value` is the JSON of a small body, not redacted, for what has to be read from it; null otherwise. A body of more
    than `inline` bytes goes to a file; of more than `largest`, decoded, nothing is kept.
    """

    def __init__(
        self, directory: Path, name: str, encoding: str, redactor: Redactor, inline: int, largest: int
    ) -> None:
        self.value: Json = None
        self._directory, self._name, self._limit, self._largest = directory, name, inline, largest
        self._encoding, self._redactor = encoding, redactor
        self._pieces: list[bytes] = []
        self._size = 0
        self._file: BinaryIO | None = None
        self._stream = redactor.stream()
        self._digest = hashlib.sha256()
        self._written = 0
        self._undecoded: str | None = None
        try:
            self._decoder = decoder(encoding)
        except UndecodableError:
            self._decoder, self._undecoded = decoder(""), encoding

    def feed(self, chunk: bytes) -> None:
        """Take more of it.

        Raises:
            OSError: a file cannot be written.
        """
        if self._undecoded is not None:
            return
        try:
            for piece in self._decoder.feed(chunk):
                if not self._take(piece):
                    return
        except UndecodableError:
            self._undecoded = self._encoding

    def end(self, counts: Counter[str]) -> Body:
        """What a record holds of it; what was taken out is counted.

        Raises:
            OSError: a file cannot be written.
        """
        if self._undecoded is not None:
            self.discard()
            return Text(text="", undecoded=self._undecoded)
        if self._file is not None:
            return self._end_file(counts)
        data = b"".join(self._pieces)
        self._pieces = []
        try:
            self.value = decoded(data)
        except ValueError:
            return Text(text=self._redactor.text(data.decode("utf-8", "replace"), counts))
        return Inline(value=self._redactor.value(self.value, counts))

    def discard(self) -> None:
        """Leave nothing behind."""
        self._pieces = []
        if self._file is not None:
            self._file.close()
            self._part.unlink(missing_ok=True)
            self._file = None

    @property
    def _part(self) -> Path:
        return self._directory / BODIES / f".{self._name}.part"

    def _take(self, piece: bytes) -> bool:
        """Take a decoded piece; whether more may come."""
        self._size += len(piece)
        if self._size > self._largest:
            self._undecoded = _UNKNOWN
            self.discard()
            return False
        if self._file is not None:
            self._write(self._stream.feed(piece))
        else:
            self._pieces.append(piece)
            if self._size > self._limit:
                self._spill()
        return True

    def _spill(self) -> None:
        self._part.parent.mkdir(parents=True, exist_ok=True)
        self._file = os.fdopen(os.open(self._part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb")
        for piece in self._pieces:
            for start in range(0, len(piece), 1 << 16):
                self._write(self._stream.feed(piece[start : start + (1 << 16)]))
        self._pieces = []

    def _write(self, data: bytes) -> None:
        assert self._file is not None
        self._file.write(data)
        self._digest.update(data)
        self._written += len(data)

    def _end_file(self, counts: Counter[str]) -> Blob:
        assert self._file is not None
        self._write(self._stream.end())
        self._file.flush()
        os.fsync(self._file.fileno())
        self._file.close()
        self._file = None
        path = f"{BODIES}/{self._name}"
        self._part.rename(self._directory / path)
        counts.update(self._stream.counts)
        return Blob(path=path, bytes=self._written, sha256=self._digest.hexdigest())
