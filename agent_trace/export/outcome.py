"""What became of a run, for those who train on it."""

from dataclasses import dataclass

__all__ = ["Outcome"]


@dataclass(frozen=True)
class Outcome:
    """`reward` is null where none is valid; runs of one `group` are compared with each other (its advantage group)."""

    reward: float | None = None
    group: str | None = None
    task: str | None = None
