"""ATIF, the trajectory format that Harbor reads: steps of system, user and agent, with what tools gave back."""

from collections.abc import Sequence
from dataclasses import dataclass

from agent_trace.conversation import Message
from agent_trace.export.atif_parts import Pictures, copied_call, told_parts
from agent_trace.export.outcome import Outcome
from agent_trace.export.training import tool_definition
from agent_trace.record import Record
from agent_trace.trajectory import Branch, Trajectory, Turn
from agent_trace.tree import Json, Object

__all__ = ["VERSION", "AtifDocument", "NothingCompletedError", "atif"]

VERSION = "ATIF-v1.7"


class NothingCompletedError(ValueError):
    """The run has no completion, and ATIF knows no trajectory without a step."""


@dataclass(frozen=True)
class AtifDocument:
    """`trajectory` is the JSON; `files` are pictures, by their paths relative to it."""

    trajectory: Object
    files: dict[str, bytes]


def atif(trajectory: Trajectory, agent: str, version: str, outcome: Outcome | None = None) -> AtifDocument:
    """The run as one document: its own line as steps, its other branches as embedded trajectories.

    A compaction or edit goes on as further steps; what it repeats is marked `is_copied_context`, as is what a branch
    shares with its parent.

    Raises:
        NothingCompletedError: no record holds a completion.
    """
    if not trajectory.branches:
        raise NothingCompletedError("nothing was completed in these records")
    writer = _Writer(trajectory, agent, version)
    line = trajectory.main()
    aside = [branch for branch in trajectory.branches if branch not in line]
    told = outcome or Outcome()
    document = writer.document(line, line[0].id)
    if aside:
        document["subagent_trajectories"] = [writer.document([branch], branch.id) for branch in aside]
        document["notes"] = "embedded trajectories are the run's other branches; agent.extra.kind says of which kind"
    document["final_metrics"] = writer.totals(list(trajectory.records.values()), document)
    extra: Object = {"reward": told.reward, "group": told.group, "task": told.task}
    document["extra"] = {key: value for key, value in extra.items() if value is not None}
    return AtifDocument(document, writer.pictures.files)


class _Writer:
    def __init__(self, trajectory: Trajectory, agent: str, version: str) -> None:
        self.pictures = Pictures()
        self._trajectory, self._agent, self._version = trajectory, agent, version
        self._run = next(iter(trajectory.records.values())).run

    def document(self, branches: Sequence[Branch], identity: str) -> Object:
        steps = _Steps(self._trajectory, self.pictures, self._handed_on([branch.id for branch in branches]))
        for branch in branches:
            for at, turn in enumerate(branch.turns):
                if at >= branch.shared or branch is branches[0]:
                    steps.add(turn, copied=at < branch.shared, branch=branch)
        records = [self._trajectory.records[one] for branch in branches for one in branch.records]
        model = next((record.model for record in records if record.model), None)
        extra: Object = {"kind": branches[0].kind, "parent": branches[0].parent, "call_id": branches[0].call_id}
        agent: Object = {
            "name": self._agent,
            "version": self._version,
            "extra": {key: value for key, value in extra.items() if value is not None},
        }
        if model is not None:
            agent["model_name"] = model
        if branches[-1].tools:
            agent["tool_definitions"] = [tool_definition(tool) for tool in branches[-1].tools]
        document: Object = {
            "schema_version": VERSION,
            "session_id": self._run,
            "trajectory_id": f"{self._run}:{identity}",
            "agent": agent,
            "steps": list(steps.told),
        }
        document["final_metrics"] = self.totals(records, document)
        return document

    def totals(self, records: Sequence[Record], document: Object) -> Object:
        usages = [record.usage for record in records if record.usage is not None]
        costs = [record.cost_usd for record in records if record.usage is not None]
        steps = document["steps"]
        told: Object = {
            "total_prompt_tokens": sum(one.prompt for one in usages),
            "total_completion_tokens": sum(one.completion for one in usages),
            "total_cached_tokens": sum(one.cached for one in usages),
            "total_steps": len(steps) if isinstance(steps, list) else 0,
        }
        known = [cost for cost in costs if cost is not None]
        if known and len(known) == len(costs):
            told["total_cost_usd"] = float(sum(known))
        return told

    def _handed_on(self, branches: Sequence[str]) -> dict[str, list[str]]:
        """Identifiers of the subagents that these branches' calls started, by call."""
        found: dict[str, list[str]] = {}
        for branch in self._trajectory.branches:
            if branch.call_id is not None and branch.parent in branches:
                found.setdefault(branch.call_id, []).append(f"{self._run}:{branch.id}")
        return found


