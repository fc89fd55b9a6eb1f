"""The JSON Schema of a reply in the strict form that the API takes.

Every property is required, no others are allowed, and only words that every endpoint knows are used. What is left out
(patterns, bounds, defaults) is still checked: the reply is read by its Pydantic model.
"""

from collections.abc import Iterator, Mapping

from pydantic import JsonValue

from reproducegym.schema.base import Frozen

__all__ = ["schema_name", "strict_schema"]

_KEPT = ("type", "enum", "const", "description")
_DEFINITIONS = "$defs"


def schema_name(reply: type[Frozen]) -> str:
    """The name under which the API sees a reply."""
    return reply.__name__[:64]


def strict_schema(reply: type[Frozen]) -> dict[str, JsonValue]:
    """The strict schema of a reply model.

    Raises:
        TypeError: the model holds something that the strict form cannot say (a mapping, a tuple of fixed length).
    """
    schema = reply.model_json_schema()
    definitions = schema.pop(_DEFINITIONS, {})
    if schema.get("type") != "object":
        raise TypeError(f"{reply.__name__} is no object with named fields; a reply must be one")
    strict = _strict(schema, reply.__name__)
    named = {name: _strict(one, name) for name, one in definitions.items()}
    return {**strict, _DEFINITIONS: {**named}} if named else strict


def _strict(schema: Mapping[str, JsonValue], where: str) -> dict[str, JsonValue]:
    described: dict[str, JsonValue] = {key: schema[key] for key in ("description",) if key in schema}
    if "$ref" in schema:  # beside which the API takes no other word
        reference: dict[str, JsonValue] = {"$ref": schema["$ref"]}
        return {"anyOf": [reference], **described} if described else reference
    for key in ("anyOf", "oneOf"):
        if key in schema:
            return {"anyOf": [*_branches(schema[key], where)], **described}
    kept: dict[str, JsonValue] = {key: schema[key] for key in _KEPT if key in schema}
    match schema.get("type"):
        case "object":
            return kept | _object(schema, where)
        case "array":
            items = schema.get("items")
            if not isinstance(items, dict):
                raise TypeError(f"{where}: a tuple of fixed length cannot be asked of a model; use a named model")
            return kept | {"items": _strict(items, f"{where}[]")}
        case str():
            return kept
    raise TypeError(f"{where}: the strict form of a reply has no word for {dict(schema)}")


def _branches(branches: JsonValue, where: str) -> Iterator[JsonValue]:
    for branch in branches if isinstance(branches, list) else []:
        if isinstance(branch, dict):
            yield _strict(branch, where)


def _object(schema: Mapping[str, JsonValue], where: str) -> dict[str, JsonValue]:
    properties = schema.get("properties")
    if not isinstance(properties, dict) or schema.get("additionalProperties") is not False:
        raise TypeError(f"{where}: a mapping with free names cannot be asked of a model; use a list of named pairs")
    strict: dict[str, JsonValue] = {
        name: _strict(one, f"{where}.{name}") for name, one in properties.items() if isinstance(one, dict)
    }
    return {"properties": strict, "required": list(strict), "additionalProperties": False}
