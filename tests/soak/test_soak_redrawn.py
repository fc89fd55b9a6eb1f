"""Sample papers drawn anew: their targets recomputed from other seeds; honest work must still be paid for each."""

from collections import Counter

import pytest

from benchmarks.sample_runs import RunPool, verifications
from benchmarks.sample_tasks import SAMPLES, redrawn, tasks_of

pytestmark = pytest.mark.soak

PAPERS = [path.parent.parent.name for path in sorted(SAMPLES.glob("*/experiments/run_all.py"))]
FIRST_SEEDS = range(1000, 1200, 10)
DRAWS = range(10)
SLOTS = 16


@pytest.mark.parametrize("paper", PAPERS)
def test_honest_work_is_paid_under_97_of_100_papers_drawn_anew(paper: str, record_property):
    pool = RunPool(SAMPLES / paper / "solution", SLOTS)
    rewards: list[float] = []
    missed: Counter[str] = Counter()
    for first_seed in FIRST_SEEDS:
        tasks = tasks_of(SAMPLES / paper, redrawn(SAMPLES / paper, first_seed))
        assert tasks
        for one in verifications(pool, tasks, DRAWS):
            rewards.append(one.report.reward)
            failed = [probe.probe for probe in one.report.probes if not probe.held] or ["metric"]
            if one.report.reward < 0.9:
                missed[f"{first_seed} {one.task.spec.title}: {' '.join(failed)}"] += 1
    paid = sum(reward >= 0.9 for reward in rewards) / len(rewards)
    record_property("papers", len(FIRST_SEEDS))
    record_property("verifications", len(rewards))
    record_property("paid", f"{paid:.3f}")
    assert paid >= 0.97, missed.most_common(20)
