"""What ends the work of tool-loop beside its own will, and what is said of it then."""

import json
import threading
import time
from collections.abc import Callable, Iterator
from decimal import Decimal
from pathlib import Path

import pytest
from speaking_upstream import KEY, Asked, Raw, Said, Upstream
from speaking_upstream.solver import call as tool
from speaking_upstream.solver import in_turn

from agent_trace.gateway import Loopback
from agent_trace.reading import read_trace
from reproducegym.adapters.agents.metered import Models, metered
from reproducegym.adapters.agents.tool_loop.agent import ToolLoopAgent
from reproducegym.adapters.agents.tool_loop.chat import chat_model
from reproducegym.adapters.agents.tool_loop.conversation import Completion
from reproducegym.adapters.agents.tool_loop.hands import INSIDE
from reproducegym.adapters.llm import Endpoint
from reproducegym.errors import InfrastructureError, ModelUnavailableError
from reproducegym.pipeline.config_file import load_config
from reproducegym.ports import AgentTask, SandboxBox, SandboxSpec
from reproducegym.sandbox.namespaces import NamespacesSandbox
from reproducegym.schema.config import Config, Price
from reproducegym.schema.run import AgentRecord

Work = Callable[..., AgentRecord]
PRICED = Price(prompt=Decimal(10), completion=Decimal(100))


def turned(prices: dict[str, Price], **knobs: object) -> Config:
    shipped = load_config(None)
    agent = shipped.agent.model_copy(update=knobs)
    llm = shipped.llm.model_copy(update={"prices": prices, "first_wait_s": 0.01, "attempts": 3})
    return shipped.model_copy(update={"agent": agent, "llm": llm})


@pytest.fixture
def box() -> Iterator[SandboxBox]:
    sandbox = NamespacesSandbox()
    if not sandbox.availability().works:
        pytest.skip(sandbox.availability().detail)
    spec = SandboxSpec("story", "any", {}, INSIDE, 192, 1.0, 40, 16, 8, door=ToolLoopAgent.door)
    with sandbox.create(spec) as made:
        yield made


@pytest.fixture
def work(upstream: Upstream, box: SandboxBox, tmp_path: Path) -> Work:
    """Let it work on nothing in particular."""

    def run(*, timeout_s: float = 60.0, prices: dict[str, Price] | None = None, **knobs: object) -> AgentRecord:
        endpoint = Endpoint(upstream.base_url, KEY, "the test")
        agent = ToolLoopAgent(Models({"openai": endpoint}, "a-model", turned(prices or {}, **knobs)))
        return agent.run(AgentTask("do it", timeout_s, 10_000, tmp_path), box)

    return run


@pytest.mark.parametrize(
    ("knobs", "stopped_by", "words", "asked"),
    [
        ({"max_tokens": 250}, "tokens", "250 tokens are used up", 3),
        ({"max_tool_calls": 2}, "tool_calls", "2 calls of tools are used up", 2),
        ({"max_dollars": Decimal("0.004")}, "dollars", "0.004 dollars are used up", 2),
        ({"timeout_s": 2.0}, "wall_clock", "2 s of wall clock are used up", 1),
    ],
)
def test_each_budget_ends_the_work_and_is_told(work: Work, upstream: Upstream, knobs, stopped_by, words, asked):
    nap = 30 if stopped_by == "wall_clock" else 0
    upstream.script = in_turn(Said("", (tool("bash", command=f"echo hi; sleep {nap}"),)))
    record = work(prices={"a-model": PRICED}, **knobs)
    assert (record.stopped_by, record.detail) == (stopped_by, words)
    assert record.outcome == ("timeout" if stopped_by == "wall_clock" else "budget")
    assert len(upstream.asked) == asked
    assert record.usage.completions == asked
    assert record.usage.dollars == asked * (100 * Decimal(10) + 10 * Decimal(100)) / 1_000_000


