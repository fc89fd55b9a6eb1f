"""What a run may ask of an endpoint: its own models, and tools that the client itself runs; the rest is never sent."""

import gzip
import json
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from gateway_stage import Stage, settings_for
from hypothesis import given
from hypothesis import strategies as st
from plain_client import ask, question
from speaking_upstream import Raw, Upstream

from agent_trace.gateway import Budget, Limits, Loopback, Policy, serving
from agent_trace.gateway.policy import refusal

POLICY = Policy(frozenset({"a-model"}))
HELLO = [{"role": "user", "content": "hello"}]
PICTURE = {"type": "image_url", "image_url": {"url": "https://elsewhere.example/?told=1"}}
DOCUMENT = {"type": "document", "source": {"type": "url", "url": "HTTPS://elsewhere.example/paper"}}


def why(body: object, policy: Policy = POLICY) -> str | None:
    return refusal(policy, json.dumps(body).encode(), "", 1 << 20)


def asked(**more: object) -> dict[str, object]:
    return {"model": "a-model", "messages": HELLO, **more}


@pytest.mark.parametrize(
    "body",
    [
        asked(),
        asked(tools=[{"type": "function", "function": {"name": "web_search"}}], background=False),
        asked(tools=[{"name": "WebFetch", "input_schema": {}}, {"type": "bash_20250124", "name": "bash"}]),
        {"model": "a-model", "input": "see https://elsewhere.example", "tools": [{"type": "local_shell"}]},
        asked(
            messages=[{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "data:image/png;x"}}]}]
        ),
        asked(messages=[{"role": "assistant", "content": [{"type": "tool_use", "input": PICTURE}]}]),
    ],
)
def test_what_an_agent_needs_passes(body: object):
    assert why(body) is None


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ({"messages": HELLO}, "the model of this run is a-model"),
        (asked(model="another"), "the model of this run is a-model"),
        (asked(model=["a-model"]), "the model of this run is a-model"),
        (asked(tools=[{"type": "web_search"}]), "tools of type web_search"),
        (asked(tools=[{"type": "web_search_20250305", "name": "web_search"}]), "tools of type web_search_20250305"),
        (asked(tools=[{"type": "mcp", "server_url": "https://elsewhere.example"}]), "tools of type mcp"),
        (asked(tools=[{"type": "code_interpreter"}]), "tools of type code_interpreter"),
        (asked(web_search_options={"a": 1}), "web_search_options"),
        (asked(mcp_servers=[{"url": "x"}]), "mcp_servers"),
        (asked(plugins=[{"id": "web"}]), "plugins"),
        (asked(background=True), "background"),
        (asked(prompt={"id": "p"}), "prompt"),
        (asked(messages=[{"role": "user", "content": [PICTURE]}]), "files by address"),
        (asked(system=[DOCUMENT]), "files by address"),
        ({"model": "a-model", "input": [{"content": [{"type": "input_file", "file_url": "//x"}]}]}, "files by address"),
        ({"model": "a-model", "input": [{"type": "input_image", "image_url": "http://x"}]}, "files by address"),
    ],
)
def test_what_an_endpoint_would_do_by_itself_is_refused_unless_it_is_opened(body: object, told: str):
    assert told in (why(body) or "")
    if "the model" not in told:
        assert why(body, Policy(POLICY.models, hosted=True)) is None


@pytest.mark.parametrize(
    "body",
    [
        *(b"", b"[]", b"\xff", b"[" * 300_000),
        *(b'{"model": "another", "model": "a-model"}', b'{"model": "a-model", "tools": [{"type": "mcp", "type": ""}]}'),
    ],
)
def test_what_cannot_be_read_one_way_alone_is_refused(body: bytes):
    assert "cannot be read" in (refusal(POLICY, body, "", 1 << 20) or "")


@given(st.binary(max_size=300) | st.recursive(st.none() | st.text(), st.lists).map(lambda v: json.dumps(v).encode()))
def test_no_body_breaks_the_policy(body: bytes):
    assert refusal(POLICY, body, "", 1 << 20)


def test_a_compressed_body_is_looked_into_and_a_bomb_is_none():
    hosted = json.dumps(asked(tools=[{"type": "mcp"}])).encode()
    assert "mcp" in (refusal(POLICY, gzip.compress(hosted), "gzip", 1 << 20) or "")
    assert "more than 1048576 bytes" in (refusal(POLICY, gzip.compress(b" " * (1 << 24)), "gzip", 1 << 20) or "")
    assert "cannot be read" in (refusal(POLICY, hosted, "zstd", 1 << 20) or "")


@pytest.fixture
def held(upstream: Upstream, tmp_path: Path) -> Iterator[Stage]:
    with serving(settings_for(upstream, limits=Limits(connections=4))) as gateway:
        run = gateway.admit("run-1", tmp_path, policy=POLICY)
        yield Stage(upstream, gateway, gateway.listen(Loopback()), run, tmp_path)


def test_a_refused_request_is_counted_and_neither_sent_nor_recorded(held: Stage, upstream: Upstream):
    refused = ask(held, {**question(), "model": "another"})
    assert refused.status == 403
    assert ask(held, question()).status == 200
    assert [one.body["model"] for one in upstream.asked] == ["a-model"]
    assert held.run.counts["refused"] == 1
    assert list(held.run.refused_routes) == ["POST /chat/completions: the model of this run is a-model"]
    assert held.run.counts["recorded"] == 1


def test_a_small_request_that_is_huge_when_decoded_fills_no_disk(upstream: Upstream, tmp_path: Path):
    with serving(settings_for(upstream, limits=Limits(request_bytes=1 << 20))) as gateway:
        stage = Stage(upstream, gateway, gateway.listen(Loopback()), gateway.admit("run-1", tmp_path), tmp_path)
        packed = gzip.compress(json.dumps(question("A" * (1 << 24))).encode())
        ask(stage, packed, headers={"Content-Encoding": "gzip"})
        assert stage.record().request.undecoded == "too large when decoded"
    assert sum(path.stat().st_size for path in tmp_path.rglob("*") if path.is_file()) < 1 << 16


def test_records_have_a_budget_that_requests_in_vain_use_up_too(upstream: Upstream, tmp_path: Path):
    upstream.script = lambda asked: Raw([b"{}"], 500, "application/json")
    with serving(settings_for(upstream)) as gateway:
        run = gateway.admit("run-1", tmp_path, budget=Budget(trace_bytes=100_000))
        stage = Stage(upstream, gateway, gateway.listen(Loopback()), run, tmp_path)
        told = [ask(stage, question("A" * 40_000)).status for _ in range(5)]
    assert told == [500, 500, 500, 403, 403]
    assert (run.over(), run.spent.completions) == ("trace_bytes", 0)


def test_connections_that_say_nothing_are_few(held: Stage):
    host, port = held.address.removeprefix("http://").split(":")
    silent = [socket.create_connection((host, int(port))) for _ in range(20)]
    for one in silent:
        one.settimeout(0.5)
    dropped = 0
    for one in silent:
        try:
            dropped += one.recv(1) == b""
        except ConnectionResetError:
            dropped += 1
        except TimeoutError:
            pass
        one.close()
    assert dropped == 16
    assert ask(held, question()).status == 200
