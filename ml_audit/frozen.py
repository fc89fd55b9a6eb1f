"""The ground of everything that is printed: frozen, closed, strict models."""

from pydantic import BaseModel, ConfigDict

__all__ = ["Frozen"]


class Frozen(BaseModel):
    """A value: immutable, closed to unknown fields, strict about types."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, ser_json_inf_nan="null")
