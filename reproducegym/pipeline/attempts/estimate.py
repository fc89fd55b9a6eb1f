"""Says what attempts will take: from the budgets of the contract, and from attempts that were made."""

import heapq
import math
from collections.abc import Iterable, Sequence
from decimal import Decimal
from statistics import median

from reproducegym.pipeline.judging.draw import Randbelow, plan_replay, plan_runs
from reproducegym.pipeline.judging.replay import REPLAY
from reproducegym.pipeline.judging.verify import Order
from reproducegym.pipeline.polling import polling_s
from reproducegym.schema.batch import AttemptLine
from reproducegym.schema.estimate import BatchEstimate, Measured, TaskEstimate
from reproducegym.schema.reading import read_json
from reproducegym.schema.replay import ReplayPlan

__all__ = ["estimate_batch", "estimate_task"]


def estimate_task(
    order: Order, lines: Iterable[AttemptLine], *, agent: str | None, sandboxes: int, randbelow: Randbelow
) -> TaskEstimate:
    """One attempt at a task, `sandboxes` runs of its verification at once; `lines` are attempts at tasks of its paper.

    `agent` says whose attempts are taken; None takes those of all that do something.
    """
    entry = order.entry
    runs, budget = _runs(order.on(0) if order.samples else order, randbelow)
    return TaskEstimate(
        task_id=entry.task_id,
        claim_id=entry.claim_id,
        spec_hash=entry.spec_hash,
        cost=entry.cost,
        requires_training=entry.requires_training,
        requires_gpu=entry.requires_gpu,
        agent_budget_s=entry.timeout_s,
        runs=runs,
        run_budget_s=budget,
        longest_s=float(entry.timeout_s + math.ceil(runs / sandboxes) * budget),
        poll_s=polling_s(order.spec.run_budget_s),
        measured=_measured(order, lines, agent),
    )


def estimate_batch(tasks: Sequence[TaskEstimate], *, attempts: int, parallel: int) -> BatchEstimate:
    """So many attempts at each task, in the order in which a batch makes them."""
    known = [task.measured for task in tasks if task.measured is not None]
    all_known = len(known) == len(tasks)
    dollars = [one.dollars for one in known if one.dollars is not None]
    return BatchEstimate(
        attempts=attempts,
        parallel=parallel,
        longest_s=_makespan([task.longest_s for task in tasks] * attempts, parallel),
        expected_s=_makespan([one.agent_s + one.verify_s for one in known] * attempts, parallel) if all_known else None,
        dollars=sum(dollars, Decimal(0)) * attempts if all_known and len(dollars) == len(tasks) else None,
        tasks=tuple(tasks),
    )


def _runs(order: Order, randbelow: Randbelow) -> tuple[int, int]:
    """How many runs a verification makes, and the seconds that each may take."""
    if order.contract.evidence_level == "artifact":
        return 0, order.spec.run_budget_s
    if order.contract.evidence_level == "replay":
        plan = read_json(ReplayPlan, order.input_files[REPLAY], REPLAY)
        return len(plan_replay(order.contract, plan, randbelow)), plan.segment_budget_s
    return len(plan_runs(order.contract, randbelow)), order.spec.run_budget_s


def _measured(order: Order, lines: Iterable[AttemptLine], agent: str | None) -> Measured | None:
    wanted = (order.entry.claim_id, order.entry.spec_hash)
    fitting = [
        line
        for line in lines
        if (line.claim_id, line.spec_hash) == wanted
        and line.reward_valid
        and (line.agent != "noop" if agent is None else line.agent == agent)
    ]
    if not fitting:
        return None
    dollars = [line.dollars for line in fitting if line.dollars is not None]
    return Measured(
        attempts=len(fitting),
        agent_s=round(median(line.agent_s for line in fitting), 3),
        verify_s=round(median(line.verify_s for line in fitting), 3),
        dollars=median(dollars) if len(dollars) == len(fitting) else None,
    )


def _makespan(seconds: Sequence[float], parallel: int) -> float:
    """When the last piece ends, if each begins as soon as one of so many workers is free."""
    free = [0.0] * parallel
    for length in seconds:
        heapq.heapreplace(free, free[0] + length)
    return round(max(free), 3)
