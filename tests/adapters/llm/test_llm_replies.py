"""Stories of one question: a validated reply, the error that is shown once, refusals, images, and what it cost."""

import dataclasses
import json
from decimal import Decimal

import pytest
from model_server import Answer, Refusal, cut
from scripted_llm import GOOD, PNG, QUESTION, Word, price, rig

from reproducegym.adapters.llm.client import Progress
from reproducegym.ports import Unanswered


def test_a_reply_comes_back_as_its_model_and_the_request_is_one_that_the_api_takes(model_server, tmp_path):
    model_server.script = lambda asked: Answer(GOOD)
    made = rig(model_server, tmp_path)
    assert made.llm.ask(QUESTION, Word) == Word(word="one", count=2)
    (asked,) = model_server.requests
    assert (asked.model, asked.system, asked.user, asked.schema_name) == (
        "small-model",
        "Count words.",
        "one one two",
        "Word",
    )
    assert asked.schema["required"] == ["word", "count"]
    assert asked.body["stream"] is True
    assert asked.body["max_completion_tokens"] == 1000
    assert asked.body["temperature"] == 0.0
    assert model_server.refused == []
    assert made.told == []


def test_each_step_has_its_own_model(model_server, tmp_path):
    model_server.script = lambda asked: Answer(GOOD)
    made = rig(model_server, tmp_path, steps={"read_panel": "large-model"})
    made.llm.ask(QUESTION, Word)
    made.llm.ask(dataclasses.replace(QUESTION, step="read_panel"), Word)
    assert [asked.model for asked in model_server.requests] == ["small-model", "large-model"]
    assert made.llm.name == "small-model, read_panel: large-model"


@pytest.mark.parametrize(
    ("bad", "fault"),
    [
        ({"word": "one", "count": "two"}, "- count: Input should be a valid integer"),
        ({"word": "one"}, "- count: Field required"),
        ({"word": "one", "count": 2, "why": "so"}, "- why: Extra inputs are not permitted"),
        ('{"word": "one", ', "Invalid JSON"),
        ("I think that it is one, twice.", "Invalid JSON"),
        ("", "Invalid JSON"),
        ([GOOD], "- Input should be an object"),
    ],
)
def test_a_reply_that_does_not_fit_is_shown_its_error_once_and_may_mend_itself(model_server, tmp_path, bad, fault):
    model_server.script = lambda asked: Answer(bad if asked.number == 1 else GOOD)
    made = rig(model_server, tmp_path)
    assert made.llm.ask(QUESTION, Word) == Word(word="one", count=2)
    first, second = model_server.requests
    assert second.messages[:2] == first.messages
    assert [one.role for one in second.messages[2:]] == ["assistant", "user"]
    assert fault in second.last
    assert '"required": ["word", "count"]' in second.last
    usage = made.kept[-1].steps["extract"]
    assert (usage.calls, usage.prompt_tokens, usage.completion_tokens) == (2, 2000, 200)


def test_a_second_reply_that_does_not_fit_is_no_answer(model_server, tmp_path):
    model_server.script = lambda asked: Answer({"word": "one", "count": asked.number + 0.5})
    made = rig(model_server, tmp_path)
    answer = made.llm.ask(QUESTION, Word)
    assert isinstance(answer, Unanswered)
    assert answer.reason == "no_fit"
    assert "count: Input should be a valid integer" in answer.detail
    assert len(model_server.requests) == 2
    assert made.kept[-1].steps["extract"].unanswered == 1
    assert made.files() == []


def test_a_fence_around_the_object_is_taken_off(model_server, tmp_path):
    model_server.script = lambda asked: Answer(f"```json\n{json.dumps(GOOD)}\n```")
    assert rig(model_server, tmp_path).llm.ask(QUESTION, Word) == Word(word="one", count=2)
    assert len(model_server.requests) == 1


