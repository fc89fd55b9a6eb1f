"""When something breaks: the client sees what it would have seen, and the record says what there was."""

import http.client
import json
import threading
from pathlib import Path

import httpx2
import openai
import pytest
from gateway_stage import Stage, settings_for
from plain_client import ask, question
from speaking_upstream import KEY, Raw, Said
from speaking_upstream.said import event, events

from agent_trace.gateway import Loopback, Settings, recording, serving
from agent_trace.gateway import Upstream as Endpoint
from agent_trace.reading import read_body

CUT = {
    "/v1/chat/completions": lambda body: body["choices"][0]["message"]["content"],
    "/v1/responses": lambda body: body["output"][0]["content"][0]["text"],
    "/v1/messages": lambda body: body["content"][0]["text"],
}


@pytest.mark.parametrize("path", CUT)
def test_a_response_that_breaks_off_breaks_off_for_the_client_and_its_part_is_recorded(stage: Stage, path: str):
    stage.upstream.script = lambda asked: Said("one two three four five six seven", pieces=20, cut_after=9)
    got = ask(stage, {**question(), "input": "hello"}, path)
    assert not got.whole
    assert got.body == stage.upstream.sent[1]
    record = stage.record()
    assert (record.end, record.status, record.malformed_events) == ("upstream_cut", 200, 0)
    assert "one two three four five six seven".startswith(CUT[path](record.response.value))
    assert CUT[path](record.response.value)


def test_a_client_that_leaves_in_the_middle_loses_nothing_of_the_record(stage: Stage):
    stage.upstream.script = lambda asked: Said("word " * 20, pieces=20, gap_s=0.02)
    connection = http.client.HTTPConnection(stage.address.removeprefix("http://"))
    headers = {"Authorization": f"Bearer {stage.run.token}"}
    connection.request("POST", "/v1/chat/completions", json.dumps(question()), headers)
    connection.getresponse().read(300)
    connection.close()
    record = stage.record()
    assert (record.end, record.status) == ("client_gone", 200)
    assert record.response.value["choices"][0]["message"]["content"] == "word " * 20
    assert record.usage.completion == 10


def test_a_client_that_leaves_an_upstream_that_says_nothing_is_noticed(upstream, tmp_path):
    limits = type(settings_for(upstream).limits)(drain_s=0.2)
    upstream.script = lambda asked: Raw([b": wait\n\n"], stall_s=30)
    with serving(settings_for(upstream, limits=limits)) as gateway:
        stage = Stage(upstream, gateway, gateway.listen(Loopback()), gateway.admit("r", tmp_path), tmp_path)
        client = stage.openai().with_options(timeout=0.3)
        with pytest.raises(openai.APITimeoutError):
            list(client.chat.completions.create(**question()))
        record = stage.record()
    assert (record.end, record.status, record.response, record.timing.first_token_s) == ("client_gone", 200, None, None)


def test_an_sdk_that_leaves_with_the_last_event_had_all_of_it(stage: Stage):
    pieces = [*events("chat", Said("whole"), "a-model", 1)]
    stage.upstream.script = lambda asked: Raw(pieces, stall_s=0.5)
    with stage.openai().chat.completions.stream(**question_without_stream()) as told:
        told.until_done()
    assert (stage.record().end, stage.record().succeeded) == ("complete", True)


def question_without_stream() -> dict[str, object]:
    return {key: value for key, value in question().items() if key != "stream"}


def test_a_dead_upstream_is_an_error_that_the_sdk_understands_and_a_record(tmp_path: Path, upstream):
    dead = Endpoint("http://127.0.0.1:9/v1", KEY)
    with serving(Settings({"openai": dead, "anthropic": dead})) as gateway:
        stage = Stage(upstream, gateway, gateway.listen(Loopback()), gateway.admit("r", tmp_path), tmp_path)
        with pytest.raises(openai.InternalServerError) as refused:
            stage.openai().chat.completions.create(**question(stream=False))
        record = stage.record()
    assert refused.value.status_code == 502
    assert refused.value.body["type"] == "api_error"
    assert (record.end, record.status, record.response) == ("upstream_unreachable", 502, None)


