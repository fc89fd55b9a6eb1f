"""Stories of the strict schema of a reply: the API takes it, and the model's own checks are kept for the reply."""

from decimal import Decimal
from typing import Annotated, Literal

import pytest
from model_server.strict_schema import schema_faults
from pydantic import Field

from reproducegym.adapters.llm.strict_schema import schema_name, strict_schema
from reproducegym.schema.base import Frozen


class Cell(Frozen):
    """A cell of a table."""

    kind: Literal["cell"]
    quote: Annotated[str, Field(min_length=1, max_length=80, pattern="^[^\n]*$")]
    value: Decimal | None = None


class Sentence(Frozen):
    """A sentence."""

    kind: Literal["sentence"]
    number: Annotated[int, Field(ge=1)] = 1


class Everything(Frozen):
    """A reply with everything that replies may have."""

    found: tuple[Cell, ...]
    best: Cell = Field(description="The best one.")
    place: Annotated[Cell | Sentence, Field(discriminator="kind")]
    direction: Literal["up", "down"] | None
    sure: bool
    share: Annotated[float, Field(ge=0, le=1)]
    names: frozenset[str] = frozenset()


def test_a_rich_reply_becomes_a_schema_that_the_api_takes():
    schema = strict_schema(Everything)
    assert schema_faults(schema) == []
    assert schema["required"] == ["found", "best", "place", "direction", "sure", "share", "names"]
    assert schema["properties"]["best"] == {"anyOf": [{"$ref": "#/$defs/Cell"}], "description": "The best one."}
    assert "default" not in str(schema)
    assert schema_name(Everything) == "Everything"


def test_the_models_own_schema_would_not_be_taken():
    assert schema_faults(Everything.model_json_schema()) != []


class Tree(Frozen):
    """A reply that holds itself."""

    children: tuple["Tree", ...]


def test_a_reply_that_holds_itself_is_taken():
    schema = Tree.model_json_schema()
    assert "$ref" in schema
    with pytest.raises(TypeError, match="no object with named fields"):
        strict_schema(Tree)


class Mapped(Frozen):
    """A mapping with free names."""

    switches: dict[str, str]


class Fixed(Frozen):
    """A tuple of fixed length."""

    box: tuple[float, float]


class Holder(Frozen):
    """One level down."""

    inside: tuple[Mapped, ...]


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        (Mapped, "Mapped.switches: a mapping with free names"),
        (Fixed, r"Fixed.box: a tuple of fixed length"),
        (Holder, "Mapped.switches: a mapping with free names"),
    ],
)
def test_what_the_strict_form_cannot_say_is_a_defect_that_names_the_field(reply, words):
    with pytest.raises(TypeError, match=words):
        strict_schema(reply)