@pytest.mark.parametrize(
    ("reply", "reason", "words"),
    [
        (Refusal("I will not count."), "refused", "small-model declined: I will not count."),
        (Answer('{"wo', finish="content_filter"), "refused", "took the reply back"),
        (cut('{"word": "on'), "cut_short", "cut at 1000 tokens (llm.max_reply_tokens)"),
    ],
)
def test_a_refusal_and_a_cut_reply_are_values_and_are_not_asked_again(model_server, tmp_path, reply, reason, words):
    model_server.script = lambda asked: reply
    answer = rig(model_server, tmp_path).llm.ask(QUESTION, Word)
    assert isinstance(answer, Unanswered)
    assert answer.reason == reason
    assert words in answer.detail
    assert len(model_server.requests) == 1


def test_images_go_along_as_data_urls(model_server, tmp_path):
    model_server.script = lambda asked: Answer(GOOD)
    rig(model_server, tmp_path).llm.ask(dataclasses.replace(QUESTION, images=(PNG, PNG + b"2")), Word)
    assert model_server.requests[0].images == (PNG, PNG + b"2")
    assert model_server.refused == []


def test_words_of_every_script_survive(model_server, tmp_path):
    word = "β-VAE “naïve” 数 🙂"
    model_server.script = lambda asked: Answer({"word": asked.user, "count": 1}, pieces=50)
    assert rig(model_server, tmp_path).llm.ask(dataclasses.replace(QUESTION, user=word), Word).word == word


def test_progress_tells_bytes_while_they_arrive(model_server, tmp_path):
    model_server.script = lambda asked: Answer(GOOD, pieces=6)
    made = rig(model_server, tmp_path)
    made.llm.ask(QUESTION, Word)
    received = [one.received for one in made.progress]
    assert received == sorted(received)
    assert len(set(received)) > 2
    assert made.progress[0] == Progress(put=1, done=0, received=0)
    assert (made.progress[-1].put, made.progress[-1].done) == (1, 1)


def test_progress_knows_all_questions_from_the_beginning(model_server, tmp_path):
    model_server.script = lambda asked: Answer(GOOD)
    made = rig(model_server, tmp_path, concurrency=2)
    made.llm.ask_all([dataclasses.replace(QUESTION, user=str(n)) for n in range(5)], Word)
    assert {one.put for one in made.progress} == {5}
    assert made.progress[-1].done == 5


def test_usage_has_tokens_seconds_and_dollars_by_step(model_server, tmp_path):
    model_server.script = lambda asked: Answer(GOOD, usage=(3000, 500))
    made = rig(model_server, tmp_path, prices={"small-model": price("0.25", "2.00")})
    made.llm.ask(QUESTION, Word)
    made.llm.ask(dataclasses.replace(QUESTION, step="merge"), Word)
    summary = made.kept[-1]
    assert summary.steps["extract"].dollars == Decimal("0.00175")
    assert summary.dollars == Decimal("0.0035")
    assert (summary.calls, summary.prompt_tokens, summary.completion_tokens) == (2, 6000, 1000)
    assert summary.steps["merge"].seconds > 0
    assert summary.host == model_server.base_url.split("/")[2]


def test_without_a_price_dollars_are_not_known(model_server, tmp_path):
    model_server.script = lambda asked: Answer(GOOD)
    made = rig(model_server, tmp_path)
    made.llm.ask(QUESTION, Word)
    assert made.kept[-1].dollars is None
    assert made.kept[-1].steps["extract"].dollars is None


def test_an_endpoint_that_does_not_count_is_counted_from_above(model_server, tmp_path):
    model_server.script = lambda asked: Answer(GOOD, usage=None)
    made = rig(model_server, tmp_path)
    made.llm.ask(QUESTION, Word)
    usage = made.kept[-1].steps["extract"]
    assert usage.estimated == 1
    assert usage.prompt_tokens > len(QUESTION.system + QUESTION.user)
    assert usage.completion_tokens == len(json.dumps(GOOD))
