"""What the model may do: each tool with its arguments as a Pydantic model, whose schema the model is shown."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, ClassVar

from pydantic import Field, JsonValue, ValidationError

from reproducegym.adapters.agents.tool_loop.hands import Answer, Hand
from reproducegym.schema.base import Frozen

__all__ = ["TOOLS", "Limits", "Told", "tool_schemas", "use_tool"]

_WORKSPACE = "/workspace"
_QUICK_S = 60.0
_MIB = 2**20


@dataclass(frozen=True)
class Limits:
    """`command_s`: wall seconds of one command in the foreground or one wait; `output_characters` of one answer."""

    command_s: float
    output_characters: int


@dataclass(frozen=True)
class Told:
    """What a call is answered with; `submitted` says that the model is done."""

    text: str
    submitted: bool = False


class Bash(Frozen):
    """Run a command with bash in /workspace. With `background` it goes on while you do other things; see `poll`."""

    name: ClassVar[str] = "bash"
    command: Annotated[str, Field(min_length=1)]
    timeout_s: Annotated[float, Field(gt=0, description="seconds; then it is killed")] = 120.0
    background: bool = False


class Poll(Frozen):
    """Wait for a background job, and see what it has printed since the last look. `stop` kills it."""

    name: ClassVar[str] = "poll"
    job: Annotated[int, Field(ge=1)]
    wait_s: Annotated[float, Field(ge=0, description="seconds to wait for its end")] = 30.0
    stop: bool = False


class Read(Frozen):
    """Read lines of a text file."""

    name: ClassVar[str] = "read"
    path: Annotated[str, Field(min_length=1)]
    first_line: Annotated[int, Field(ge=1)] = 1
    lines: Annotated[int, Field(ge=1)] = 400


class Write(Frozen):
    """Write a text file whole; directories above it are made."""

    name: ClassVar[str] = "write"
    path: Annotated[str, Field(min_length=1)]
    content: str


class Submit(Frozen):
    """You are done: what lies in /workspace is your submission. Nothing can be changed afterwards."""

    name: ClassVar[str] = "submit"
    note: str = ""


_Tool = Bash | Poll | Read | Write | Submit
TOOLS: Mapping[str, type[_Tool]] = {one.name: one for one in (Bash, Poll, Read, Write, Submit)}


def tool_schemas() -> list[dict[str, JsonValue]]:
    """The tools as the chat API takes them."""
    return [{"type": "function", "function": _function(one)} for one in TOOLS.values()]


def _function(tool: type[_Tool]) -> dict[str, JsonValue]:
    schema = tool.model_json_schema()
    parameters = {
        key: schema[key] for key in ("type", "properties", "required", "additionalProperties") if key in schema
    }
    return {"name": tool.name, "description": schema["description"], "parameters": parameters}


def use_tool(name: str, arguments: str, hand: Hand, limits: Limits, left_s: float) -> Told:
    """Do what was called for; what cannot be done is told to the model, which may do better.

    `left_s` is what is left of the wall clock: nothing is waited for any longer.

    Raises:
        HandLostError: the hand is gone.
    """
    if name not in TOOLS:
        return Told(f'error: no tool "{name}"; there are: {", ".join(TOOLS)}')
    try:
        asked = TOOLS[name].model_validate_json(arguments or "{}")
    except ValidationError as error:
        places = "; ".join(f"{'.'.join(map(str, one['loc'])) or name}: {one['msg']}" for one in error.errors())
        return Told(f"error: {places}")
    if isinstance(asked, Submit):
        return Told("submitted", submitted=True)
    seconds = min(limits.command_s, left_s)
    if isinstance(asked, Bash):
        wait_s = min(asked.timeout_s, seconds)
        request: dict[str, JsonValue] = {"do": "bash", "command": asked.command, "cwd": _WORKSPACE, "timeout_s": wait_s}
        answer = hand.ask(
            {**request, "background": asked.background, "limit": 4 * limits.output_characters}, within_s=wait_s
        )
        return Told(_ran(answer, limits, wait_s))
    if isinstance(asked, Poll):
        wait_s = 0.0 if asked.stop else min(asked.wait_s, seconds)
        request = {"do": "stop" if asked.stop else "poll", "job": asked.job, "wait_s": wait_s}
        answer = hand.ask({**request, "limit": 4 * limits.output_characters}, within_s=wait_s + _QUICK_S)
        return Told(_ran(answer, limits, wait_s))
    if isinstance(asked, Read):
        request = {"do": "read", "path": asked.path, "first": asked.first_line, "count": asked.lines}
        answer = hand.ask({**request, "limit": limits.output_characters}, within_s=_QUICK_S)
        return Told(_shown(answer, "output") + ("\n[more lines follow]" if answer.get("more") is True else ""))
    answer = hand.ask({"do": "write", "path": asked.path, "content": asked.content}, within_s=_QUICK_S)
    return Told(_failure(answer) or f"wrote {answer.get('bytes')} bytes")


def _ran(answer: Answer, limits: Limits, wait_s: float) -> str:
    """How a command stands, and what it printed, cut in the middle to the limit."""
    if failure := _failure(answer):
        return failure
    code = answer.get("exit_code")
    state = f"job {answer.get('job')} is still running" if code is None else f"exit code {code}"
    if answer.get("timed_out") is True:
        state = f"killed: not done after {wait_s:g} s (use background and poll for long work)"
    head, tail = str(answer.get("output", "")), str(answer.get("tail", ""))
    left_out = answer.get("left_out")
    room = limits.output_characters
    if not tail and len(head) > room:
        head, tail, left_out = head[: room // 2], head[-(room // 2) :], len(head) - 2 * (room // 2)
    elif tail:
        head, tail = head[: room // 2], tail[-(room // 2) :]
    cut = f"\n[… {left_out} bytes left out; all of it is in {answer.get('log')} …]\n" if tail else ""
    return f"{head}{cut}{tail}\n[{state}]".lstrip("\n")


def _shown(answer: Answer, key: str) -> str:
    return _failure(answer) or str(answer.get(key, ""))


def _failure(answer: Answer) -> str:
    return "" if answer["ok"] else f"error: {answer.get('error', 'refused')}"
