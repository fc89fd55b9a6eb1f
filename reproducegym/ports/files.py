"""Files of a task, a submission or a run, as values."""

from collections.abc import Mapping

__all__ = ["Files"]

Files = Mapping[str, bytes]
"""Relative POSIX path → content."""
