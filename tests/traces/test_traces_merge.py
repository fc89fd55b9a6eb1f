"""Completions become the conversation that they were, in all three APIs, with branches where it parted."""

import itertools
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from agent_loops import chat_agent, messages_agent, responses_agent
from gateway_stage import Stage
from hypothesis import given, settings
from hypothesis import strategies as st
from plain_client import ask, question
from speaking_upstream import Asked, Raw, Said

from agent_trace.export import Outcome, rl_lines, sft_lines
from agent_trace.merge import merged
from agent_trace.reading import Trace
from agent_trace.record import Inline, Record, Timing
from agent_trace.trajectory import Trajectory

LOOPS = {
    "chat": lambda stage: chat_agent(stage, "solve it"),
    "responses": lambda stage: responses_agent(stage, "solve it", stored=False),
    "responses, stored": lambda stage: responses_agent(stage, "solve it", stored=True),
    "messages": lambda stage: messages_agent(stage, "solve it"),
}


def three_steps(asked: Asked) -> Said:
    if asked.number == 3:
        return Said("done", thinking="enough")
    return Said("", ((("bash", f'{{"command":  "step {asked.number}", "b": 1}}')),), thinking=f"thought {asked.number}")


def walked(trajectory: Trajectory) -> list[tuple[str, str]]:
    (branch,) = trajectory.branches
    return [(turn.message.role, turn.message.text) for turn in branch.turns]


@pytest.mark.parametrize("loop", LOOPS)
def test_an_agents_requests_are_one_conversation(loop: str, stage: Stage):
    stage.upstream.script = three_steps
    LOOPS[loop](stage)
    trajectory = merged(stage.trace())
    (branch,) = trajectory.branches
    assert (branch.kind, len(branch.records), trajectory.without) == ("root", 3, ())
    said = [turn for turn in branch.turns if turn.message.role != "user" or turn.message.text != "go on"]
    assert [turn.message.role for turn in said] == ["system", "user", *["assistant", "tool"] * 2, "assistant"]
    assert [turn.generated for turn in said] == [False, False, True, False, True, False, True]
    assert [call.value for turn in said for call in turn.message.calls] == [
        {"command": f"step {number}", "b": 1} for number in (1, 2)
    ]
    assert [turn.message.reasoning for turn in said if turn.generated] == ["thought 1", "thought 2", "enough"]
    assert said[3].message.results[0].call_id == said[2].message.calls[0].id
    assert branch.tools[0].name == "bash"


def test_what_failed_and_what_was_repeated_is_no_branch(stage: Stage):
    limited = Raw([b"{}"], 429, "application/json", {"Retry-After": "0.01"})
    stage.upstream.script = lambda asked: limited if asked.number % 2 else Said("fine")
    stage.openai(retries=2).chat.completions.create(**question(stream=False))
    stage.openai(retries=2).chat.completions.create(**question(stream=False))
    trajectory = merged(stage.trace())
    assert walked(trajectory) == [("user", "hello"), ("assistant", "fine")]
    assert len(trajectory.branches[0].records) == 2
    assert len(trajectory.without) == 2


def test_a_subagent_hangs_on_the_call_that_started_it(stage: Stage):
    task = "Look for the training script and tell me where it is."
    answers = [Said("", (("task", f'{{"prompt": "{task}"}}'),)), Said("it is in train.py"), Said("done")]
    stage.upstream.script = lambda asked: answers[asked.number - 1]
    ask(stage, {**question("solve it"), "tools": []})
    ask(
        stage,
        {
            "model": "a-model",
            "messages": [{"role": "system", "content": "You search."}, {"role": "user", "content": task}],
        },
    )
    call = merged(stage.trace()).branches[0].turns[1].message.calls[0]
    told = {"id": call.id, "type": "function", "function": {"name": "task", "arguments": call.arguments}}
    back = [
        {"role": "assistant", "content": None, "tool_calls": [told]},
        {"role": "tool", "tool_call_id": call.id, "content": "it is in train.py"},
    ]
    ask(stage, {**question("solve it"), "messages": [*question("solve it")["messages"], *back]})
    root, sub = merged(stage.trace()).branches
    assert (root.kind, len(root.records)) == ("root", 2)
    assert (sub.kind, sub.parent, sub.call_id) == ("subagent", root.id, call.id)


def test_a_compaction_goes_on_from_what_it_sums_up(stage: Stage):
    summary = "So far: the script was read, the data are loaded, the first run gave an accuracy of 0.81."
    stage.upstream.script = lambda asked: Said(summary) if asked.number == 4 else three_steps(asked)
    history = chat_agent(stage, "solve it")
    ask(stage, {"model": "a-model", "messages": [*history, {"role": "user", "content": "sum up"}]})
    again = [history[0], {"role": "user", "content": f"The conversation so far:\n{summary}\nGo on."}]
    stage.upstream.script = lambda asked: Said("going on")
    ask(stage, {"model": "a-model", "messages": again})
    root, after = merged(stage.trace()).branches
    assert (after.kind, after.parent, after.shared) == ("compaction", root.id, 1)
    assert [branch.id for branch in merged(stage.trace()).main()] == [root.id, after.id]


