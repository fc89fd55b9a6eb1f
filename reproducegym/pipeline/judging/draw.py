"""Plans the runs of one verification: hidden seeds, opaque labels, shuffled conditions, drawn after the agent ended."""

from reproducegym.pipeline.judging.drawing import (
    SEED_BELOW,
    PlannedRun,
    Randbelow,
    fresh,
    plan_runs,
    probe_runs,
    shuffled,
    starting_order,
    under_labels,
)
from reproducegym.pipeline.judging.recorded import CHECKPOINTS
from reproducegym.pipeline.judging.replay import CROSSED, FINAL, FRESH, SEGMENT
from reproducegym.schema.contract import Contract
from reproducegym.schema.replay import ReplayPlan

__all__ = ["SEED_BELOW", "PlannedRun", "Randbelow", "plan_replay", "plan_runs", "starting_order"]


def plan_replay(contract: Contract, plan: ReplayPlan, randbelow: Randbelow) -> tuple[PlannedRun, ...]:
    """Of each seed some segments that nobody knew before, the last one, and the measurement at the last checkpoint.

    Then segments that start from another seed's checkpoint, first segments under new seeds, and the probes' runs.
    """
    runs: list[PlannedRun] = []
    taken = set(plan.seeds)

    def add(purpose: str, index: int, seed: int, start: str | None, stop: int) -> None:
        shown, opaque = under_labels(shuffled(contract.conditions, randbelow), randbelow)
        runs.append(PlannedRun(purpose, index, seed, shown, opaque, dict(contract.knobs), start, stop))

    for seed in plan.seeds:
        drawn = sorted(shuffled(range(1, plan.segments), randbelow)[: plan.drawn])
        ends = [(SEGMENT, stop, stop - 1) for stop in (*drawn, plan.segments)]
        for purpose, stop, start in (*ends, (FINAL, plan.segments, plan.segments)):
            add(purpose, stop, seed, f"{CHECKPOINTS}/{seed}/{start}" if start else None, stop)
    for number in range(plan.crossed if len(plan.seeds) > 1 and plan.segments > 1 else 0):
        seed, other = shuffled(plan.seeds, randbelow)[:2]
        stop = 2 + randbelow(plan.segments - 1) if number else plan.segments
        add(CROSSED, stop, seed, f"{CHECKPOINTS}/{other}/{stop - 1}", stop)
    for _ in range(plan.fresh):
        add(FRESH, 1, fresh(taken, lambda: randbelow(SEED_BELOW)), None, 1)
    return (*runs, *probe_runs(contract, randbelow, taken))
