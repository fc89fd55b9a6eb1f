"""What attempts will take: budgets give the most, earlier attempts what is likely, and workers share the work."""

from datetime import UTC, datetime
from decimal import Decimal

import pytest
from small_task import fixed_randbelow, small_order

from reproducegym.pipeline.attempts.estimate import estimate_batch, estimate_task
from reproducegym.pipeline.polling import polling_s
from reproducegym.schema.batch import AttemptLine
from reproducegym.schema.estimate import TaskEstimate


def line(agent: str, agent_s: float, reward: float | None = 0.0, dollars: str | None = None) -> AttemptLine:
    return AttemptLine(
        schema_version=1,
        task_id="small.c001_small",
        claim_id="c001_small",
        spec_hash="5" * 16,
        attempt=1,
        batch_id=None,
        slot=None,
        tried=None,
        begun=datetime(2026, 5, 4, tzinfo=UTC),
        agent=agent,
        outcome="finished",
        reward=reward,
        reward_valid=reward is not None,
        failure_kind="infra" if reward is None else None,
        verdict="failed",
        sandbox="docker",
        agent_s=agent_s,
        verify_s=5.0,
        total_s=agent_s + 5.0,
        tokens=None,
        dollars=None if dollars is None else Decimal(dollars),
    )


def told(*lines: AttemptLine, agent: str | None = None, sandboxes: int = 2) -> TaskEstimate:
    return estimate_task(small_order(), lines, agent=agent, sandboxes=sandboxes, randbelow=fixed_randbelow())


def test_budgets_give_the_most_that_an_attempt_takes():
    # 60 s for the agent; two main runs, a null and a budget run of 20 s each, two at once.
    assert (told().runs, told().run_budget_s, told().longest_s) == (4, 20, 100.0)
    assert told(sandboxes=1).longest_s == 140.0
    assert told(sandboxes=3).longest_s == 100.0
    assert told().measured is None


def test_attempts_that_were_scored_say_what_is_likely():
    lines = (
        line("a", 10.0),
        line("a", 30.0),
        line("a", 20.0),
        line("a", 999.0, None),
        line("noop", 0.1),
        line("b", 1.0),
    )
    measured = told(*lines, agent="a").measured
    assert measured is not None
    assert (measured.attempts, measured.agent_s, measured.verify_s, measured.dollars) == (3, 20.0, 5.0, None)
    of_all = told(*lines).measured
    assert of_all is not None
    assert of_all.attempts == 4
    assert told(*lines, agent="nobody").measured is None


def test_a_batch_is_shared_by_its_workers():
    task = told(line("a", 10.0, dollars="0.50"))
    one = estimate_batch([task], attempts=5, parallel=2)
    assert (one.longest_s, one.expected_s, one.dollars) == (300.0, 45.0, Decimal("2.50"))
    mixed = estimate_batch([task, told()], attempts=5, parallel=1)
    assert (mixed.longest_s, mixed.expected_s, mixed.dollars) == (1000.0, None, None)


@pytest.mark.parametrize(("budget", "interval"), [(20, 5), (600, 15), (3600, 60), (43_200, 600), (360_000, 600)])
def test_long_runs_are_looked_at_often_enough_and_not_too_often(budget: int, interval: int):
    assert polling_s(budget) == interval
