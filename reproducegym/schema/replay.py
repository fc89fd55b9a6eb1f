"""How a run that is too long to be made again whole is cut into segments: `input_files/replay.json`."""

from typing import Annotated, Literal

from pydantic import Field

from reproducegym.schema.base import Frozen

__all__ = ["ReplayPlan"]

_Count = Annotated[int, Field(ge=1)]


class ReplayPlan(Frozen):
    """What a submission records, and how much of it is run again.

    A whole run under each of `seeds` is cut into `segments`. Of each seed the last segment is run again, `drawn` others
    (all, where there are fewer), and the measurement at its end; `crossed` segments start from the checkpoint of
    another seed, and `fresh` first segments are run under seeds that nobody knew. Each run, a probe's too, is made
    within `segment_budget_s`.
    """

    schema_version: Literal[1]
    seeds: Annotated[tuple[int, ...], Field(min_length=1)]
    segments: _Count
    segment_budget_s: _Count
    drawn: _Count
    crossed: Annotated[int, Field(ge=0)] = 0
    fresh: Annotated[int, Field(ge=0)] = 0
