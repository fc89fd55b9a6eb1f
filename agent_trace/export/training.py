"""Training lines: whole conversations with a loss mask (SFT), and prompt and completion one by one (RL)."""

from collections.abc import Iterator

from agent_trace.conversation import Image, Message, Text, Tool
from agent_trace.export.outcome import Outcome
from agent_trace.trajectory import Branch, Trajectory, Turn
from agent_trace.tree import Json, Object

__all__ = ["chat_message", "rl_lines", "sft_lines", "tool_definition"]


def sft_lines(trajectory: Trajectory, outcome: Outcome | None = None) -> Iterator[Object]:
    """One line for each branch that has something to learn from.

    `messages` are neutral to chat templates: roles, `content`, `reasoning_content`, `tool_calls` whose arguments are
    objects, `tool_call_id`. Each has `loss`: true for what a model said whole in this run, and each such turn
    has it in one line only. `loss_mask` repeats it as 0 and 1.
    """
    told = outcome or Outcome()
    for branch in trajectory.branches:
        losses = [_learned(trajectory, branch, at) for at in range(len(branch.turns))]
        if any(losses):
            yield {
                "messages": [
                    {**chat_message(turn.message), "loss": loss}
                    for turn, loss in zip(branch.turns, losses, strict=True)
                ],
                "loss_mask": [int(loss) for loss in losses],
                "tools": [tool_definition(tool) for tool in branch.tools],
                **_whence(trajectory, branch, told),
            }


def rl_lines(trajectory: Trajectory, outcome: Outcome | None = None) -> Iterator[Object]:
    """One line for each completion: `prompt`, `completion`, the run's `reward` and `group`.

    `logprobs`, `token_ids` and `prompt_token_ids` are null where the endpoint did not tell them.
    """
    told = outcome or Outcome()
    for branch in trajectory.branches:
        for at, turn in enumerate(branch.turns):
            if not _learned(trajectory, branch, at):
                continue
            for identity in turn.records:
                record = trajectory.records[identity]
                sampled = trajectory.sampled[identity]
                tokens: Json = None if record.usage is None else dict(record.usage.model_dump())
                yield {
                    "prompt": [chat_message(one.message) for one in branch.turns[:at]],
                    "completion": chat_message(turn.message),
                    "tools": [tool_definition(tool) for tool in branch.tools],
                    "record": identity,
                    "model": record.model,
                    "usage": tokens,
                    "logprobs": list(sampled.logprobs) or None,
                    "token_ids": list(sampled.token_ids) or None,
                    "prompt_token_ids": list(sampled.prompt_token_ids) or None,
                    **_whence(trajectory, branch, told),
                }


def chat_message(message: Message) -> Object:
    """One message as chat templates take it."""
    told: Object = {"role": message.role}
    if message.role == "tool":
        (result,) = message.results
        return {**told, "tool_call_id": result.call_id, "content": _content(result.parts)}
    told["content"] = _content(message.parts)
    if message.reasoning:
        told["reasoning_content"] = message.reasoning
    if message.calls:
        told["tool_calls"] = [
            {
                "id": call.id,
                "type": "function",
                "function": {"name": call.name, "arguments": call.arguments if call.value is None else call.value},
            }
            for call in message.calls
        ]
    return told


def tool_definition(tool: Tool) -> Object:
    """One tool as OpenAI's function calling writes it."""
    function: Object = {"name": tool.name, "description": tool.description, "parameters": tool.parameters}
    return {"type": "function", "function": function}


def _content(parts: tuple[object, ...]) -> Json:
    """A text; a list of parts where there is more than text."""
    if not any(isinstance(part, Image) for part in parts):
        return "\n".join(part.text for part in parts if isinstance(part, Text) and part.text)
    found: list[Json] = []
    for part in parts:
        if isinstance(part, Text):
            found.append({"type": "text", "text": part.text})
        elif isinstance(part, Image):
            url = part.url or f"data:{part.media_type};base64,{part.data}"
            found.append({"type": "image_url", "image_url": {"url": url}})
    return found


def _learned(trajectory: Trajectory, branch: Branch, at: int) -> bool:
    turn: Turn = branch.turns[at]
    return at >= branch.shared and any(trajectory.records[one].succeeded for one in turn.records)


def _whence(trajectory: Trajectory, branch: Branch, outcome: Outcome) -> Object:
    run = next(iter(trajectory.records.values())).run if trajectory.records else None
    return {
        "run": run,
        "branch": branch.id,
        "kind": branch.kind,
        "task": outcome.task,
        "reward": outcome.reward,
        "group": outcome.group,
    }
