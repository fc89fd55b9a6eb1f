"""The real SDKs as clients: what they get is what they would get without us, and each completion has its record."""

import pytest
from gateway_stage import Stage
from speaking_upstream import Said

CALLS = (("bash", '{"command": "ls -la"}'), ("read", '{"path": "a.txt"}'))
SAID = Said("It is forty-two, naïvely ☃.", CALLS, thinking="Let me see.")
TOOL = {"name": "bash", "parameters": {"type": "object", "properties": {"command": {"type": "string"}}}}
PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="


def chat(stage: Stage, *, stream: bool):
    content = [
        {"type": "text", "text": "look"},
        {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PNG}"}},
    ]
    asked = {
        "model": "a-model",
        "messages": [{"role": "system", "content": "be brief"}, {"role": "user", "content": content}],
        "tools": [{"type": "function", "function": TOOL}],
    }
    client = stage.openai()
    if not stream:
        return client.chat.completions.create(**asked)
    with client.chat.completions.stream(**asked, stream_options={"include_usage": True}) as events:
        for _ in events:
            pass
        return events.get_final_completion()


def responses(stage: Stage, *, stream: bool):
    asked = {
        "model": "a-model",
        "instructions": "be brief",
        "input": "look",
        "tools": [{"type": "function", **TOOL, "strict": False}],
    }
    client = stage.openai()
    if not stream:
        return client.responses.create(**asked)
    with client.responses.stream(**asked) as events:
        for _ in events:
            pass
        return events.get_final_response()


def messages(stage: Stage, *, stream: bool):
    asked = {
        "model": "a-model",
        "max_tokens": 100,
        "system": "be brief",
        "messages": [{"role": "user", "content": "look"}],
        "tools": [{"name": "bash", "input_schema": TOOL["parameters"]}],
    }
    client = stage.anthropic()
    if not stream:
        return client.messages.create(**asked)
    with client.messages.stream(**asked) as events:
        for _ in events:
            pass
        return events.get_final_message()


APIS = {"openai.chat": chat, "openai.responses": responses, "anthropic.messages": messages}


@pytest.mark.parametrize("api", APIS)
def test_a_streamed_completion_is_recorded_as_the_one_that_is_not_streamed(api: str, stage: Stage):
    stage.upstream.script = lambda asked: SAID
    plain, streamed = (APIS[api](stage, stream=stream) for stream in (False, True))
    told = [dropped(one.to_dict()) for one in (plain, streamed)]
    assert told[0] == told[1]
    first, second = stage.trace().records
    assert (first.streamed, second.streamed) == (False, True)
    assert dropped(first.response.value) == dropped(second.response.value)
    assert (
        dropped(first.response.value).items()
        >= {k: v for k, v in dropped(plain.to_dict()).items() if v is not None}.items()
    )
    for record in (first, second):
        assert record.api == api
        assert (record.status, record.end, record.model) == (200, "complete", "a-model")
        assert (record.usage.prompt, record.usage.completion, record.usage.cached) == (100, 10, 40)
        assert float(record.cost_usd) == pytest.approx((60 * 2 + 40 * 0.5 + 10 * 10) / 1e6)
        assert record.upstream_request_id.startswith("req-")
    assert second.timing.first_byte_s <= second.timing.first_token_s <= second.timing.total_s
    assert [record.sequence for record in (first, second)] == [1, 2]


def dropped(value: object) -> object:
    """Without identifiers, which differ, and fields that only SDKs add."""
    ids = {"id", "item_id", "call_id", "parsed", "parsed_arguments", "index"}
    if isinstance(value, dict):
        return {k: dropped(v) for k, v in value.items() if k not in ids and v is not None}
    return [dropped(one) for one in value] if isinstance(value, list) else value
