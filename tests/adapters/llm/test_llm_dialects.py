"""Stories of endpoints that know less of the API: what they refuse is found out once and told in a line."""

import dataclasses
import json

import pytest
from model_server import Answer, Status
from scripted_llm import GOOD, QUESTION, Word, rig

from reproducegym.errors import ModelUnavailableError

WORD = Word(word="one", count=2)


def test_an_endpoint_without_schemas_gets_the_schema_in_the_prompt(model_server, tmp_path):
    model_server.script = lambda asked: Answer(GOOD)
    model_server.unknown = {"json_schema"}
    made = rig(model_server, tmp_path)
    assert made.llm.ask(QUESTION, Word) == WORD
    assert made.llm.ask(dataclasses.replace(QUESTION, user="two"), Word) == WORD
    first, second = model_server.requests
    assert first.body["response_format"] == {"type": "json_object"}
    assert first.system.startswith("Count words.\n\nReply with one JSON object")
    assert '"required": ["word", "count"]' in first.system
    assert second.body["response_format"] == {"type": "json_object"}
    assert model_server.hits == 3
    host = model_server.base_url.split("/")[2]
    assert made.told == [
        f"small-model at {host} does not take json_schema replies; the schema goes into the prompt, and replies are "
        "JSON by request"
    ]


def test_an_endpoint_that_knows_nothing_new_is_asked_in_plain_words(model_server, tmp_path):
    model_server.script = lambda asked: Answer(f"```json\n{json.dumps(GOOD)}\n```", usage=None)
    model_server.unknown = {
        "json_schema",
        "json_object",
        "response_format",
        "max_completion_tokens",
        "temperature",
        "stream_options",
    }
    made = rig(model_server, tmp_path)
    assert made.llm.ask(QUESTION, Word) == WORD
    (asked,) = model_server.requests
    assert set(asked.body) == {"model", "messages", "stream", "max_tokens"}
    assert len(made.told) == 5
    assert made.kept[-1].steps["extract"].estimated == 1


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"object": "error", "message": "guided json_schema is not supported by this backend"}, "json_schema"),
        ({"error": {"message": "Unrecognized request argument supplied: max_completion_tokens"}}, "max_tokens is sent"),
        (
            {
                "error": {
                    "message": "Unsupported value: 'temperature' does not support 0.0 with this model.",
                    "param": "temperature",
                    "code": "unsupported_value",
                }
            },
            "does not take this temperature",
        ),
        ({"detail": "stream_options: extra fields not permitted"}, "does not count tokens"),
    ],
    ids=["json_schema", "max_completion_tokens", "temperature", "stream_options"],
)
def test_refusals_are_understood_in_the_words_of_other_endpoints(model_server, tmp_path, body, words):
    refusal = Status(400, body=json.dumps(body).encode())
    model_server.script = lambda asked: refusal if asked.number == 1 else Answer(GOOD)
    made = rig(model_server, tmp_path)
    assert made.llm.ask(QUESTION, Word) == WORD
    assert words in made.lines
    assert model_server.hits == 2


def test_many_calls_find_it_out_together_and_it_is_told_once(model_server, tmp_path):
    model_server.script = lambda asked: Answer(GOOD)
    model_server.unknown = {"json_schema", "temperature"}
    made = rig(model_server, tmp_path, concurrency=6)
    questions = [dataclasses.replace(QUESTION, user=f"question {n}") for n in range(6)]
    assert made.llm.ask_all(questions, Word) == (WORD,) * 6
    assert len(made.told) == 2


def test_each_model_has_its_own_dialect(model_server, tmp_path):
    def script(asked):
        refuses = asked.model == "large-model" and "temperature" in asked.body
        return Status(400, "no temperature", param="temperature") if refuses else Answer(GOOD)

    model_server.script = script
    made = rig(model_server, tmp_path, steps={"refine": "large-model"})
    for step in ("refine", "extract", "refine"):
        made.llm.ask(dataclasses.replace(QUESTION, step=step, user=f"{len(model_server.requests)}"), Word)
    sent = [("temperature" in asked.body, asked.model) for asked in model_server.requests]
    assert sent == [(True, "large-model"), (False, "large-model"), (True, "small-model"), (False, "large-model")]


def test_an_endpoint_that_refuses_everything_is_given_up(model_server, tmp_path):
    model_server.script = lambda asked: Status(400, "response_format, max_completion_tokens, temperature: all wrong")
    made = rig(model_server, tmp_path)
    with pytest.raises(ModelUnavailableError, match="does not take the request"):
        made.llm.ask(QUESTION, Word)
    assert model_server.hits <= 8
