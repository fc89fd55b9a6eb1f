"""The host's end of the hand: sends requests into a sandbox, and takes answers as what they are, text from inside."""

import contextlib
import json
import socket
import threading
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from pydantic import JsonValue

from reproducegym.errors import InfrastructureError
from reproducegym.ports import Door, ExecOutcome, SandboxBox

__all__ = ["HAND", "INSIDE", "Answer", "Hand", "HandLostError", "ready_hand"]

HAND = "hand"
"""The socket of the door that the hand knocks at."""

INSIDE: Mapping[str, Path] = {"/hand": Path(__file__).with_name("inside")}
"""What the sandbox of an agent with a hand has to mount."""

_ARGV = ("python3", "-I", "-S", "/hand/hand.py", f"/door/{HAND}")
_KNOCK_S = 30.0
_ANSWER_BYTES = 8 * 2**20
_SLACK_S = 15.0
_WORDS = 2000

Answer = Mapping[str, JsonValue]
"""What the hand says: always `ok`, and `error` where that is false."""


class HandLostError(Exception):
    """The hand is gone: a command killed it, the time of the sandbox is over, or it talks nonsense."""


@dataclass
class Hand:
    """One connection to a living hand. Not for several threads at once."""

    _connection: socket.socket
    _life: threading.Thread
    _rest: bytes = b""

    def check(self) -> None:
        """Nothing, while the hand lives.

        Raises:
            HandLostError: it is gone.
        """
        if not self._life.is_alive():
            raise HandLostError("the hand in the sandbox is gone")

    def ask(self, request: Mapping[str, JsonValue], *, within_s: float) -> Answer:
        """Have one request done.

        Raises:
            HandLostError: no sound answer came within the time.
        """
        deadline = time.monotonic() + within_s + _SLACK_S
        try:
            self._connection.settimeout(within_s + _SLACK_S)
            self._connection.sendall(json.dumps(request).encode() + b"\n")
            answer = json.loads(self._line(deadline))
        except (OSError, ValueError, RecursionError) as error:
            raise HandLostError(f"the hand in the sandbox is gone: {error}") from error
        if not isinstance(answer, dict) or not isinstance(answer.get("ok"), bool):
            raise HandLostError("the hand in the sandbox talks nonsense")
        return answer

    def _line(self, deadline: float) -> bytes:
        """One line; what the sandbox sends is bounded in size and time."""
        while b"\n" not in self._rest:
            self._connection.settimeout(max(0.001, deadline - time.monotonic()))
            chunk = self._connection.recv(1 << 16)
            if not chunk:
                raise OSError("it closed its end")
            self._rest += chunk
            if len(self._rest) > _ANSWER_BYTES:
                raise OSError("it sends too much")
        line, _, self._rest = self._rest.partition(b"\n")
        return line


@contextlib.contextmanager
def ready_hand(box: SandboxBox, door: Door, *, timeout_s: float) -> Iterator[Hand]:
    """A hand that lives in the sandbox until the context is left, or `timeout_s` is over.

    Raises:
        HandLostError: it did not come up; what it said stands in the message.
        InfrastructureError: the engine failed.
    """
    ended: list[ExecOutcome | InfrastructureError] = []

    def live() -> None:
        try:
            ended.append(box.exec(list(_ARGV), timeout_s=timeout_s, output_bytes=_WORDS))
        except InfrastructureError as error:
            ended.append(error)

    _send_away(door.sockets[HAND])
    life = threading.Thread(target=live, name="hand")
    life.start()
    try:
        with _first_knock(door.sockets[HAND], life, ended) as connection:
            yield Hand(connection, life)
    finally:
        box.stop_processes()
        life.join()
    _raise_fault(ended)


def _send_away(listening: socket.socket) -> None:
    """Whoever waits at the door before a hand is there is none: a program of an earlier one's, dead by now."""
    listening.settimeout(0)
    with contextlib.suppress(BlockingIOError):
        while True:
            listening.accept()[0].close()


def _first_knock(
    listening: socket.socket, life: threading.Thread, ended: list[ExecOutcome | InfrastructureError]
) -> socket.socket:
    """The connection of the hand, the first program that runs in its sandbox."""
    listening.settimeout(0.1)
    deadline = time.monotonic() + _KNOCK_S
    while time.monotonic() < deadline and life.is_alive():
        with contextlib.suppress(TimeoutError):
            return listening.accept()[0]
    _raise_fault(ended)
    said = [end.output.decode("utf-8", "replace").strip() for end in ended if isinstance(end, ExecOutcome)]
    raise HandLostError(f"the hand did not come up: {' '.join(said) or f'silent for {_KNOCK_S:g} s'}")


def _raise_fault(ended: list[ExecOutcome | InfrastructureError]) -> None:
    for end in ended:
        if isinstance(end, InfrastructureError):
            raise end
