"""The state of a process as an effect: which values a defect changes, and whether a fix brings them back."""

import re
from collections.abc import Mapping

from reproducegym.families.auditor.executing.double import DIFFERS

__all__ = ["changed_keys", "restored"]

_GENERATOR = "generator."
_AS_GOOD = {
    "CUBLAS_WORKSPACE_CONFIG": re.compile(r":4096:8|:16:8"),
    "PYTHONHASHSEED": re.compile(r"\d{1,10}"),
    "OMP_NUM_THREADS": re.compile(r"\d{1,3}"),
    "MKL_NUM_THREADS": re.compile(r"\d{1,3}"),
    "OPENBLAS_NUM_THREADS": re.compile(r"\d{1,3}"),
    "threads": re.compile(r"\d{1,3}"),
}
"""Values of a name (the last part of a key) of which one is as good as another."""


def changed_keys(clean: Mapping[str, str], damaged: Mapping[str, str]) -> tuple[str, ...]:
    """The keys of state that a defect changes; of generators only whether two runs leave them alike counts."""
    keys = sorted({*clean, *damaged})
    return tuple(key for key in keys if _value(clean, key) != _value(damaged, key))


def restored(clean: Mapping[str, str], now: Mapping[str, str], keys: tuple[str, ...]) -> tuple[str, ...]:
    """Those of the keys that are not as in the clean project, nor as good."""
    return tuple(key for key in keys if not _as_good(clean, now, key))


def _as_good(clean: Mapping[str, str], now: Mapping[str, str], key: str) -> bool:
    wanted, found = _value(clean, key), _value(now, key)
    pattern = _AS_GOOD.get(key.rpartition(".")[2])
    if wanted == found:
        return True
    return bool(wanted and found and found != DIFFERS and pattern and pattern.fullmatch(found))


def _value(state: Mapping[str, str], key: str) -> str | None:
    found = state.get(key)
    return "same" if found not in (None, DIFFERS) and key.startswith(_GENERATOR) else found
