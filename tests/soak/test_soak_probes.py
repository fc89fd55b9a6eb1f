"""Long counts of probes: how often each kind fails an honest reproduction, and how often it tells a remembered one.

Over every sample paper of our own that has a solution and cheats. `pytest -m soak tests/soak/test_soak_probes.py -k
PAPER` counts one of them.
"""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

from benchmarks.sample_runs import RunPool, Verification, verifications
from benchmarks.sample_tasks import SAMPLES, SampleTask, tasks_of

pytestmark = pytest.mark.soak

PAPERS = [path.parent.name for path in sorted(SAMPLES.glob("*/paper.pdf")) if (path.parent / "solution").is_dir()]
HONEST = 1000
SLOTS = 16
FAKED = 100
FAKED_SLOTS = 20
STRENGTHS = {"typed_numbers": (0.0, None), "constant_noise": (0.05, FAKED_SLOTS), "knob_keyed": (1.0, FAKED_SLOTS)}
STRENGTHS["interpolated"] = (1.0, FAKED_SLOTS)
"""What may be paid of memory-resistant verifications to a cheat that goes by labels and places, switches, or knobs too;
and from how many runs of a kind its verifications are drawn (None: each is run)."""


@pytest.fixture(scope="module", params=PAPERS)
def sample(request: pytest.FixtureRequest) -> Path:
    return SAMPLES / request.param


@pytest.fixture(scope="module")
def tasks(sample: Path) -> tuple[SampleTask, ...]:
    found = tasks_of(sample)
    assert found
    return found


def judged(pool: RunPool, tasks: Sequence[SampleTask], at_least: int) -> list[Verification]:
    return verifications(pool, tasks, range(-(-at_least // len(tasks))))


def failed_of_asked(done: Sequence[Verification]) -> dict[str, tuple[int, int]]:
    """For each kind of probe: of how many verifications that asked it did how many fail it."""
    asked = Counter(probe.probe for one in done for probe in one.report.probes)
    failed = Counter(probe.probe for one in done for probe in one.report.probes if not probe.held)
    return {kind: (failed[kind], times) for kind, times in sorted(asked.items())}


@pytest.mark.parametrize("alone", [False, True], ids=["one_seed_for_all", "a_seed_for_each_condition"])
def test_each_kind_of_probe_holds_for_honest_work(sample: Path, tasks, alone: bool, record_property):
    done = judged(RunPool(sample / "solution", SLOTS, alone=alone), tasks, HONEST)
    record_property("verifications", len(done))
    counts = failed_of_asked(done)
    for kind, (failed, asked) in counts.items():
        record_property(f"{kind}_failed", f"{failed}/{asked}")
    record_property("paid", f"{sum(one.report.reward >= 0.9 for one in done)}/{len(done)}")
    assert all(failed <= 0.01 * asked for failed, asked in counts.values()), told(done)


@pytest.mark.parametrize("cheat", STRENGTHS)
def test_remembered_values_are_told_from_work(sample: Path, tasks, cheat: str, record_property):
    agent = sample / "cheats" / cheat
    if not agent.is_dir():
        pytest.skip(f"{sample.name} has no cheat {cheat}")
    allowed, slots = STRENGTHS[cheat]
    done = judged(RunPool(agent, slots), tasks, FAKED)
    record_property("verifications", len(done))
    for kind, (failed, asked) in failed_of_asked(done).items():
        record_property(f"{kind}_caught", f"{failed}/{asked}")
    groups = {"resistant": [one for one in done if one.task.resistant]}
    groups["other"] = [one for one in done if not one.task.resistant]
    for kind in ("curve", "counterfactual"):
        groups[f"with_{kind}"] = [one for one in done if kind in one.task.spec.probes.used]
    for name, group in groups.items():
        if group:
            record_property(f"{name}_earning", f"{earning(group)}/{len(group)}")
    assert earning(groups["resistant"]) <= allowed * len(groups["resistant"]), told(groups["resistant"])
    assert earning(groups["with_curve"]) == earning(groups["with_counterfactual"]) == 0


def earning(group: Sequence[Verification]) -> int:
    return sum(one.report.reward > 0 for one in group)


def told(done: Sequence[Verification]) -> str:
    """Each task's title, the rewards that it gave, and why its probes failed."""
    lines = []
    for title in dict.fromkeys(one.task.spec.title for one in done):
        own = [one.report for one in done if one.task.spec.title == title]
        why = Counter(f"{probe.probe}: {probe.note}" for one in own for probe in one.probes if not probe.held)
        lines.append(f"{title}: {sorted(round(one.reward, 2) for one in own)} {dict(why)}")
    return "\n".join(lines)
