"""Passes bytes between a client and where it goes, and counts them against what the run may use."""

import asyncio
import contextlib
from dataclasses import dataclass

__all__ = ["CHUNK", "Budget", "OverBytesError", "Passed", "Stream", "pass_both_ways"]

CHUNK = 1 << 16


class OverBytesError(Exception):
    """The run has used all bytes that it may."""


class Budget:
    """The bytes that a run may still send and receive together."""

    def __init__(self, count: int) -> None:
        self.left = count

    def spend(self, count: int) -> None:
        """Use some.

        Raises:
            OverBytesError: so many are not left.
        """
        self.left -= count
        if self.left < 0:
            raise OverBytesError


@dataclass
class Passed:
    """Bytes that one connection sent to its place and received from there."""

    sent: int = 0
    received: int = 0


@dataclass(frozen=True)
class Stream:
    """The two halves of a connection."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    async def send(self, data: bytes) -> None:
        """Write, and wait while the other side is slow.

        Raises:
            ConnectionError: it is gone.
        """
        self.writer.write(data)
        await self.writer.drain()

    async def close(self) -> None:
        """End it; that the other side is gone already is no matter."""
        self.writer.close()
        with contextlib.suppress(OSError):
            await self.writer.wait_closed()


async def pass_both_ways(client: Stream, place: Stream, first: bytes, budget: Budget, passed: Passed) -> None:
    """Everything in both directions until the place has said all, beginning with what the client said before.

    Raises:
        OverBytesError: the run may use no more.
        ConnectionError: a side broke off.
    """

    async def to_place() -> None:
        data = first
        while data:
            budget.spend(len(data))
            passed.sent += len(data)
            await place.send(data)
            data = await client.reader.read(CHUNK)
        place.writer.write_eof()

    async def from_place() -> None:
        while data := await place.reader.read(CHUNK):
            budget.spend(len(data))
            passed.received += len(data)
            await client.send(data)

    sending, receiving = asyncio.ensure_future(to_place()), asyncio.ensure_future(from_place())
    try:
        done, _ = await asyncio.wait((sending, receiving), return_when=asyncio.FIRST_COMPLETED)
        for one in done:
            one.result()
        await receiving
    finally:
        for one in (sending, receiving):
            one.cancel()
        await asyncio.gather(sending, receiving, return_exceptions=True)
