"""The forms that others read: ATIF as its own models take it, training lines, and what it all took."""

import base64
import json
from decimal import Decimal
from pathlib import Path

import pytest
from agent_loops import chat_agent, messages_agent
from atif_rules import faults
from gateway_stage import Stage
from plain_client import ask, question
from speaking_upstream import Raw, Said
from speaking_upstream.said import event
from test_traces_merge import three_steps

from agent_trace.export import Outcome, atif, rl_lines, sft_lines, summarised
from agent_trace.export.atif import NothingCompletedError
from agent_trace.merge import merged
from agent_trace.reading import Trace

PNG = base64.b64encode(b"\x89PNG\r\n\x1a\n" + b"\0" * 20).decode()


def busy_run(stage: Stage) -> None:
    """A run with tools, pictures, a subagent, a compaction, a fork and a failure."""
    stage.upstream.script = three_steps
    history = chat_agent(stage, "solve it")
    task = "Look at the picture and say what it shows."
    picture = {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PNG}"}}
    far = {"type": "image_url", "image_url": {"url": "https://example.org/a.png"}}
    stage.upstream.script = lambda asked: Said("", (("task", json.dumps({"prompt": task})), ("odd", "not json")))
    asked = [*history, {"role": "user", "content": [{"type": "text", "text": "go on"}, picture, far]}]
    ask(stage, {"model": "a-model", "messages": asked})
    stage.upstream.script = lambda asked: Said("It shows the learning curve of two methods over six budgets.")
    system = {"role": "system", "content": "You look."}
    ask(stage, {"model": "b-model", "messages": [system, {"role": "user", "content": task}]})
    stage.upstream.script = lambda asked: Said("another way")
    ask(stage, {"model": "a-model", "messages": history[:2]})
    stage.upstream.script = lambda asked: Raw([b"{}"], 500, "application/json")
    ask(stage, question("x"))
    again = [
        history[0],
        {"role": "user", "content": "Known: It shows the learning curve of two methods over six budgets."},
    ]
    stage.upstream.script = lambda asked: Said("the end")
    ask(stage, {"model": "a-model", "messages": again})


def test_a_busy_run_is_an_atif_trajectory(stage: Stage, tmp_path: Path):
    busy_run(stage)
    trajectory = merged(stage.trace())
    assert [branch.kind for branch in trajectory.branches] == ["root", "subagent", "fork", "compaction"]
    document = atif(trajectory, "an-agent", "1.0", Outcome(0.9, "group-1", "task-1"))
    told = document.trajectory
    assert faults(told, set(document.files)) == []
    assert list(document.files.values()) == [base64.b64decode(PNG)]
    assert [step["source"] for step in told["steps"]] == [
        "system",
        "user",
        *["agent"] * 3,
        "user",
        "agent",
        "user",
        "agent",
    ]
    called = told["steps"][6]
    assert called["tool_calls"][1]["arguments"] == {"raw": "not json"}
    (sub, fork) = told["subagent_trajectories"]
    refs = called["observation"]["results"][0]["subagent_trajectory_ref"]
    assert refs == [{"trajectory_id": sub["trajectory_id"]}]
    assert [step.get("is_copied_context", False) for step in fork["steps"]] == [True, True, False]
    assert told["extra"] == {"reward": 0.9, "group": "group-1", "task": "task-1"}
    assert told["final_metrics"]["total_completion_tokens"] == 70
    assert "total_cost_usd" not in told["final_metrics"]
    assert told["steps"][2]["metrics"]["cost_usd"] == pytest.approx(0.00024)


def test_thinking_and_errors_of_tools_are_told(stage: Stage):
    stage.upstream.script = three_steps
    messages_agent(stage, "solve it")
    told = atif(merged(stage.trace()), "an-agent", "1.0").trajectory
    assert faults(told, set()) == []
    agent = [step for step in told["steps"] if step["source"] == "agent"]
    assert [step["reasoning_content"] for step in agent] == ["thought 1", "thought 2", "enough"]
    assert agent[0]["observation"]["results"][0]["content"].startswith("output of")


def test_a_training_line_is_neutral_to_templates(stage: Stage):
    stage.upstream.script = three_steps
    messages_agent(stage, "solve it")
    (line,) = sft_lines(merged(stage.trace()), Outcome(1.0, "g"))
    assert json.loads(json.dumps(line)) == line
    first = line["messages"][2]
    assert first["tool_calls"][0]["function"] == {"name": "bash", "arguments": {"command": "step 1", "b": 1}}
    assert line["messages"][3]["tool_call_id"] == first["tool_calls"][0]["id"]
    assert line["tools"][0]["function"]["name"] == "bash"
    assert line["loss_mask"] == [0, 0, 1, 0, 0, 1, 0, 0, 1]


def test_what_was_cut_off_is_shown_and_not_learned(stage: Stage):
    stage.upstream.script = lambda asked: Said("one two three four", cut_after=4)
    ask(stage, question())
    trajectory = merged(stage.trace())
    assert trajectory.branches[0].turns[1].generated
    assert list(sft_lines(trajectory)) == []
    assert faults(atif(trajectory, "a", "1").trajectory, set()) == []


def test_nothing_completed_is_said_so():
    with pytest.raises(NothingCompletedError):
        atif(merged(Trace(Path(), (), ())), "a", "1")


def test_the_summary_adds_up_and_names_no_cost_that_it_does_not_know(stage: Stage):
    busy_run(stage)
    told = summarised(stage.trace().records)
    assert (told.requests, told.succeeded, told.failed) == (8, 7, 1)
    assert (told.usage.prompt, told.usage.completion, told.usage.cached) == (700, 70, 280)
    assert told.statuses == {"200": 7, "500": 1}
    priced, unpriced = told.models
    assert (priced.model, priced.cost_usd, unpriced.cost_usd, told.cost_usd) == (
        "a-model",
        Decimal("0.00144"),
        None,
        None,
    )


def test_tokens_that_the_endpoint_tells_reach_the_trainer(stage: Stage):
    def chunk(text: str, number: int, finish: str | None) -> bytes:
        told = {"token": text, "logprob": -0.5 * number, "bytes": None, "top_logprobs": []}
        choice = {"index": 0, "delta": {"content": text}, "logprobs": {"content": [told]}, "token_ids": [number]}
        first = {"prompt_token_ids": [7, 8]} if number == 1 else {}
        return event({"id": "c", "model": "m", **first, "choices": [{**choice, "finish_reason": finish}]})

    stage.upstream.script = lambda asked: Raw([chunk("a", 1, None), chunk("b", 2, "stop"), event("[DONE]")])
    ask(stage, question())
    (line,) = rl_lines(merged(stage.trace()), Outcome(1.0, "g"))
    assert (line["completion"]["content"], line["logprobs"], line["token_ids"]) == ("ab", [-0.5, -1.0], [1, 2])
    assert (line["prompt_token_ids"], line["reward"], line["group"]) == ([7, 8], 1.0, "g")
