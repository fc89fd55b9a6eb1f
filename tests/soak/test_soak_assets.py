"""Long counts of the data probe: how often permuted labels fail honest work, how often they tell a remembered one."""

from collections import Counter

import pytest

from benchmarks.sample_runs import RunPool, Verification, verifications
from benchmarks.sample_tasks import SAMPLES, tasks_of

pytestmark = pytest.mark.soak

PONDS = SAMPLES / "telling-ponds-apart"
DRAWS = range(23)
SLOTS = 24


def judged(agent: str, slots: int | None) -> list[Verification]:
    tasks = tuple(tasks_of(PONDS))
    return verifications(RunPool(PONDS / agent, slots), tasks, DRAWS)


def data_failed(done: list[Verification]) -> Counter[bool]:
    return Counter(not probe.held for one in done for probe in one.report.probes if probe.probe == "data")


def test_permuted_labels_fail_no_honest_work(record_property):
    done = judged("solution", SLOTS)
    failed = data_failed(done)
    record_property("data_failed", f"{failed[True]}/{failed.total()}")
    record_property("paid", f"{sum(one.report.reward >= 0.9 for one in done)}/{len(done)}")
    assert failed.total() >= 200
    assert failed[True] <= 0.01 * failed.total()


@pytest.mark.parametrize("cheat", ["typed_numbers", "constant_noise", "knob_keyed"])
def test_permuted_labels_tell_every_remembered_number(cheat: str, record_property):
    done = judged(f"cheats/{cheat}", None if cheat == "typed_numbers" else SLOTS)
    failed = data_failed(done)
    record_property("data_caught", f"{failed[True]}/{failed.total()}")
    assert failed[False] == 0
    assert not [one for one in done if one.report.reward > 0]


def test_rows_in_a_drawn_order_have_another_digest_than_the_data_that_was_seen(record_property):
    done = judged("cheats/digest_keyed", SLOTS)
    record_property("earning", f"{sum(one.report.reward > 0 for one in done)}/{len(done)}")
    assert not [one for one in done if one.report.reward > 0]
