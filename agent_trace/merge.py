"""Finds the trajectory in many completions: prompts that begin alike are one conversation, and may part."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from agent_trace.branching import classify
from agent_trace.conversation import Message, Sampled, Tool
from agent_trace.reading import Trace, read_body
from agent_trace.told import asked, completed, response_id, sampled
from agent_trace.trajectory import Branch, Trajectory, Turn

__all__ = ["merged"]


@dataclass
class _Node:
    """A message at its place; `born` counts the nodes that came before it."""

    message: Message
    born: int
    records: list[str] = field(default_factory=list)
    children: dict[str, "_Node"] = field(default_factory=dict)
    tools: tuple[Tool, ...] = ()


@dataclass(frozen=True)
class _Path:
    """A way through the tree; `parted` is the birth of the last node on it that was not the first of its parent."""

    turns: tuple[Turn, ...]
    tools: tuple[Tool, ...]
    parted: int


class _Tree:
    def __init__(self) -> None:
        self.top = _Node(Message("system", ()), 0)
        self._nodes = 1

    def child(self, node: _Node, message: Message) -> _Node:
        key = message.key
        if key not in node.children:
            node.children[key] = _Node(message, self._nodes)
            self._nodes += 1
        return node.children[key]

    def paths(self) -> Iterator[_Path]:
        """All ways from a first message to a last one; without recursion, as runs are long."""
        waiting = [(one, _Path((), (), one.born)) for one in self.top.children.values()]
        while waiting:
            node, before = waiting.pop()
            tools = node.tools or before.tools
            path = _Path((*before.turns, Turn(node.message, tuple(node.records))), tools, before.parted)
            if not node.children:
                yield path
            for number, one in enumerate(node.children.values()):
                parted = path.parted if number == 0 else one.born
                waiting.append((one, _Path(path.turns, path.tools, parted)))


def merged(trace: Trace) -> Trajectory:
    """The trajectory of a run's records.

    A completion belongs to the conversation that its prompt ends; the next prompt that repeats both goes on with it.
    A client may write messages down again in its own way (Message.key says what makes no difference).
    """
    tree = _Tree()
    without: list[str] = []
    tokens: dict[str, Sampled] = {}
    answers: dict[str, tuple[Message, ...]] = {}
    for record in trace.records:
        response = read_body(record.response, trace.directory)
        said = completed(record.api, response) if record.status == 200 else ()
        if not said:
            without.append(record.id)
            continue
        tokens[record.id] = sampled(response)
        conversation = asked(record.api, read_body(record.request, trace.directory))
        prompt = (*answers.get(conversation.after or "", ()), *conversation.messages)
        node = tree.top
        for message in (*conversation.instructions, *prompt):
            node = tree.child(node, message)
        for answer in said:
            ended = tree.child(node, answer)
            ended.records.append(record.id)
            ended.tools = conversation.tools
        if (identity := response_id(response)) is not None:
            answers[identity] = (*prompt, said[0])
    paths = sorted(tree.paths(), key=lambda path: path.parted)
    return Trajectory(tuple(_branches(paths)), {one.id: one for one in trace.records}, tuple(without), tokens)


def _branches(paths: Sequence[_Path]) -> Iterator[Branch]:
    before: list[Branch] = []
    for number, path in enumerate(paths):
        nearest, shared = _nearest(path, before)
        found = classify(path.turns, shared, nearest, before)
        kept = shared if nearest is not None and found.parent == nearest else 0
        records = tuple(dict.fromkeys(record for turn in path.turns[kept:] for record in turn.records))
        branch = Branch(f"b{number}", found.kind, found.parent, kept, found.call_id, path.turns, path.tools, records)
        before.append(branch)
        yield branch


def _nearest(path: _Path, before: Sequence[Branch]) -> tuple[str | None, int]:
    """The earlier branch that begins like this one for longest, and for how many turns."""
    best: tuple[str | None, int] = None, 0
    for branch in before:
        shared = 0
        for mine, theirs in zip(path.turns, branch.turns, strict=False):
            if mine.message.key != theirs.message.key:
                break
            shared += 1
        if shared > best[1]:
            best = branch.id, shared
    return best