def test_a_rate_limit_passes_and_the_attempts_are_told_apart(stage: Stage):
    told = json.dumps({"error": {"message": "slow down", "type": "requests", "code": "rate_limit_exceeded"}}).encode()
    limited = Raw([told], 429, "application/json", {"Retry-After": "0.01", "x-request-id": "r"})
    stage.upstream.script = lambda asked: limited if asked.number < 3 else Said("at last")
    got = stage.openai(retries=2).chat.completions.create(**question(stream=False))
    assert got.choices[0].message.content == "at last"
    records = stage.trace().records
    assert [(one.status, one.retries, one.retry_after) for one in records] == [
        (429, 0, "0.01"),
        (429, 1, "0.01"),
        (200, 2, None),
    ]
    assert records[0].response.value["error"]["code"] == "rate_limit_exceeded"
    stage.upstream.script = lambda asked: limited
    assert [ask(stage, question("again")).status for _ in range(2)] == [429, 429]
    assert [one.retries for one in stage.trace().records[3:]] == [0, 1]


def test_malformed_events_pass_and_are_counted(stage: Stage):
    good = event(
        {
            "id": "c",
            "model": "a-model",
            "choices": [{"index": 0, "delta": {"content": "fine"}, "finish_reason": "stop"}],
        }
    )
    odd = [
        b"data: {broken\n\n",
        b"\xff\xfe nonsense\n",
        b"data: [1]\r\n\r\n",
        b"event: ping\n\n",
        good,
        b"data: [DONE]",
    ]
    stage.upstream.script = lambda asked: Raw(odd)
    assert ask(stage, question()).body == b"".join(odd)
    record = stage.record()
    assert (record.end, record.malformed_events) == ("complete", 2)
    assert record.response.value["choices"][0]["message"]["content"] == "fine"


@pytest.mark.parametrize("kind", ["text/event-stream", "application/json"])
def test_bytes_that_are_not_what_they_say_pass_all_the_same(stage: Stage, kind: str):
    stage.upstream.script = lambda asked: Raw([b"no gzip at all"], 200, kind, {"Content-Encoding": "gzip"})
    assert ask(stage, question()).body == b"no gzip at all"
    assert stage.record().response.undecoded == "gzip"


def test_a_request_that_is_no_json_or_nested_without_end_is_recorded_as_text(stage: Stage):
    stage.upstream.script = lambda asked: Raw([b"{}"], 400, "application/json")
    ask(stage, b"not json")
    ask(stage, b'{"a":' * 400 + b"1" + b"}" * 400)
    bodies = [one.request.kind for one in stage.trace().records]
    assert bodies == ["text", "text"]


DEEP = "[" * 400 + "]" * 400
SPOKEN = {
    "half a character": '"\\ud800"',
    "deep": DEEP,
    "deeper": DEEP + ', "y": ' + "[" * 900 + "]" * 900,
    "a deep input": json.dumps(DEEP),
    "no number": "NaN",
}


@pytest.mark.parametrize("spoken", SPOKEN)
@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize("path", ["/v1/chat/completions", "/v1/messages"])
def test_odd_json_passes_and_is_recorded_and_counted(stage: Stage, path: str, stream: bool, spoken: str):
    odd = SPOKEN[spoken]
    reply = f'{{"content": [], "choices": [{{"message": {{"content": "a"}}, "delta": {{"x": {odd}}}}}], "x": {odd}}}'
    begun = '{"type": "content_block_start", "index": 0, "content_block": {"type": "tool_use", "id": "1", "name": "t"}}'
    part = (
        f'{{"type": "content_block_delta", "index": 0, "delta": {{"type": "input_json_delta", "partial_json": {odd}}}}}'
    )
    told = "".join(f"data: {one}\n\n" for one in (begun, part, reply, "[DONE]")) if stream else reply
    kind = "text/event-stream" if stream else "application/json"
    stage.upstream.script = lambda asked: Raw([told.encode()], 200, kind)
    answer = ask(stage, f'{{"model": "a-model", "x": {odd}}}'.encode(), path)
    assert (answer.body, answer.whole) == (told.encode(), True)
    assert stage.record().status == 200
    assert stage.run.spent.completions == 1


def test_a_large_body_goes_to_a_file_and_more_than_the_limit_is_refused(upstream, tmp_path: Path):
    limits = type(settings_for(upstream).limits)(inline_bytes=1 << 16, request_bytes=1 << 20)
    with serving(settings_for(upstream, limits=limits)) as gateway:
        stage = Stage(upstream, gateway, gateway.listen(Loopback()), gateway.admit("r", tmp_path), tmp_path)
        upstream.script = lambda asked: Said("y" * 200_000)
        asked = question("x" * 300_000 + stage.run.token, stream=False)
        assert ask(stage, asked).status == 200
        assert ask(stage, question("x" * (1 << 21))).status == 413
        first, second = stage.trace().records
    assert (second.end, second.status) == ("too_large", 413)
    assert [first.request.kind, first.response.kind] == ["file", "file"]
    body = read_body(first.request, tmp_path)
    assert body["messages"][0]["content"] == "x" * 300_000 + "[redacted:run-token]"
    assert read_body(first.response, tmp_path)["choices"][0]["message"]["content"] == "y" * 200_000
    told = {first.request.path, first.response.path, second.request.path}
    assert {f"bodies/{path.name}" for path in (tmp_path / "bodies").iterdir()} == told


