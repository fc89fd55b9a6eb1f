"""The prompts that ship: each step has one, with a version, and with the reply that its code reads."""

from typing import get_args

import pytest

from reproducegym.adapters.llm.strict_schema import strict_schema
from reproducegym.extraction.llm import replies
from reproducegym.extraction.llm.prompts import prompt_digests, question
from reproducegym.pipeline.templates import front_matter
from reproducegym.schema.base import Frozen
from reproducegym.schema.usage import Step

STEPS = get_args(Step)
REPLIES = {"extract": "Found", "merge": "Merged", "refine": "Refined", "read_panel": "PanelReading"}
SLOTS = {"data": "<paper-data 0>\n</paper-data 0>", "most": 3, "anchors": ["p1.1"]}


@pytest.mark.parametrize("step", STEPS)
def test_a_prompt_names_its_version_and_its_reply(step: str):
    matter = front_matter(f"llm/{step}.md")
    assert str(matter["version"]).isdigit()
    assert matter["reply"] == REPLIES[step]
    assert issubclass(getattr(replies, str(matter["reply"])), Frozen)


@pytest.mark.parametrize("step", STEPS)
def test_a_question_says_that_the_paper_is_data_and_gives_it_first(step):
    asked = question(step, SLOTS)
    assert (asked.prompt, asked.version) == (f"llm/{step}", str(front_matter(f"llm/{step}.md")["version"]))
    assert asked.user.startswith("<paper-data ")
    assert "data" in asked.system
    assert "instruction" in asked.system


@pytest.mark.parametrize("name", REPLIES.values())
def test_a_reply_has_a_strict_schema_and_holds_no_number_of_its_own(name: str):
    text = str(strict_schema(getattr(replies, name)))
    assert "'number'" not in text
    assert "'integer'" not in text
    assert "'default'" not in text


def test_every_prompt_is_part_of_what_built_a_task():
    assert sorted(prompt_digests()) == sorted(f"llm/{step}.md" for step in STEPS)


@pytest.mark.parametrize("name", ["found", "merged", "refined"])
def test_words_of_the_replies_are_explained_in_their_prompt(name: str):
    step = {"found": "extract", "merged": "merge", "refined": "refine"}[name]
    text = question(step, SLOTS).user
    model = getattr(replies, name.capitalize())
    inner = {"extract": replies.FoundClaim, "merge": replies.Duplicates, "refine": model}[step]
    assert [field for field in inner.model_fields if f"`{field}`" not in text and field != "claim_type"] == []
