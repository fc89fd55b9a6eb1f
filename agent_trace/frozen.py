"""The ground of all records: frozen, closed, strict models."""

from typing import Self

from pydantic import BaseModel, ConfigDict

__all__ = ["Frozen"]


class Frozen(BaseModel):
    """A value: immutable, closed to unknown fields, strict about types."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, ser_json_inf_nan="null")

    @classmethod
    def from_json(cls, text: str | bytes) -> Self:
        """Read one value back from its JSON.

        Raises:
            pydantic.ValidationError: the text is not JSON or does not fit.
        """
        return cls.model_validate_json(text)
