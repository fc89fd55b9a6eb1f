"""Reads actions from JSON text; what cannot be read is a value with its reason, never an exception."""

import json
from typing import TypeVar

from pydantic import ValidationError

from reproducegym.families.auditor.nouns import MAX_ACTION_BYTES, Audit, Malformed, Triage
from reproducegym.schema.base import Frozen
from reproducegym.schema.names_once import names_once

__all__ = ["read_audit", "read_triage"]

ActionT = TypeVar("ActionT", bound=Frozen)


def read_triage(text: object) -> Triage | Malformed:
    """The first action, from its JSON: text or bytes; what is malformed already stays so."""
    return _read(text, Triage)


def read_audit(text: object) -> Audit | Malformed:
    """The second action, from its JSON: text or bytes; what is malformed already stays so."""
    return _read(text, Audit)


def _read(text: object, kind: type[ActionT]) -> ActionT | Malformed:
    if isinstance(text, Malformed):
        return text
    if not isinstance(text, str | bytes):
        return Malformed(f"an action is JSON text, not {type(text).__name__}")
    try:
        content = text.encode() if isinstance(text, str) else text
    except UnicodeEncodeError:
        return Malformed("the action is not valid Unicode")
    if len(content) > MAX_ACTION_BYTES:
        return Malformed(f"the action has {len(content)} bytes; at most {MAX_ACTION_BYTES} are read")
    try:
        said = kind.model_validate_json(content)
        json.loads(content.decode(), object_pairs_hook=names_once)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"]) or "action"
        wanted = ", ".join(kind.model_fields)
        return Malformed(f"{where}: {first['msg']} (a {kind.__name__.lower()} has {wanted})")
    except ValueError as error:
        return Malformed(f"action: {error}")
    return said
