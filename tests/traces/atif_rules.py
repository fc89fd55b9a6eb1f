"""What Harbor's own models and validator demand of a trajectory, for tests that run without Harbor."""

from collections.abc import Set

AGENT_ONLY = {"model_name", "reasoning_effort", "reasoning_content", "tool_calls", "metrics"}
ROOT = {
    "schema_version",
    "session_id",
    "trajectory_id",
    "agent",
    "steps",
    "notes",
    "final_metrics",
    "extra",
    "subagent_trajectories",
}
STEP = {
    *AGENT_ONLY,
    "step_id",
    "timestamp",
    "source",
    "message",
    "observation",
    "is_copied_context",
    "llm_call_count",
    "extra",
}
METRICS = {"prompt_tokens", "completion_tokens", "cached_tokens", "cost_usd", "extra"}
TOTALS = {"total_prompt_tokens", "total_completion_tokens", "total_cached_tokens", "total_cost_usd", "total_steps"}


def faults(told: dict, files: Set[str]) -> list[str]:
    """What would be refused; `files` are the pictures that are there."""
    found = [f"unknown {key}" for key in set(told) - ROOT]
    found += [f"missing {key}" for key in ("agent", "steps") if not told.get(key)]
    found += [f"metrics: unknown {key}" for key in set(told["final_metrics"]) - TOTALS]
    for number, step in enumerate(told["steps"], 1):
        found += _step_faults(step, number, files)
    inner = told.get("subagent_trajectories", [])
    ids = [one.get("trajectory_id") for one in inner]
    if None in ids or len(set(ids)) != len(ids):
        found.append("embedded trajectories need identifiers of their own")
    return found + [fault for one in inner for fault in faults(one, files)]


def _step_faults(step: dict, number: int, files: Set[str]) -> list[str]:
    where = f"step {number}"
    found = [f"{where}: unknown {key}" for key in set(step) - STEP]
    if step["step_id"] != number or step["source"] not in ("system", "user", "agent"):
        found.append(f"{where}: wrong number or source")
    if step["source"] != "agent":
        found += [f"{where}: {key} is for agents" for key in AGENT_ONLY & set(step)]
    found += [f"{where}: metrics: unknown {key}" for key in set(step.get("metrics", {})) - METRICS]
    calls = {call["tool_call_id"] for call in step.get("tool_calls", [])}
    found += [f"{where}: arguments" for c in step.get("tool_calls", []) if not isinstance(c["arguments"], dict)]
    contents = [step["message"]]
    for result in step.get("observation", {}).get("results", []):
        contents.append(result.get("content", ""))
        if result["source_call_id"] not in calls:
            found.append(f"{where}: a result of no call")
    for part in [part for content in contents if isinstance(content, list) for part in content]:
        if part["type"] == "text" and set(part) != {"type", "text"}:
            found.append(f"{where}: text part")
        if part["type"] == "image" and "://" not in part["source"]["path"] and part["source"]["path"] not in files:
            found.append(f"{where}: no such picture")
    return found
