"""Reads values back from disk: checked against the published JSON Schema, with the place of what is wrong."""

import json
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, NoReturn, TypeVar

import yaml
from pydantic import JsonValue, ValidationError

from reproducegym.errors import SchemaError
from reproducegym.schema.base import Frozen
from reproducegym.schema.names_once import names_once

if TYPE_CHECKING:
    from jsonschema.protocols import Validator

__all__ = ["from_yaml", "read_json", "read_yaml", "to_yaml"]

M = TypeVar("M", bound=Frozen)
SCHEMA_VERSION = 1

_LIMIT = 200
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""The same in C where libyaml is there: ten times as fast."""


def read_json(model: type[M], data: bytes, file: str, *, advice: str = "", sealed: bool = False) -> M:
    """A value from the bytes of a JSON file; `file` names it in messages, `advice` says what mends a broken one.

    `sealed` says that a digest has shown the bytes to be those that were written from the model: the model alone is
    then asked whether they fit, which takes a hundredth of the time for the points of many charts.

    Raises:
        SchemaError: not JSON, an object with a name twice, not fitting (with the JSON path of the first offending
            field), or written by a newer version.
    """
    if sealed:
        try:
            return model.model_validate_json(data)
        except ValidationError:
            pass  # what does not fit is told below, by its place in the published schema
    try:
        raw: JsonValue = json.loads(data.decode(), parse_constant=_refuse_constant, object_pairs_hook=names_once)
    except (UnicodeDecodeError, ValueError, RecursionError) as error:
        raise SchemaError(_with(advice, f"{file} is not JSON: {error}")) from error
    return _checked(model, raw, data.decode(), file, advice)


def read_yaml(model: type[M], data: bytes, file: str, *, advice: str = "") -> M:
    """A value from the bytes of a YAML file, with the promises of `read_json`.

    Raises:
        SchemaError: as `read_json`.
    """
    try:
        raw = from_yaml(data, file)
    except SchemaError as error:
        raise SchemaError(_with(advice, str(error))) from error
    try:
        text = json.dumps(raw, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise SchemaError(_with(advice, f"{file} holds a value that JSON does not know: {error}")) from error
    return _checked(model, raw, text, file, advice)


def from_yaml(data: bytes, file: str) -> JsonValue:
    """The plain value of a YAML file.

    Raises:
        SchemaError: it is not YAML.
    """
    try:
        loaded: JsonValue = yaml.load(data.decode(), Loader=_LOADER)  # noqa: S506 - a safe one
    except (UnicodeDecodeError, yaml.YAMLError) as error:
        raise SchemaError(f"{file} is not YAML: {' '.join(str(error).split())[:_LIMIT]}") from error
    return loaded


def to_yaml(value: Frozen) -> bytes:
    """A value as YAML that people read: fields in order of declaration, leaves on one line, decimals as strings."""
    text: str = yaml.safe_dump(
        value.model_dump(mode="json"), sort_keys=False, allow_unicode=True, width=120, default_flow_style=None
    )
    return text.encode()


def _checked(model: type[M], raw: JsonValue, text: str, file: str, advice: str) -> M:
    from jsonschema.exceptions import best_match  # loaded when a file is read, not by every command

    _refuse_newer(raw, file)
    error = best_match(_validator(model).iter_errors(raw))
    if error is not None:
        raise SchemaError(_with(advice, f"{file}: {error.json_path}: {error.message[:_LIMIT]}"))
    try:
        return model.model_validate_json(text)
    except ValidationError as refused:
        first = refused.errors(include_url=False, include_input=False)[0]
        place = "$" + "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in first["loc"])
        raise SchemaError(_with(advice, f"{file}: {place}: {first['msg']}")) from refused


def _with(advice: str, line: str) -> str:
    return f"{line}; {advice}" if advice else line


def _refuse_newer(raw: JsonValue, file: str) -> None:
    if not isinstance(raw, Mapping) or "schema_version" not in raw:
        return
    version = raw["schema_version"]
    if isinstance(version, int) and version > SCHEMA_VERSION:
        raise SchemaError(
            f"{file} was written by a newer reproducegym (schema {version}; this one reads {SCHEMA_VERSION}); upgrade"
        )


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON number")


@cache
def _validator(model: type[Frozen]) -> "Validator":
    import jsonschema

    from reproducegym.schema.publish import schema_of  # every model that there is: loaded where one is checked

    return jsonschema.Draft202012Validator(schema_of(model))
