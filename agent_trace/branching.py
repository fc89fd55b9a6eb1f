"""Says how a branch came about, from what it shares with the branches before it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from agent_trace.conversation import plain_text
from agent_trace.trajectory import Branch, Kind, Turn
from agent_trace.tree import Json

__all__ = ["Finding", "classify"]

_SHORTEST_SUMMARY = 40
_SHORTEST_TASK = 12


@dataclass(frozen=True)
class Finding:
    """A branch's kind, the branch that it came from, and for a subagent the call."""

    kind: Kind
    parent: str | None
    call_id: str | None = None


def classify(turns: Sequence[Turn], shared: int, nearest: str | None, before: Sequence[Branch]) -> Finding:
    """The kind of a branch whose first `shared` turns are those of `nearest`, an earlier branch."""
    if not before:
        return Finding("root", None)
    talked = [turn for turn in turns[:shared] if turn.message.role != "system"]
    own = turns[shared:]
    opening = _opening(own)
    if not talked and (found := _handed_over(opening, before)) is not None:
        return found
    if (summary := _summarised(opening, before)) is not None:
        return Finding("compaction", nearest if nearest is not None else summary)
    if (copied := _copied(own, before)) is not None:
        branch, dropped = copied
        return Finding("compaction" if dropped else "edit", nearest if nearest is not None else branch)
    if talked and nearest is not None:
        return Finding("fork", nearest)
    return Finding("separate", nearest)


def _opening(own: Sequence[Turn]) -> list[str]:
    """The texts of the prompt with which the branch begins."""
    texts: list[str] = []
    for turn in own:
        if turn.generated:
            break
        if turn.message.role != "system":
            texts.append(turn.message.text or "\n".join(plain_text(one.parts) for one in turn.message.results))
    return texts


def _handed_over(opening: Sequence[str], before: Sequence[Branch]) -> Finding | None:
    """A call of an earlier branch in whose arguments the task of this one stands, the latest first."""
    task = next((text.strip() for text in opening if text.strip()), "")
    if len(task) < _SHORTEST_TASK:
        return None
    for branch in reversed(before):
        for turn in reversed(branch.own):
            for call in turn.message.calls if turn.generated else ():
                handed = [text.strip() for text in _texts(call.value) if len(text.strip()) >= _SHORTEST_TASK]
                if any(text == task or text in task for text in handed):
                    return Finding("subagent", branch.id, call.id)
    return None


def _summarised(opening: Sequence[str], before: Sequence[Branch]) -> str | None:
    """The branch in which a model wrote a text that stands in this opening."""
    for branch in reversed(before):
        for turn in reversed(branch.own):
            text = turn.message.text.strip()
            if turn.generated and len(text) >= _SHORTEST_SUMMARY and any(text in one for one in opening):
                return branch.id
    return None


def _copied(own: Sequence[Turn], before: Sequence[Branch]) -> tuple[str, bool] | None:
    """A branch whose turns are repeated here as part of the prompt, and whether others of it were left out."""
    repeated = {turn.message.key for turn in own if not turn.generated and turn.message.role == "assistant"}
    for branch in reversed(before):
        keys = [turn.message.key for turn in branch.turns if turn.message.role == "assistant"]
        found = [n for n, key in enumerate(keys) if key in repeated]
        if found:
            return branch.id, len({keys[n] for n in range(found[-1] + 1)} - repeated) > 0
    return None


def _texts(value: Json) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | dict):
        for one in value.values() if isinstance(value, dict) else value:
            yield from _texts(one)
