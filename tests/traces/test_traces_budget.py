"""What a run may spend: counted as completions are recorded, and refused in the form that SDKs read."""

import socket
from decimal import Decimal
from pathlib import Path

import anthropic
import openai
import pytest
from gateway_stage import Stage, settings_for
from plain_client import ask, question
from speaking_upstream import Raw, Said, Upstream

from agent_trace.gateway import Budget, Loopback, serving


def asked_until_refused(upstream: Upstream, directory: Path, budget: Budget, **settings: object) -> Stage:
    """Ask the same again and again, at most ten times."""
    with serving(settings_for(upstream, **settings)) as gateway:
        run = gateway.admit("run-1", directory, budget=budget)
        stage = Stage(upstream, gateway, gateway.listen(Loopback()), run, directory)
        for number in range(10):
            if ask(stage, question(stream=number % 2 == 0)).status == 403:
                break
        return stage


@pytest.mark.parametrize(
    ("budget", "over", "asked"),
    [
        (Budget(tokens=250), "tokens", 3),
        (Budget(dollars=Decimal("0.0005")), "dollars", 3),
        (Budget(tool_calls=4), "tool_calls", 2),
        (Budget(), None, 10),
    ],
)
def test_a_budget_refuses_the_next_completion(upstream: Upstream, tmp_path: Path, budget, over, asked: int):
    upstream.script = lambda asked: Said("x", (("a", "{}"), ("b", "{}")))
    stage = asked_until_refused(upstream, tmp_path, budget)
    assert (stage.run.over(), len(upstream.asked)) == (over, asked)
    assert stage.run.counts["over_budget"] == (0 if over is None else 1)
    spent = stage.run.spent
    assert (spent.completions, spent.prompt, spent.completion) == (asked, 100 * asked, 10 * asked)
    assert (spent.tool_calls, spent.dollars) == (2 * asked, asked * Decimal("0.00024"))


def test_a_cap_in_dollars_ends_with_the_first_unknown_price(upstream: Upstream, tmp_path: Path):
    stage = asked_until_refused(upstream, tmp_path, Budget(dollars=Decimal(5)), prices={})
    assert (stage.run.over(), stage.run.spent.dollars, len(upstream.asked)) == ("dollars", None, 1)


def test_tokens_that_nobody_counts_are_estimated(upstream: Upstream, tmp_path: Path):
    told = b'{"model": "a-model", "choices": [{"message": {"role": "assistant", "content": "' + b"x" * 4000 + b'"}}]}'
    upstream.script = lambda asked: Raw([told], 200, "application/json")
    stage = asked_until_refused(upstream, tmp_path, Budget(tokens=900))
    assert len(upstream.asked) == 1
    assert 1000 <= stage.run.spent.completion <= 1100


def test_failures_cost_nothing_and_say_whose_they_are(stage: Stage):
    stage.upstream.script = lambda asked: Raw([b"{}"], 503 if asked.number < 2 else 400, "application/json")
    ask(stage, question())
    assert (stage.run.spent.completions, stage.run.endpoint_failing, stage.run.last_status) == (0, True, 503)
    ask(stage, question())
    assert (stage.run.endpoint_failing, stage.run.last_status) == (False, 400)


def test_sdks_understand_the_refusal(upstream: Upstream, tmp_path: Path):
    with serving(settings_for(upstream)) as gateway:
        run = gateway.admit("run-1", tmp_path, budget=Budget(tokens=1))
        stage = Stage(upstream, gateway, gateway.listen(Loopback()), run, tmp_path)
        messages = [{"role": "user", "content": "hi"}]
        stage.openai().chat.completions.create(model="a-model", messages=messages)
        with pytest.raises(openai.PermissionDeniedError, match="the budget of this run is used up: tokens"):
            stage.openai(retries=2).chat.completions.create(model="a-model", messages=messages)
        with pytest.raises(anthropic.PermissionDeniedError, match="used up"):
            stage.anthropic().messages.create(model="a-model", max_tokens=9, messages=messages)
        assert len(upstream.asked) == 1
        assert stage.openai().models.list().data == []


def test_a_socket_that_listens_already_is_served_and_closed(upstream: Upstream, tmp_path: Path):
    listening = socket.socket(socket.AF_UNIX)
    listening.bind(str(tmp_path / "s"))
    listening.listen()
    with serving(settings_for(upstream)) as gateway:
        gateway.listen(listening)
        with socket.socket(socket.AF_UNIX) as client:
            client.connect(str(tmp_path / "s"))
            client.sendall(b"GET /v1/models HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            assert client.recv(100).startswith(b"HTTP/1.1 401")
    assert listening.fileno() == -1
