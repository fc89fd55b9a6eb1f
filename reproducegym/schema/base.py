"""The ground every noun stands on: frozen, closed, strict models and their canonical bytes."""

import hashlib
import json
from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field

__all__ = ["BBox", "Frozen", "PageNumber", "Sha256", "ShortDigest", "canonical_json", "digest", "short_digest"]

BBox = tuple[float, float, float, float]
"""x0, y0, x1, y1 in PDF points, origin at the top left; for Markdown: column and line numbers (see Document)."""

PageNumber = Annotated[int, Field(ge=1)]
"""1-based page number."""

Sha256 = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
"""sha256 of bytes."""

ShortDigest = Annotated[str, Field(pattern="^[0-9a-f]{16}$")]
"""The first digits of the sha256 of a value: names a version of it."""


class Frozen(BaseModel):
    """A value: immutable, closed to unknown fields, strict about types (a number is never read from a string)."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, ser_json_inf_nan="null")

    @classmethod
    def from_json(cls, text: str | bytes) -> Self:
        """Read one value back from its JSON.

        Raises:
            pydantic.ValidationError: the text is not JSON or does not fit.
        """
        return cls.model_validate_json(text)

    def to_json(self) -> str:
        """Readable JSON with a final newline, the form of files on disk; field order is declaration order."""
        return self.model_dump_json(indent=2) + "\n"


def canonical_json(value: Frozen) -> bytes:
    """The one byte string of a value: sorted keys, no spaces, UTF-8."""
    return json.dumps(
        value.model_dump(mode="json"), sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
    ).encode()


def digest(data: bytes) -> str:
    """sha256 of bytes, 64 hex digits."""
    return hashlib.sha256(data).hexdigest()


def short_digest(value: Frozen) -> str:
    """First 16 hex digits of the sha256 of a value's canonical JSON."""
    return digest(canonical_json(value))[:16]
