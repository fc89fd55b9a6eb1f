"""What is to be found in a repository: the hidden truth of an audit, written as `reward/audit.json`."""

from typing import Annotated, Self

from pydantic import Field, model_validator

from reproducegym.schema.base import Frozen

__all__ = ["Audit", "Defect", "DefectPlace"]

MOST_OF_A_RULE = 8
"""Matching findings with defects of one rule takes time that doubles with each."""


class DefectPlace(Frozen):
    """Lines of a file where a finding is right; line 0 is the file as a whole, file `.` the repository."""

    file: str
    first_line: Annotated[int, Field(ge=0)]
    last_line: Annotated[int, Field(ge=0)]


class Defect(Frozen):
    """One thing that is to be found: the rule that is broken, and every place that names it rightly, the best first."""

    rule: str
    places: Annotated[tuple[DefectPlace, ...], Field(min_length=1)]


class Audit(Frozen):
    """What is to be found; a line may be off by `near`. Naming what is `excused` changes nothing."""

    near: Annotated[int, Field(ge=0)]
    defects: tuple[Defect, ...]
    excused: tuple[Defect, ...]

    @model_validator(mode="after")
    def _can_be_matched(self) -> Self:
        rules = [defect.rule for defect in self.defects]
        if any(rules.count(rule) > MOST_OF_A_RULE for rule in rules):
            raise ValueError(f"a rule is broken more than {MOST_OF_A_RULE} times")
        return self