class _Steps:
    """Steps one after the other; what a tool gave back belongs to the step that called it."""

    def __init__(self, trajectory: Trajectory, pictures: Pictures, handed_on: dict[str, list[str]]) -> None:
        self.told: list[Object] = []
        self._trajectory, self._pictures, self._handed_on = trajectory, pictures, handed_on
        self._callers: dict[str, Object] = {}

    def add(self, turn: Turn, *, copied: bool, branch: Branch) -> None:
        """Write one turn."""
        message = turn.message
        if message.role == "tool":
            self._observe(message)
            return
        source = "agent" if message.role == "assistant" else message.role
        step: Object = {
            "step_id": len(self.told) + 1,
            "source": source,
            "message": told_parts(message.parts, self._pictures),
            "extra": {"branch": branch.id},
        }
        if source == "agent":
            self._agent(step, turn, message)
            copied = copied or not turn.generated
        if copied:
            step["is_copied_context"] = True
        self.told.append(step)

    def _agent(self, step: Object, turn: Turn, message: Message) -> None:
        if message.reasoning:
            step["reasoning_content"] = message.reasoning
        if message.calls:
            step["tool_calls"] = [copied_call(call) for call in message.calls]
        for call in message.calls:
            self._callers[call.id] = step
            if call.id in self._handed_on:
                refs: list[Json] = [{"trajectory_id": one} for one in self._handed_on[call.id]]
                _results(step).append({"source_call_id": call.id, "subagent_trajectory_ref": refs})
        records = [self._trajectory.records[one] for one in turn.records]
        if records:
            step["timestamp"] = records[0].began.isoformat()
            step["llm_call_count"] = len(records)
            if records[0].model is not None:
                step["model_name"] = records[0].model
            step["metrics"] = _metrics(records)

    def _observe(self, message: Message) -> None:
        (result,) = message.results
        content = told_parts(result.parts, self._pictures)
        caller = self._callers.get(result.call_id)
        if caller is None:
            extra: Object = {"tool_call_id": result.call_id}
            self.told.append({"step_id": len(self.told) + 1, "source": "user", "message": content, "extra": extra})
            return
        told: Object = {"source_call_id": result.call_id, "content": content}
        if result.is_error:
            told["extra"] = {"is_error": True}
        results = _results(caller)
        for one in results:  # the place that a subagent's reference already holds
            if isinstance(one, dict) and one.get("source_call_id") == result.call_id and "content" not in one:
                one.update(told)
                return
        results.append(told)


def _results(step: Object) -> list[Json]:
    observation = step.setdefault("observation", {"results": []})
    assert isinstance(observation, dict)
    results = observation["results"]
    assert isinstance(results, list)
    return results


def _metrics(records: Sequence[Record]) -> Object:
    told: Object = {}
    usages = [record.usage for record in records if record.usage is not None]
    if usages:
        told["prompt_tokens"] = sum(one.prompt for one in usages)
        told["completion_tokens"] = sum(one.completion for one in usages)
        told["cached_tokens"] = sum(one.cached for one in usages)
    costs = [record.cost_usd for record in records if record.cost_usd is not None]
    if costs and len(costs) == len(records):
        told["cost_usd"] = float(sum(costs))
    told["extra"] = {
        "records": [record.id for record in records],
        "seconds": records[0].timing.total_s,
        "first_token_s": records[0].timing.first_token_s,
    }
    return told
