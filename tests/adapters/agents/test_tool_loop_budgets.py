"""What ends the work of tool-loop beside its own will, and what is said of it then."""

import threading
import time
from collections.abc import Callable, Iterator
from decimal import Decimal
from pathlib import Path

import pytest
from speaking_upstream import KEY, Asked, Raw, Said, Upstream
from speaking_upstream.solver import call as tool
from speaking_upstream.solver import in_turn

from agent_trace.reading import read_trace
from reproducegym.adapters.agents.metered import Models
from reproducegym.adapters.agents.tool_loop.agent import ToolLoopAgent
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
