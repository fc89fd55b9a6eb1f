"""The emptiest reply that fits a schema: for stories in which it does not matter what the model says."""

from collections.abc import Mapping
from typing import cast

_EMPTY = {"array": [], "string": "", "integer": 1, "number": 1, "boolean": False, "null": None}


def least(schema: Mapping[str, object], whole: Mapping[str, object] | None = None) -> object:
    """Empty lists, null where it may be, the first of several words, `""`, 1 and false."""
    root = schema if whole is None else whole
    if "$ref" in schema:
        name = str(schema["$ref"]).removeprefix("#/$defs/")
        return least(cast("dict[str, dict[str, object]]", root["$defs"])[name], root)
    if "anyOf" in schema:
        branches = cast("list[dict[str, object]]", schema["anyOf"])
        return None if {"type": "null"} in branches else least(branches[0], root)
    for word in ("const", "enum"):
        if word in schema:
            return schema["const"] if word == "const" else cast("list[object]", schema["enum"])[0]
    if schema["type"] == "object":
        properties = cast("dict[str, dict[str, object]]", schema["properties"])
        return {name: least(one, root) for name, one in properties.items()}
    return _EMPTY[str(schema["type"])]
