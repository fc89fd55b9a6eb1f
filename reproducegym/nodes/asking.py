"""Puts a question to the keeper on a node, and reads its answers: the only place that knows how it gets there."""

import json
import shlex
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TypeVar

from pydantic import JsonValue, ValidationError

from reproducegym.errors import NodeError
from reproducegym.nodes.refusals import why_not
from reproducegym.nodes.ssh import Connection, LinkError
from reproducegym.schema.base import Frozen
from reproducegym.schema.node import Node

__all__ = ["ask", "broken", "command_line", "question", "read_reply"]

ReplyT = TypeVar("ReplyT", bound=Frozen)

# Its modules come first, as one JSON list in the order of their imports; what follows is the question.
_START = """
import json, sys, types
for name, text in json.loads(sys.stdin.buffer.read(int(sys.argv[1]))):
    sys.modules[name] = module = types.ModuleType(name)
    exec(compile(text, name, "exec"), module.__dict__)
module.main()
"""
_MODULES = ("ground", "leases", "confine", "supervising", "jobs", "files", "runs", "looking", "main")
_NOT_FOUND = 127
_BROKEN = 255


class _Refused(Frozen):
    refused: str


def ask(connection: Connection, asked: Mapping[str, JsonValue], reply: type[ReplyT], *, timeout_s: float) -> ReplyT:
    """The keeper's answer to one question.

    Raises:
        NodeError: the connection broke, the node has no Python that can answer, or the keeper refuses; the line says
            why.
    """
    node = connection.node
    answer = connection.run(command_line(node), question(asked), timeout_s=timeout_s)
    if answer.exit_code != 0 or not answer.out.strip():
        raise broken(node, answer.exit_code, answer.err.decode("utf-8", "replace"))
    return read_reply(node, answer.out.splitlines()[-1], reply)


def read_reply(node: Node, line: bytes, reply: type[ReplyT]) -> ReplyT:
    """One line of the keeper's.

    Raises:
        NodeError: it is a refusal, or nothing that the keeper says.
    """
    try:
        return reply.from_json(line)
    except ValidationError as error:
        wrong = error
    try:
        refused = _Refused.from_json(line).refused
    except ValidationError:
        raise NodeError(f"{node.name}: the keeper's answer cannot be read: {line[:200]!r}") from wrong
    raise NodeError(f"{node.name}: {refused}")


def command_line(node: Node) -> str:
    """What the node's shell is told to run."""
    return f"exec {shlex.quote(node.python)} -I -S -c {shlex.quote(_START)} {len(_keeper())}"


def question(asked: Mapping[str, JsonValue]) -> bytes:
    """What goes down to it: the keeper itself, then one line."""
    return _keeper() + json.dumps(asked).encode() + b"\n"


@cache
def _keeper() -> bytes:
    place = Path(__file__).with_name("keeper")
    names = [(f"{__package__}.keeper.{name}", place / f"{name}.py") for name in _MODULES]
    return json.dumps([(name, path.read_text("utf-8")) for name, path in names]).encode()


def broken(node: Node, exit_code: int | None, said: str) -> NodeError:
    """Why a keeper gave no reply."""
    if exit_code == _BROKEN:
        return LinkError(why_not(node, said))
    if exit_code == _NOT_FOUND:
        line = f"{node.name}: there is no {node.python} on the node; install Python 3.9 or newer, or name it: python"
        return NodeError(line)
    last = said.strip().splitlines()
    return NodeError(f"{node.name}: the keeper ended with exit code {exit_code}: {last[-1] if last else 'no word'}")