def test_calls_beyond_the_budget_are_answered_and_not_done(work: Work, upstream: Upstream, box: SandboxBox):
    upstream.script = in_turn(Said("", tuple(tool("bash", command=f"echo {n} >> done") for n in range(3))))
    assert work(max_tool_calls=2).stopped_by == "tool_calls"
    assert box.exec(["/bin/cat", "done"], timeout_s=9, output_bytes=99).output == b"0\n1\n"


def test_a_model_that_calls_nothing_is_asked_again_and_then_left(work: Work, upstream: Upstream):
    upstream.script = in_turn(Said("I have nothing to do."))
    record = work()
    assert (record.outcome, len(upstream.asked)) == ("finished", 3)
    assert "I have nothing to do." in record.detail


def test_a_long_conversation_is_summed_up_and_goes_on(work: Work, upstream: Upstream):
    def script(asked: Asked) -> Said:
        last = asked.body["messages"][-1]["content"]
        if not asked.body.get("tools"):
            return Said("I wrote a file.")
        if "I wrote a file." in last:
            return Said("", (tool("submit"),))
        return Said("", (tool("bash", command="echo long"),), usage=(900, 200, 0))

    upstream.script = script
    assert work(context_tokens=1000).outcome == "finished"
    assert [len(one.body["messages"]) for one in upstream.asked] == [2, 5, 3]
    assert "Sum up" in upstream.asked[1].body["messages"][-1]["content"]


def test_an_endpoint_that_fails_is_asked_again(work: Work, upstream: Upstream, tmp_path: Path):
    def script(asked: Asked) -> Said | Raw:
        return Raw([b"{}"], 503, "application/json") if asked.number < 3 else Said("", (tool("submit"),))

    upstream.script = script
    assert work().outcome == "finished"
    assert [record.status for record in read_trace(tmp_path).records] == [503, 503, 200]


def test_an_endpoint_that_fails_again_and_again_is_the_engines_fault(work: Work, upstream: Upstream):
    upstream.script = lambda asked: Raw([b"{}"], 500, "application/json")
    with pytest.raises(InfrastructureError, match="answered 500"):
        work()
    assert len(upstream.asked) == 3


DEEP = b"[" * 100_000 + b"]" * 100_000
ODD = {
    "a call that is none": b'{"choices": [{"message": {"content": "", "tool_calls": [null]}}]}',
    "a call without a name": b'{"choices": [{"message": {"tool_calls": [{"id": "1", "function": {}}]}}]}',
    "arguments of another kind": b'{"choices": [{"message": {"tool_calls": [{"id": "1", "function": '
    b'{"name": "bash", "arguments": {"command": "id"}}}]}}]}',
    "no choice": b'{"choices": []}',
    "an error with status 200": b'{"error": {"message": "overloaded"}}',
    "a choice without a message": b'{"choices": [{}]}',
    "text that is no text": b'{"choices": [{"message": {"content": [{"type": "text"}]}}]}',
    "half a character": b'{"choices": [{"message": {"content": "\\ud800"}}]}',
    "no number": b'{"choices": [{"message": {"content": "", "more": NaN}}]}',
    "a word": b'"choices"',
    "nothing": b"",
    "no JSON": b'\xff\xfe{"choices',
    "too deep": b'{"choices": ' + DEEP + b"}",
    "too deep within": b'{"choices": [{"message": {"content": "", "more": ' + DEEP + b"}}]}",
    "a page": b"<html>Log in to this network</html>",
}


@pytest.mark.parametrize("what", ODD)
def test_an_answer_that_is_no_reply_is_asked_for_again_and_is_then_the_engines_fault(
    upstream: Upstream, what: str, tmp_path: Path
):
    kind = "text/html" if what == "a page" else "application/json"
    upstream.script = lambda asked: Raw([ODD[what]], 200, kind)
    models = Models({"openai": Endpoint(upstream.base_url, KEY, "the test")}, "a-model", turned({"a-model": PRICED}))
    task = AgentTask("do it", 60.0, 10_000, tmp_path)
    with pytest.raises(InfrastructureError, match=r"sent a reply that cannot be read \(.+\), 3 times"):
        ask(models, task)
    assert len(upstream.asked) == 3
    assert (task.bill.model, task.bill.usage.completions) == ("a-model", 3)


