"""Refuses JSON whose objects have a name twice: of two readers one would take the first value, the other the last."""

from collections import Counter
from collections.abc import Sequence

from pydantic import JsonValue

__all__ = ["names_once"]

_SHOWN = 64


def names_once(pairs: Sequence[tuple[str, JsonValue]]) -> dict[str, JsonValue]:
    """One object from its names and values, for `json.loads(…, object_pairs_hook=names_once)`.

    Raises:
        ValueError: a name stands twice in it.
    """
    found = dict(pairs)
    if len(found) < len(pairs):
        twice, _ = Counter(name for name, _ in pairs).most_common(1)[0]
        raise ValueError(f"an object has the name {twice[:_SHOWN]!a} twice")
    return found
