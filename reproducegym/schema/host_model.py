"""An operator's own simulation of a paper: its card, and what it measured for the claims that it speaks of."""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from reproducegym.schema.base import Frozen

__all__ = ["HostCard", "HostDrawn", "HostKnob", "HostRecord", "HostSetting", "HostTruth"]

Finite = Annotated[float, Field(allow_inf_nan=False)]


class HostKnob(Frozen):
    """A protocol number that the model varies between `low` and `high`.

    `quote` is where the paper prints its `default`, word for word; with `whole` it takes whole numbers only.
    """

    name: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,40}$")]
    default: Finite
    low: Finite
    high: Finite
    whole: bool
    quote: Annotated[str, Field(min_length=1)]

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if not self.low < self.high or not self.low <= self.default <= self.high:
            raise ValueError("low < high is wanted, and a default between them")
        if self.whole and not all(one.is_integer() for one in (self.default, self.low, self.high)):
            raise ValueError("a whole knob has whole numbers for default, low and high")
        return self


class HostCard(Frozen):
    """`card.toml` of a host model: `quantities` are the paper's metrics that it speaks of, in the paper's words."""

    schema_version: Literal[1]
    title: Annotated[str, Field(min_length=1)]
    licence: Annotated[str, Field(min_length=1)]
    quantities: Annotated[tuple[str, ...], Field(min_length=1)]
    knobs: Annotated[tuple[HostKnob, ...], Field(min_length=1)]

    @model_validator(mode="after")
    def _distinct(self) -> Self:
        if len({knob.name for knob in self.knobs}) != len(self.knobs):
            raise ValueError("two knobs have the same name")
        return self


class HostSetting(Frozen):
    """What the model measured at one setting of its knobs: condition label → a value for each seed."""

    knobs: dict[str, float]
    values: dict[str, tuple[float, ...]]


class HostDrawn(Frozen):
    """A hidden setting that a probe may ask for; in each of `without` one of its knobs stands at its default."""

    setting: HostSetting
    without: tuple[HostSetting, ...]


class HostTruth(Frozen):
    """What the model says of one claim: at the paper's own setting, and at hidden ones."""

    claim_uid: str
    knobs: tuple[HostKnob, ...]
    default: HostSetting
    drawn: tuple[HostDrawn, ...]


class HostRecord(Frozen):
    """`01-extract/host_model.json`: the model by its digest, its card, and its truths; hidden from agents.

    `key` is the digest of everything that was measured under: model, conditions, columns, settings, seeds, image.
    """

    schema_version: Literal[1]
    paper_id: str
    key: str
    model_sha256: str
    card: HostCard
    truths: tuple[HostTruth, ...]