def ask(models: Models, task: AgentTask) -> Completion:
    """One turn without a sandbox, as the agent takes it."""
    settings, endpoint = models.settings.llm, models.endpoints["openai"]
    with metered(models, task, "asker") as meter:
        address = meter.gateway.listen(Loopback())
        with chat_model(f"{address}/v1", meter.run.token, models.model, endpoint, settings) as model:
            return model.complete([{"role": "user", "content": "go on"}], [], within_s=60.0, go_on=lambda: None)


@pytest.mark.parametrize("usage", ["null", '{"prompt_tokens": null}', '{"total_tokens": "many"}', "[1]", "-1", "{}"])
def test_a_count_of_tokens_that_is_none_spoils_no_reply(work: Work, upstream: Upstream, usage: str):
    submit = '{"id": "1", "function": {"name": "submit", "arguments": "{}"}}'
    reply = f'{{"choices": [{{"message": {{"tool_calls": [{submit}]}}}}], "usage": {usage}}}'
    upstream.script = lambda asked: Raw([reply.encode()], 200, "application/json")
    record = work()
    assert (record.outcome, len(upstream.asked), record.usage.completions) == ("finished", 1, 1)


def test_what_is_sent_back_is_all_that_came_with_a_reply(work: Work, upstream: Upstream):
    def script(asked: Asked) -> Said | Raw:
        if asked.number > 1:
            return Said("", (tool("submit"),))
        call = {"id": "1", "type": "function", "index": 0, "function": {"name": "bash", "arguments": '{"command": ""}'}}
        message = {"role": "assistant", "content": None, "tool_calls": [call], "reasoning_content": "hm"}
        return Raw([json.dumps({"choices": [{"message": message}]}).encode()], 200, "application/json")

    upstream.script = script
    assert work().outcome == "finished"
    back = upstream.asked[1].body["messages"][-2]
    assert (back["role"], back["content"], back["reasoning_content"]) == ("assistant", "", "hm")
    assert back["tool_calls"][0]["function"] == {"name": "bash", "arguments": '{"command": ""}'}


def test_a_redirect_is_not_followed_past_the_gateway(upstream: Upstream, tmp_path: Path):
    elsewhere = {"Location": f"{upstream.base_url}/elsewhere/chat/completions"}
    upstream.script = lambda asked: Raw([b""], 307, "text/plain", elsewhere)
    models = Models({"openai": Endpoint(upstream.base_url, KEY, "the test")}, "a-model", turned({}))
    with pytest.raises((InfrastructureError, ModelUnavailableError)):
        ask(models, AgentTask("do it", 60.0, 10_000, tmp_path))
    assert {one.path for one in upstream.asked} == {"/v1/chat/completions"}


def test_a_key_that_is_refused_is_told_without_it(work: Work, upstream: Upstream):
    error = b'{"error": {"message": "no such key ' + KEY.encode() + b'"}}'
    upstream.script = lambda asked: Raw([error], 401, "application/json")
    with pytest.raises(ModelUnavailableError, match="refuses the key") as told:
        work()
    assert KEY not in str(told.value)


def test_a_reply_is_waited_for_no_longer_than_the_sandbox_lives(work: Work, upstream: Upstream, box: SandboxBox):
    def script(asked: Asked) -> Said | Raw:
        if asked.number > 1:
            return Said("", (tool("submit"),))
        threading.Timer(1.0, box.stop_processes).start()
        return Raw([b"{"], 200, "application/json", stall_s=40.0, broken=True)

    upstream.script = script
    began = time.monotonic()
    assert work().outcome == "finished"
    assert time.monotonic() - began < 30
    assert "All processes in the sandbox were killed" in upstream.asked[1].body["messages"][-1]["content"]
