"""What an answer says about limits of requests, and how long somebody is ready to wait."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

__all__ = ["Patience", "free_again", "utc"]

SECONDARY_S = 60.0
"""Seconds to wait after a secondary limit that names no time, as GitHub asks."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How often and how long to try: `longest_wait_s` for limits, pauses that double after failures of the server."""

    longest_wait_s: float = 0.0
    tries: int = 3
    first_pause_s: float = 1.0
    sleep: Callable[[float], None] = time.sleep
    now: Callable[[], float] = time.time
    say: Callable[[str], None] = lambda _: None


def free_again(status: int, headers: Mapping[str, str], body: bytes, now: float) -> float | None:
    """When requests are allowed again, in seconds of the epoch; None where the answer speaks of no limit."""
    if status not in (403, 429):
        return None
    after = headers.get("retry-after", "").strip()
    if after:
        return _moment(after, now)
    if headers.get("x-ratelimit-remaining", "").strip() == "0":
        reset = headers.get("x-ratelimit-reset", "").strip()
        return float(reset) if reset.isdecimal() and len(reset) < 12 else now + SECONDARY_S
    if status == 429 or b"rate limit" in body.lower():
        return now + SECONDARY_S
    return None


def _moment(text: str, now: float) -> float:
    if text.isdecimal() and len(text) < 9:
        return now + float(text)
    try:
        return parsedate_to_datetime(text).timestamp()
    except (ValueError, OverflowError):
        return now + SECONDARY_S


def utc(moment: float) -> str:
    """A moment for people."""
    try:
        return datetime.fromtimestamp(moment, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
    except (ValueError, OverflowError, OSError):
        return "an unknown time"
