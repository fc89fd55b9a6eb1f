"""The output of a command in a container, read in a thread of its own, so that waiting for it can end at a deadline."""

import contextlib
import queue
import threading
from collections.abc import Iterator

from reproducegym.errors import InfrastructureError

__all__ = ["ExecStream"]


class ExecStream:
    """A blocking stream read in a thread of its own, so that its reader can stop waiting at a deadline."""

    def __init__(self, stream: Iterator[bytes]) -> None:
        self._queue: queue.Queue[bytes | Exception | None] = queue.Queue(maxsize=64)
        self._discarding = threading.Event()
        threading.Thread(target=self._pump, args=(stream,), daemon=True).start()

    def next(self, timeout_s: float) -> bytes | None:
        """The next bytes, or None at the end.

        Raises:
            TimeoutError: nothing came in time.
            InfrastructureError: the stream broke.
        """
        try:
            item = self._queue.get(timeout=timeout_s)
        except queue.Empty as error:
            raise TimeoutError from error
        if isinstance(item, Exception):
            raise InfrastructureError(f"the Docker engine dropped the output of a command: {item}") from item
        return item

    def discard(self) -> None:
        """Take and drop what still comes, so that nobody waits for room; nothing may be asked for after it."""
        self._discarding.set()
        with contextlib.suppress(queue.Empty):
            while True:
                self._queue.get_nowait()

    def _pump(self, stream: Iterator[bytes]) -> None:
        try:
            for chunk in stream:
                if not self._discarding.is_set():
                    self._queue.put(chunk)
        except (OSError, ValueError) as error:  # requests' and the socket's errors are OSErrors
            end: Exception | None = error
        else:
            end = None
        if not self._discarding.is_set():
            self._queue.put(end)
