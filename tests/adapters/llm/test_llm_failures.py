"""Stories of endpoints that fail: what passes is repeated within bounds, what does not ends in one clear line."""

import dataclasses
import socket
import time
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from model_server import Answer, Broken, Bytes, Hang, Stall, Status, rate_limited
from scripted_llm import GOOD, QUESTION, Word, rig

from reproducegym.adapters.llm.failures import asked_wait
from reproducegym.errors import ModelUnavailableError
from reproducegym.ports import Unanswered

WORD = Word(word="one", count=2)


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        (Status(500), "answered 500: The server had an error while processing your request."),
        (Status(503, body=b"<html>no upstream</html>"), "answered 503"),
        (Status(529, "overloaded"), "answered 529: overloaded"),
        (Broken(), "broke off"),
        (Bytes(b"data: {nonsense\n\n"), "sends an event that is none of the API"),
        (Bytes(b'data: {"choices": [{"delta": {"content": 7}}]}\n\n'), "sends an event that is none of the API"),
        (Bytes(b"data: \xff\xfe\n\n"), "sends an event that is none of the API"),
        (Bytes(b"data: null\n\n"), "sends an event that is none of the API"),
        (Bytes(b'data: ["a"]\n\n'), "sends an event that is none of the API"),
        (Bytes(b"data: [DONE]\n\n"), "broke off before the end of the reply"),
        (Bytes(b'data: {"error": {"message": "worker died"}}\n\n'), "failed (worker died)"),
        (Bytes(b"{}", "application/json"), "answers with application/json where a stream was asked for"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_may_pass_is_repeated_and_told(model_server, tmp_path, reply, words):
    model_server.script = lambda asked: reply if asked.number < 3 else Answer(GOOD)
    made = rig(model_server, tmp_path)
    assert made.llm.ask(QUESTION, Word) == WORD
    assert len(model_server.requests) == 3
    assert len(made.told) == 2
    assert words in made.told[0]
    assert made.waited == [0.01, 0.02]
    assert made.kept[-1].steps["extract"].failed == 2


def test_what_does_not_pass_ends_after_so_many_attempts(model_server, tmp_path):
    model_server.script = lambda asked: Status(500)
    made = rig(model_server, tmp_path, attempts=3)
    with pytest.raises(ModelUnavailableError, match=r"answered 500.*, 3 times; try again later"):
        made.llm.ask(QUESTION, Word)
    assert len(model_server.requests) == 3


def test_a_wait_that_the_endpoint_asks_for_is_kept_by_all_calls(model_server, tmp_path):
    model_server.script = lambda asked: rate_limited("7") if asked.number == 1 else Answer(GOOD)
    made = rig(model_server, tmp_path)
    assert made.llm.ask(QUESTION, Word) == WORD
    assert made.waited == [7.0]
    assert "answered 429: Rate limit reached; trying again in 7.0 s" in made.lines


def test_a_real_wait_is_slept(model_server, tmp_path):
    model_server.script = lambda asked: rate_limited("0.3") if asked.number == 1 else Answer(GOOD)
    made = rig(model_server, tmp_path, really_wait=True)
    began = time.monotonic()
    assert made.llm.ask(QUESTION, Word) == WORD
    assert 0.3 <= time.monotonic() - began < 3.0


def test_a_longer_wait_than_the_configured_one_ends_at_once(model_server, tmp_path):
    model_server.script = lambda asked: rate_limited("3600")
    made = rig(model_server, tmp_path)
    with pytest.raises(ModelUnavailableError, match=r"it asks to wait 3600 s, and llm\.longest_wait_s is 120"):
        made.llm.ask(QUESTION, Word)
    assert len(model_server.requests) == 1
    assert made.waited == []


def test_a_rate_limit_that_names_no_time_waits_longer_each_time_up_to_a_bound(model_server, tmp_path):
    model_server.script = lambda asked: rate_limited(None) if asked.number < 5 else Answer(GOOD)
    made = rig(model_server, tmp_path, first_wait_s=10.0, longest_wait_s=30.0)
    assert made.llm.ask(QUESTION, Word) == WORD
    assert made.waited == [10.0, 20.0, 30.0, 30.0]


def test_the_asked_wait_is_read_as_seconds_milliseconds_or_a_date():
    now = datetime.now(UTC)
    assert asked_wait({"retry-after": "12"}) == 12.0
    assert asked_wait({"retry-after-ms": "250", "retry-after": "1"}) == 0.25
    dates = {"retry-after": format_datetime(now + timedelta(seconds=90), usegmt=True), "date": format_datetime(now)}
    assert asked_wait(dates) == pytest.approx(90, abs=2)
    assert asked_wait({"retry-after": "-5"}) == 0.0
    assert asked_wait({"retry-after": "soon"}) is None
    assert asked_wait({"retry-after": "nan"}) is None
    assert asked_wait({"retry-after": "Mon, 01 Jan 99999999999999999999 00:00:00 GMT"}) is None
    assert asked_wait({}) is None


@pytest.mark.parametrize("reply", [Stall(), Hang()])
def test_a_call_that_stalls_is_ended_and_repeated(model_server, tmp_path, reply):
    model_server.script = lambda asked: reply if asked.number == 1 else Answer(GOOD)
    made = rig(model_server, tmp_path, stall_s=0.3)
    began = time.monotonic()
    assert made.llm.ask(QUESTION, Word) == WORD
    assert time.monotonic() - began < 5.0
    assert "stalled" in made.lines or "did not answer in time" in made.lines


def test_a_stream_that_only_sends_comments_ends_at_the_time_of_one_call(model_server, tmp_path):
    model_server.script = lambda asked: Stall(comments=True) if asked.number == 1 else Answer(GOOD)
    made = rig(model_server, tmp_path, call_s=0.5)
    began = time.monotonic()
    assert made.llm.ask(QUESTION, Word) == WORD
    assert time.monotonic() - began < 5.0
    assert "stalled" in made.lines


def test_a_reply_that_does_not_stop_growing_is_ended(model_server, tmp_path):
    event = b'data: {"choices": [{"delta": {"content": "' + b"x" * 65536 + b'"}}]}\n\n'
    model_server.script = lambda asked: Bytes(event * 64) if asked.number == 1 else Answer(GOOD)
    made = rig(model_server, tmp_path, max_reply_tokens=16)
    assert made.llm.ask(QUESTION, Word) == WORD
    assert "broke off" in made.lines


def test_a_port_where_nobody_listens(tmp_path):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    made = rig(f"http://127.0.0.1:{port}/v1", tmp_path, attempts=2)
    with pytest.raises(ModelUnavailableError, match=rf"127\.0\.0\.1:{port} cannot be reached .*refused.*2 times"):
        made.llm.ask(QUESTION, Word)


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        (Status(401), "refuses the key (status 401); check OPENAI_API_KEY in .env"),
        (Status(403), "refuses the key (status 403)"),
        (Status(404, "no such model"), "knows no model 'small-model', or OPENAI_BASE_URL has a wrong path"),
        (Status(429, "You exceeded your quota", error_code="insufficient_quota"), "no quota is left"),
        (Status(400, "Invalid value: 'messages'", param="messages"), "does not take the request for small-model"),
        (Status(418), "does not take the request for small-model (status 418)"),
        (Status(307, headers={"Location": "http://127.0.0.1:9/v1"}), "redirects to another address (status 307)"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_will_not_pass_is_not_repeated(model_server, tmp_path, reply, words):
    model_server.script = lambda asked: reply
    made = rig(model_server, tmp_path)
    with pytest.raises(ModelUnavailableError) as caught:
        made.llm.ask(QUESTION, Word)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)
    assert len(model_server.requests) == 1


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (
            Status(400, "This model's maximum context length is 4096 tokens.", error_code="context_length_exceeded"),
            "too_long",
        ),
        (Status(400, "'max_completion_tokens' is too large: maximum context length is 4096"), "too_long"),
        (Status(413, "Payload Too Large"), "too_long"),
        (Status(400, "flagged by our content management policy", error_code="content_filter"), "refused"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_question_that_cannot_be_put_is_a_value(model_server, tmp_path, reply, reason):
    model_server.script = lambda asked: reply
    made = rig(model_server, tmp_path)
    answer = made.llm.ask(QUESTION, Word)
    assert isinstance(answer, Unanswered)
    assert answer.reason == reason
    assert len(model_server.requests) == 1


def test_the_first_call_that_fails_for_good_ends_them_all(model_server, tmp_path):
    questions = [dataclasses.replace(QUESTION, user=f"question {n}") for n in range(40)]
    model_server.script = lambda asked: Status(404) if asked.user == "question 5" else Answer(GOOD)
    made = rig(model_server, tmp_path, concurrency=4)
    with pytest.raises(ModelUnavailableError, match="knows no model"):
        made.llm.ask_all(questions, Word)
    assert len(model_server.requests) < 20
    assert len(made.files()) == len(model_server.requests) - 1


def test_after_calls_that_failed_for_good_later_ones_may_wait_again(model_server, tmp_path):
    model_server.script = lambda asked: Status(404) if asked.number == 1 else rate_limited("0.05")
    made = rig(model_server, tmp_path, really_wait=True, attempts=2)
    with pytest.raises(ModelUnavailableError, match="knows no model"):
        made.llm.ask_all([QUESTION], Word)
    with pytest.raises(ModelUnavailableError, match="answered 429"):
        made.llm.ask(QUESTION, Word)
    assert model_server.hits == 3


def test_no_proxy_stands_between_us_and_this_machine(model_server, tmp_path, monkeypatch):
    model_server.script = lambda asked: Answer(GOOD)
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
    assert rig(model_server, tmp_path).llm.ask(QUESTION, Word) == WORD
