"""Manifests of older versions, brought to the shape of today step by step; what was never recorded is said so.

A step is known by what it finds: the first manifests had the version number of today and other fields.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from pydantic import JsonValue

__all__ = ["UNKNOWN", "upgraded"]

UNKNOWN = "unknown"
"""Stands where an older version kept nothing."""

Raw = Mapping[str, JsonValue]


@dataclass(frozen=True)
class _Step:
    """One change of the manifest: whether it is still to be made, and the manifest with it made."""

    needed: Callable[[Raw], bool]
    made: Callable[[Raw], dict[str, JsonValue]]


def _lacks_earlier(raw: Raw) -> bool:
    return raw.get("schema_version") == 1 and "tasks" in raw and "earlier" not in raw


def _without_earlier_versions(raw: Raw) -> dict[str, JsonValue]:
    """Builds kept no earlier versions of tasks then."""
    return {**raw, "earlier": []}


def _lacks_config(raw: Raw) -> bool:
    builder = raw.get("builder")
    return raw.get("schema_version") == 1 and isinstance(builder, dict) and "config" not in builder


def _with_unknown_config(raw: Raw) -> dict[str, JsonValue]:
    """Builds did not say then which configuration they read."""
    builder = raw["builder"]
    return {**raw, "builder": {**builder, "config": UNKNOWN} if isinstance(builder, dict) else builder}


_STEPS = (_Step(_lacks_earlier, _without_earlier_versions), _Step(_lacks_config, _with_unknown_config))
"""Oldest first; one that raises the version number needs `raw["schema_version"]` to be the one before."""


def upgraded(raw: Raw) -> dict[str, JsonValue]:
    """A manifest as this version writes it, from any older one; one of today, or of no known shape, as it is."""
    for step in _STEPS:
        if step.needed(raw):
            raw = step.made(raw)
    return dict(raw)