def test_a_turn_sampled_twice_forks_and_one_that_is_changed_is_an_edit(stage: Stage):
    stage.upstream.script = lambda asked: Said(f"answer {asked.number}")
    base = question("q")["messages"]
    ask(stage, {"model": "a-model", "messages": base})
    ask(stage, {"model": "a-model", "messages": base})
    first = {"role": "assistant", "content": "answer 1"}
    ask(stage, {"model": "a-model", "messages": [*base, first, {"role": "user", "content": "more"}]})
    changed = [{"role": "user", "content": "q, shortened"}, first, {"role": "user", "content": "even more"}]
    ask(stage, {"model": "a-model", "messages": changed})
    root, fork, edit = merged(stage.trace()).branches
    assert [one.kind for one in (root, fork, edit)] == ["root", "fork", "edit"]
    assert (fork.parent, fork.shared, edit.parent, edit.shared) == (root.id, 1, root.id, 0)
    lines = list(sft_lines(merged(stage.trace()), Outcome(0.5, "g", "t")))
    learned = [m["content"] for line in lines for m in line["messages"] if m["loss"]]
    assert learned == ["answer 1", "answer 3", "answer 2", "answer 4"]
    assert [line["loss_mask"] for line in lines] == [[0, 1, 0, 1], [0, 1], [0, 0, 0, 1]]
    assert {(line["reward"], line["group"], line["task"]) for line in lines} == {(0.5, "g", "t")}
    steps = list(rl_lines(merged(stage.trace())))
    assert [(len(line["prompt"]), line["completion"]["content"]) for line in steps] == [
        (1, "answer 1"),
        (3, "answer 3"),
        (1, "answer 2"),
        (3, "answer 4"),
    ]


def test_a_message_that_is_written_down_in_another_way_is_the_same(stage: Stage):
    stage.upstream.script = lambda asked: Said("  yes \n", (("bash", '{"b": 1, "a": "ü"}'),), thinking="hm")
    ask(stage, question("q"))
    told = {"id": "other", "type": "function", "function": {"name": "bash", "arguments": '{"a":"\\u00fc","b":1}'}}
    again = {"role": "assistant", "content": [{"type": "text", "text": "yes"}], "tool_calls": [told]}
    ask(
        stage,
        {
            **question("q"),
            "messages": [*question("q")["messages"], again, {"role": "tool", "tool_call_id": "other", "content": "x"}],
        },
    )
    assert len(merged(stage.trace()).branches) == 1


WORDS = st.sampled_from(["a", "b", "c"])


@settings(max_examples=60)
@given(st.lists(st.tuples(st.integers(0, 6), WORDS, WORDS), min_size=1, max_size=10))
def test_every_completion_is_in_one_branch_and_prompts_are_paths(steps: list[tuple[int, str, str]]):
    """Each step goes on from one of the conversations before it, with a message of its own."""
    conversations: list[list[tuple[str, str]]] = [[]]
    records = []
    for number, (base, asked, said) in enumerate(steps):
        prompt = [*conversations[base % len(conversations)], ("user", asked)]
        records.append(made(number, prompt, said))
        conversations.append([*prompt, ("assistant", said)])
    trajectory = merged(Trace(Path(), tuple(records), ()))
    placed = [record for branch in trajectory.branches for turn in branch.own for record in turn.records]
    assert sorted(placed) == sorted(record.id for record in records)
    paths = [[(t.message.role, t.message.text) for t in branch.turns] for branch in trajectory.branches]
    for conversation in conversations:
        assert any(path[: len(conversation)] == conversation for path in paths)
    for one, other in itertools.permutations(paths, 2):
        assert one != other[: len(one)]
    for branch in trajectory.branches[1:]:
        assert branch.parent is None or int(branch.parent[1:]) < int(branch.id[1:])
    learned = sum(message["loss"] for line in sft_lines(trajectory) for message in line["messages"])
    assert learned == len({tuple(one) for one in conversations[1:]})


def made(number: int, prompt: list[tuple[str, str]], said: str) -> Record:
    messages = [{"role": role, "content": text} for role, text in prompt]
    choice = {"index": 0, "message": {"role": "assistant", "content": said}, "finish_reason": "stop"}
    return Record(
        id=f"r{number}",
        run="run",
        sequence=number + 1,
        api="openai.chat",
        began=datetime(2026, 1, 1, tzinfo=UTC) + timedelta(seconds=number),
        model="m",
        streamed=False,
        status=200,
        end="complete",
        request=Inline(value={"messages": messages}),
        response=Inline(value={"choices": [choice]}),
        usage=None,
        cost_usd=None,
        timing=Timing(first_byte_s=None, first_token_s=None, total_s=1.0),
        retries=0,
        request_bytes=1,
        response_bytes=1,
    )
