"""How a download behaves; apart from it, so that reading a file loads no HTTP client."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from reproducegym.parsing.sources.gathered import MAX_BYTES

__all__ = ["POLITE", "Manners"]


@dataclass(frozen=True, slots=True)
class Manners:
    """How much we ask of a server and of the user's patience. Times in seconds.

    After a failed attempt we wait `first_wait_s`, then twice as long each time, or as long as the server asks; when
    it asks for more than `longest_wait_s`, we give up. `tell` gets one line before each wait.
    """

    max_bytes: int = MAX_BYTES
    attempts: int = 4
    first_wait_s: float = 1.0
    longest_wait_s: float = 60.0
    connect_s: float = 10.0
    read_s: float = 30.0
    total_s: float = 900.0
    sleep: Callable[[float], None] = time.sleep
    tell: Callable[[str], None] = field(default=lambda line: None)


POLITE = Manners()
