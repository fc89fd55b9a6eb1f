"""What attempts will take, before they are made: the most that budgets allow, and what earlier attempts took."""

from decimal import Decimal

from reproducegym.schema.base import Frozen

__all__ = ["BatchEstimate", "Measured", "TaskEstimate"]


class Measured(Frozen):
    """Medians over earlier scored attempts at a task. Seconds are wall clock; `dollars` is None where none is known."""

    attempts: int
    agent_s: float
    verify_s: float
    dollars: Decimal | None


class TaskEstimate(Frozen):
    """One attempt at a task. Seconds are wall clock.

    `runs` is how often a verification runs reproduce.sh, each at most for `run_budget_s`; `longest_s` is the agent's
    budget and all these runs, a number of them at once. `poll_s` is how often to look at a whole run in the background,
    as the agent is told.
    """

    task_id: str
    claim_id: str
    spec_hash: str
    cost: str
    requires_training: bool
    requires_gpu: bool
    agent_budget_s: int
    runs: int
    run_budget_s: int
    longest_s: float
    poll_s: int
    measured: Measured | None


class BatchEstimate(Frozen):
    """A whole batch, so many attempts at once: at most `longest_s`; `expected_s` and `dollars` by what was measured.

    Both are None where a task was not tried before; `dollars` also where a price is not known.
    """

    attempts: int
    parallel: int
    longest_s: float
    expected_s: float | None
    dollars: Decimal | None
    tasks: tuple[TaskEstimate, ...]
