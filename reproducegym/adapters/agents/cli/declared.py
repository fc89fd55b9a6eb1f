"""Reads the declarations of command-line agents: unknown keys and wrong types are errors that name the key."""

import json
from pathlib import Path

import yaml
from pydantic import ValidationError

from reproducegym.errors import MisuseError
from reproducegym.resources import shipped
from reproducegym.schema.cli_agent import CliAgents

__all__ = ["declared"]


def declared(path: Path | None = None) -> CliAgents:
    """All declared agents: of `config/agents.yaml`, or of the file that was named.

    Raises:
        MisuseError: the file cannot be read, or a key is missing, unknown or of the wrong type.
    """
    source = shipped("config", "agents.yaml") if path is None else path
    try:
        read: object = yaml.safe_load(source.read_text(encoding="utf-8"))
        return CliAgents.model_validate_json(json.dumps(read, default=str))
    except (OSError, UnicodeDecodeError) as error:
        hint = "" if path is None else "; REPRODUCEGYM_AGENTS names it"
        raise MisuseError(f"{source}: cannot be read: {error}{hint}") from error
    except yaml.YAMLError as error:
        raise MisuseError(f"{source}: not YAML: {' '.join(str(error).split())}") from error
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(str(part) for part in first["loc"]) or "the whole file"
        raise MisuseError(f"{source}: {key}: {first['msg'].removeprefix('Value error, ')}") from None
