"""Rows of a data set as Parquet: columns of fixed types, each checked as strictly as lines of JSON are."""

from collections.abc import Iterable
from functools import cache
from pathlib import Path
from types import GenericAlias
from typing import cast, get_type_hints

import pyarrow as pa
from pyarrow import parquet
from pydantic import ConfigDict, TypeAdapter, ValidationError
from pydantic_core import to_json

from reproducegym.dataset.rows import AGAIN, check_version, row_values, uncollected
from reproducegym.errors import SchemaError, StorageError
from reproducegym.schema.listed import FIELDS, ListedTask

__all__ = ["read_parquet", "write_parquet"]

_ROWS = 10_000
"""Rows of a group: what is in memory at once when a file is written."""
_TEXTS = pa.list_(pa.string())
_ASSET = {name: pa.string() for name in ("name", "sha256", "licence", "about")} | {"size": pa.int64()}
_OTHER = {
    "schema_version": pa.int64(),
    "metrics": _TEXTS,
    "probes": _TEXTS,
    "assets": pa.list_(pa.struct(list(_ASSET.items()))),
    **dict.fromkeys(("n_targets", "seeds", "timeout_s"), pa.int64()),
    **dict.fromkeys(("memory_resistant", "requires_training", "requires_gpu"), pa.bool_()),
    **dict.fromkeys(("oracle", "noop", "gameability"), pa.float64()),
}
"""Columns that are no text."""
_NESTED = ("metrics", "probes", "assets")


@cache
def _columns() -> dict[str, TypeAdapter[list[object]]]:
    """What checks each column, in order of the fields."""
    hints = get_type_hints(ListedTask, include_extras=True)
    kinds = {name: cast("type[list[object]]", GenericAlias(list, (hints[name],))) for name in FIELDS}
    return {name: TypeAdapter(kind, config=ConfigDict(strict=True)) for name, kind in kinds.items()}


def write_parquet(tasks: Iterable[ListedTask], path: Path) -> None:
    """Write rows to a Parquet file, group by group."""
    schema = pa.schema([(name, _OTHER.get(name, pa.string())) for name in FIELDS])
    with parquet.ParquetWriter(path, schema, compression="zstd") as writer:
        group: list[dict[str, object]] = []
        for task in tasks:
            group.append(dict(row_values(task)))
            if len(group) == _ROWS:
                writer.write_table(pa.Table.from_pylist(group, schema=schema))
                group = []
        writer.write_table(pa.Table.from_pylist(group, schema=schema))


def read_parquet(path: Path, *, prompts: bool) -> list[ListedTask]:
    """Every row of a Parquet file; without `prompts` that column is not even read.

    Raises:
        SchemaError: it is no Parquet file, or its columns do not fit; the message names the first that does not.
        StorageError: it cannot be read.
    """
    found: list[ListedTask] = []
    try:
        with parquet.ParquetFile(path) as file, uncollected():
            _check_columns(file, path)
            wanted = [name for name in FIELDS if prompts or name != "prompt"]
            for number in range(file.num_row_groups):
                found += _rows(file.read_row_group(number, columns=wanted), path, len(found))
    except pa.ArrowInvalid as error:
        raise SchemaError(f"{path} is not Parquet: {str(error).splitlines()[0]}; {AGAIN}") from error
    except OSError as error:
        raise StorageError(f"cannot read {path}: {error.strerror or str(error).splitlines()[0]}") from error
    return found


def _rows(table: pa.Table, path: Path, before: int) -> list[ListedTask]:
    """The rows of a group, of which `before` rows stand in the file."""
    there = set(table.column_names)
    columns = [
        _checked(name, table.column(name), path, before) if name in there else [None] * table.num_rows
        for name in FIELDS
    ]
    try:
        return list(map(ListedTask, *columns))
    except ValueError as error:
        raise SchemaError(f"{path}: {error}; {AGAIN}") from error


def _check_columns(file: parquet.ParquetFile, path: Path) -> None:
    there = set(file.schema_arrow.names)
    if "schema_version" in there:
        for version in file.read(columns=["schema_version"]).column(0).unique().to_pylist():
            check_version(version, str(path))
    lacking, more = sorted(set(FIELDS) - there), sorted(there - set(FIELDS))
    if lacking or more:
        told = f"lacks the column {lacking[0]!r}" if lacking else f"has the column {more[0]!r}, which no row has"
        raise SchemaError(f"{path} {told}; {AGAIN}")


def _checked(name: str, column: pa.ChunkedArray, path: Path, before: int) -> list[object]:
    values = column.to_pylist()
    try:
        if name in _NESTED:  # lists, where tuples are wanted: alike in JSON alone
            return _columns()[name].validate_json(to_json(values))
        return _columns()[name].validate_python(values)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        row = before + int(first["loc"][0]) + 1 if first["loc"] else before
        raise SchemaError(f"{path} row {row}: {name}: {first['msg']}; {AGAIN}") from error
