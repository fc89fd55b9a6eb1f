"""Reads the configuration once, at the door: unknown keys and wrong types are errors that name the key."""

import json
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import get_args

import yaml
from pydantic import ValidationError

from reproducegym.errors import MisuseError
from reproducegym.resources import shipped
from reproducegym.schema.claim import MetricKind
from reproducegym.schema.config import Config

__all__ = ["load_config"]

_TABLES = ("build", "verification", "sandbox", "run", "ray", "agent", "egress", "llm")
_TOLERANCES = "tolerances.yaml"


def load_config(path: Path | None) -> Config:
    """The configuration of a TOML file that holds every knob, or the shipped one.

    The tolerance policy is `tolerances.yaml` beside the file, or the shipped one where there is none.

    Raises:
        MisuseError: the file cannot be read, or a key is missing, unknown or of the wrong type.
    """
    source = shipped("config", "default.toml") if path is None else path
    beside = source.parent / _TOLERANCES
    policy = beside if beside.is_file() else shipped("config", _TOLERANCES)
    try:
        tables = tomllib.loads(_text(source))
    except tomllib.TOMLDecodeError as error:
        raise MisuseError(f"{source}: not TOML: {error}") from error
    try:
        tolerances: object = yaml.safe_load(_text(policy))
    except yaml.YAMLError as error:
        raise MisuseError(f"{policy}: not YAML: {' '.join(str(error).split())}") from error
    for name in tables:
        if name not in _TABLES:
            raise MisuseError(f"{source}: {name}: unknown key; known are {', '.join(_TABLES)}")
    config = _checked({**tables, "tolerances": tolerances}, source, policy)
    rows = [row.kind for row in config.tolerances.rows]
    kinds = get_args(MetricKind)
    if sorted(rows) != sorted(kinds):
        raise MisuseError(f"{policy}: rows: wanted one row for each of {', '.join(kinds)}; found {', '.join(rows)}")
    return config


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise MisuseError(f"{path}: cannot be read: {error}") from error


def _checked(tables: Mapping[str, object], source: Path, policy: Path) -> Config:
    try:
        return Config.model_validate_json(json.dumps(tables, default=str))
    except ValidationError as error:
        first = min(error.errors(), key=lambda one: one["type"] != "extra_forbidden")  # a key misspelt is missing too
        key = ".".join(str(part) for part in first["loc"])
        file = policy if key.startswith("tolerances") else source
        what = "unknown key" if first["type"] == "extra_forbidden" else first["msg"].removeprefix("Value error, ")
        raise MisuseError(f"{file}: {key.removeprefix('tolerances.')}: {what}") from error
