"""What an agent is told beside its task: what it may spend, how it works here, how to wait for long jobs."""

from reproducegym.pipeline.templates import render
from reproducegym.ports import AgentTask
from reproducegym.schema.config import AgentBudget

__all__ = ["budget_words", "cli_prompt"]


def budget_words(budget: AgentBudget, seconds: float) -> str:
    """The budgets of an attempt in one line."""
    words = [f"{seconds / 60:.0f} minutes of wall clock", f"{budget.max_tokens} tokens (prompts and replies together)"]
    if budget.max_dollars != "none":
        words.append(f"{budget.max_dollars} dollars")
    return f"{', '.join(words)}, {budget.max_tool_calls} calls of tools"


def cli_prompt(task: AgentTask, budget: AgentBudget) -> str:
    """The one prompt of a command-line agent."""
    words = budget_words(budget, task.timeout_s)
    told = {"instructions": task.instructions, "budget": words, "poll_s": task.poll_s}
    return render("agent/cli.md", told).strip()
