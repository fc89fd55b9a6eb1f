"""What the ways to a paper hand on: its bytes with all that belongs to them, and what could not be had."""

from dataclasses import dataclass

from reproducegym.schema.paper import Source

__all__ = ["MAX_BYTES", "MAX_FILES", "MAX_TOTAL_BYTES", "Gathered"]

MAX_BYTES = 100 * 1024 * 1024
"""The most that one file may hold."""

MAX_TOTAL_BYTES = 250 * 1024 * 1024
"""The most that all files of one paper may hold together, unpacked."""

MAX_FILES = 3000
"""The most files that one paper may have."""


@dataclass(frozen=True, slots=True)
class Gathered:
    """A source to parse, and one line for each piece beside it that could not be had."""

    source: Source
    warnings: tuple[str, ...] = ()
