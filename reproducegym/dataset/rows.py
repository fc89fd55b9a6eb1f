"""Rows of a data set as lines of JSON, read strictly and without delay."""

import gc
import importlib.util
from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, replace
from functools import cache
from pathlib import Path

from pydantic import JsonValue, TypeAdapter, ValidationError
from pydantic_core import from_json, to_json

from reproducegym.errors import MisuseError, SchemaError
from reproducegym.schema.listed import ROW_VERSION, ListedTask

__all__ = ["AGAIN", "check_version", "needs_pyarrow", "read_rows", "row_values", "uncollected", "write_rows"]

AGAIN = "write it again with `reproducegym dataset write`"
"""What mends a broken file of rows."""


@cache
def _adapter() -> TypeAdapter[ListedTask]:
    return TypeAdapter(ListedTask)


@contextmanager
def uncollected() -> Iterator[None]:
    """Let nothing search for circles of garbage while very many values are made that hold none."""
    paused = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if paused:
            gc.enable()


def read_rows(lines: Iterable[bytes], file: str, *, prompts: bool) -> list[ListedTask]:
    """Every row of a JSONL file; without `prompts` each row's prompt is dropped as it is read.

    Raises:
        SchemaError: a line is no row, or of a newer version; the message names the line and the field.
    """
    validate = _adapter().validate_json
    found: list[ListedTask] = []
    with uncollected():
        for number, line in enumerate(lines, 1):
            try:
                row = validate(line)
            except ValidationError as error:
                raise _refused(line, f"{file} line {number}", error) from error
            found.append(row if prompts or row.prompt is None else replace(row, prompt=None))
    return found


def row_values(task: ListedTask) -> dict[str, JsonValue]:
    """A row as plain values, assets as objects."""
    values: dict[str, JsonValue] = asdict(task)
    return values


def write_rows(tasks: Iterable[ListedTask], path: Path) -> None:
    """Write rows to a JSONL file, one a line."""
    with path.open("wb") as stream:
        for task in tasks:
            stream.write(to_json(task) + b"\n")


def check_version(version: JsonValue, file: str) -> None:
    """Nothing, where this program reads rows of this version.

    Raises:
        SchemaError: they are of a newer one.
    """
    if isinstance(version, int) and version > ROW_VERSION:
        raise SchemaError(
            f"{file} was written by a newer reproducegym (rows of version {version}; this one reads {ROW_VERSION}); "
            "upgrade"
        )


def needs_pyarrow(what: str) -> None:
    """Nothing, where the extra is installed.

    Raises:
        MisuseError: it is not; `what` says what it is needed for.
    """
    if importlib.util.find_spec("pyarrow") is None:
        raise MisuseError(f"{what} needs pyarrow: pip install 'reproducegym[datasets]', or use JSONL")


def _refused(line: bytes, place: str, error: ValidationError) -> SchemaError:
    try:
        raw = from_json(line)
    except ValueError as broken:
        if line.startswith(BOM_UTF8):
            return SchemaError(f"{place} begins with a byte order mark; save it as UTF-8 without one, or {AGAIN}")
        return SchemaError(f"{place} is not JSON: {broken}; {AGAIN}")
    if isinstance(raw, dict):
        try:
            check_version(raw.get("schema_version"), place)
        except SchemaError as newer:
            return newer
    first = error.errors(include_url=False, include_input=False)[0]
    where = ".".join(map(str, first["loc"]))
    return SchemaError(f"{place}: {where + ': ' if where else ''}{first['msg']}; {AGAIN}")
