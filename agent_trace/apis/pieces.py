"""Texts that grow by a piece an event, joined once at the end, so that a long stream costs no more than its length."""

from agent_trace.tree import Json

__all__ = ["Growing", "joined", "merge"]

_FIXED = frozenset({"id", "type", "role", "object", "index", "model"})


class Growing:
    """A text in pieces."""

    def __init__(self, text: str) -> None:
        self.pieces = [text]


def merge(into: dict[str, object], delta: dict[str, Json]) -> None:
    """Add a delta to what came before: texts and lists grow, objects merge, lists of objects merge by `index`.

    Names and kinds (`id`, `type`, `role`, …) are set, not grown; so are numbers, and whatever changes its type.
    """
    for key, value in delta.items():
        before = into.get(key)
        if isinstance(value, str):
            if key in _FIXED or (key == "name" and before is not None):
                into[key] = value or before
            elif isinstance(before, Growing):
                before.pieces.append(value)
            else:
                into[key] = Growing(value)
        elif isinstance(value, dict):
            inner: dict[str, object] = before if isinstance(before, dict) else {}
            merge(inner, value)
            into[key] = inner
        elif isinstance(value, list):
            into[key] = _merged_list(before if isinstance(before, list) else [], value)
        elif value is not None or before is None:
            into[key] = value


def _merged_list(into: list[object], delta: list[Json]) -> list[object]:
    for one in delta:
        if isinstance(one, dict) and isinstance(index := one.get("index"), int):
            same = next((item for item in into if isinstance(item, dict) and item.get("index") == index), None)
            if same is None:
                same = {}
                into.append(same)
            merge(same, one)
        else:
            into.append(one)
    return into


def joined(value: object) -> Json:
    """The value with every growing text whole."""
    if isinstance(value, Growing):
        return "".join(value.pieces)
    if isinstance(value, dict):
        return {str(key): joined(one) for key, one in value.items()}
    if isinstance(value, list):
        return [joined(one) for one in value]
    if isinstance(value, str | int | float | bool):
        return value
    return None
