"""The rules that the API has for a strict schema of replies, each broken one in a line."""

from collections.abc import Iterator, Mapping

_KEYWORDS = {
    "object": {"type", "properties", "required", "additionalProperties", "description", "$defs"},
    "array": {"type", "items", "description", "minItems", "maxItems"},
    "string": {"type", "enum", "const", "description"},
    "integer": {"type", "enum", "const", "description", "minimum", "maximum"},
    "number": {"type", "enum", "const", "description", "minimum", "maximum"},
    "boolean": {"type", "enum", "const", "description"},
    "null": {"type", "description"},
}
_DEEPEST = 10
_MOST_PROPERTIES = 5000


def schema_faults(schema: Mapping[str, object]) -> list[str]:
    """What the API would refuse; empty for a schema that it takes."""
    if schema.get("type") != "object":
        return ["(): schema must have type 'object' at its root"]
    definitions = schema.get("$defs", {})
    if not isinstance(definitions, dict):
        return ["('$defs',): is not an object"]
    faults = list(_faults(schema, "()", definitions, 1))
    for name, one in definitions.items():
        faults += _faults(one, f"('$defs', '{name}')", definitions, 2)
    count = sum(_properties(one) for one in (schema, *definitions.values()))
    return faults if count <= _MOST_PROPERTIES else [*faults, "(): too many properties"]


def _faults(one: object, where: str, definitions: Mapping[str, object], depth: int) -> Iterator[str]:
    if not isinstance(one, dict):
        yield f"{where}: is not an object"
        return
    if depth > _DEEPEST:
        yield f"{where}: more than {_DEEPEST} levels of nesting"
        return
    if "$ref" in one:
        if set(one) != {"$ref"}:
            yield f"{where}: $ref cannot have keywords {sorted(set(one) - {'$ref'})}"
        name = str(one["$ref"]).removeprefix("#/$defs/")
        if name not in definitions:
            yield f"{where}: {one['$ref']} leads nowhere"
        return
    if "anyOf" in one:
        if set(one) - {"anyOf", "description"}:
            yield f"{where}: anyOf cannot have keywords {sorted(set(one) - {'anyOf', 'description'})}"
        if not isinstance(one["anyOf"], list) or not one["anyOf"]:
            yield f"{where}: anyOf is empty"
            return
        for n, branch in enumerate(one["anyOf"]):
            yield from _faults(branch, f"{where}.anyOf[{n}]", definitions, depth + 1)
        return
    kind = one.get("type")
    if not isinstance(kind, str) or kind not in _KEYWORDS:
        yield f"{where}: schema must have a 'type' key"
        return
    if set(one) - _KEYWORDS[kind]:
        yield f"{where}: keywords {sorted(set(one) - _KEYWORDS[kind])} are not permitted"
    if kind == "object":
        yield from _object(one, where, definitions, depth)
    if kind == "array":
        yield from _faults(one.get("items"), f"{where}.items", definitions, depth + 1)


def _object(one: Mapping[str, object], where: str, definitions: Mapping[str, object], depth: int) -> Iterator[str]:
    properties, required = one.get("properties"), one.get("required")
    if one.get("additionalProperties") is not False:
        yield f"{where}: 'additionalProperties' is required to be supplied and to be false"
    if not isinstance(properties, dict):
        yield f"{where}: 'properties' is missing"
        return
    if not isinstance(required, list) or sorted(required) != sorted(properties):
        yield f"{where}: 'required' must include every key in properties"
    for name, value in properties.items():
        yield from _faults(value, f"{where}.{name}", definitions, depth + 1)


def _properties(one: object) -> int:
    if isinstance(one, dict):
        named = one.get("properties")
        own = len(named) if isinstance(named, dict) else 0
        return own + sum(_properties(value) for value in one.values())
    return sum(_properties(value) for value in one) if isinstance(one, list) else 0