def test_where_the_disk_refuses_the_answer_passes_and_the_loss_is_counted(upstream, tmp_path: Path):
    (tmp_path / "file").write_text("in the way")
    with serving(settings_for(upstream)) as gateway:
        run = gateway.admit("r", tmp_path / "file" / "trace")
        stage = Stage(upstream, gateway, gateway.listen(Loopback()), run, tmp_path)
        assert ask(stage, question()).whole
        assert ask(stage, question("x" * (2 << 20))).whole
    assert (run.counts["recorded"], run.counts["unrecorded"]) == (0, 2)


def test_sixty_four_streams_at_once_are_all_answered_and_all_recorded(stage: Stage):
    stage.upstream.script = lambda asked: Said(asked.body["messages"][0]["content"] * 10, pieces=10, gap_s=0.005)
    answers: dict[int, str] = {}
    client = openai.OpenAI(
        base_url=f"{stage.address}/v1",
        api_key=stage.run.token,
        http_client=httpx2.Client(limits=httpx2.Limits(max_connections=64)),
    )

    def one(number: int) -> None:
        chunks = client.chat.completions.create(**question(f"<{number}>"))
        answers[number] = "".join(c.choices[0].delta.content or "" for c in chunks if c.choices)

    threads = [threading.Thread(target=one, args=(number,)) for number in range(64)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert answers == {number: f"<{number}>" * 10 for number in range(64)}
    told = {r.response.value["choices"][0]["message"]["content"] for r in stage.trace().records}
    assert told == set(answers.values())
    assert sorted(r.sequence for r in stage.trace().records) == list(range(1, 65))


@pytest.mark.parametrize("status", [301, 307, 308])
def test_an_endpoint_that_sends_its_clients_elsewhere_is_not_followed_by_anybody(stage: Stage, status: int):
    stage.upstream.script = lambda asked: Raw([b""], status, "text/plain", {"Location": "http://127.0.0.1:9/stolen"})
    answer = ask(stage, question())
    assert (answer.status, "location" in answer.headers) == (502, False)
    assert stage.record().end == "upstream_unreachable"


@pytest.mark.parametrize("where", ["StreamReader", "usage_of"])
def test_a_defect_of_ours_costs_the_bodies_of_one_record_and_no_answer(stage: Stage, monkeypatch, where: str):
    def broken(*_: object) -> None:
        raise RecursionError("a defect")

    stage.upstream.script = lambda asked: Said("all of it", pieces=3)
    with monkeypatch.context() as harmed:
        if where == "usage_of":
            harmed.setattr(recording, where, broken)
        else:
            harmed.setattr(recording.StreamReader, "feed", broken)
        got = ask(stage, question())
        assert got.whole
        record = stage.record()
    assert (record.status, record.end, record.response_bytes) == (200, "complete", len(got.body))
    assert record.response.undecoded == record.request.undecoded == "not kept: RecursionError"
    assert stage.run.counts["recorded"] == stage.run.spent.completions == 1
    assert stage.run.spent.prompt > 0  # by its bytes: a budget still ends
    ask(stage, question())
    assert stage.trace().records[1].response.kind == "json"


ODD = [
    {"usage": {"prompt_tokens": -5, "completion_tokens": 10**30, "cost": 10**400}},
    {"usage": {"prompt_tokens": 1.5, "completion_tokens": True, "cost": -1}},
    {"usage": [1], "model": 7, "choices": [None]},
    {"model": "\ud800", "choices": [{"message": {"role": "assistant", "content": "\udfff"}}]},
]


@pytest.mark.parametrize("answer", ODD, ids=range(len(ODD)))
def test_odd_answers_are_recorded_whole(stage: Stage, answer: object):
    stage.upstream.script = lambda asked: Raw([json.dumps(answer).encode()], 200, "application/json")
    assert ask(stage, question(stream=False)).status == 200
    assert stage.record().response.kind == "json"
    assert stage.run.counts["unrecorded"] == 0
