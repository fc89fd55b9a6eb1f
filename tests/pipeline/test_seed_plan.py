"""Stories of how many seeds a claim is run with."""

from decimal import Decimal

import pytest
from printed_terms import derived, setting, term

from reproducegym.pipeline.targets.tolerance import (
    seed_plan,
)


@pytest.mark.parametrize(
    ("z", "count", "origin"),
    [("90", 1, "prediction_interval"), ("54", 4, "prediction_interval"), ("50", 5, "budget_cap")],
)
def test_a_weaker_effect_takes_more_seeds(z, count, origin):
    value = derived("absolute", term("a", "47.3", "1.2", n=5))
    plan = seed_plan(value, Decimal(z), setting(), policy_seeds=3, floor=1, cap=5)
    assert (plan.count, plan.origin) == (count, origin)


def test_the_last_seed_that_fits_may_be_the_one_that_tells():
    value = derived("absolute", term("a", "47.3", "1.2", n=5))
    plan = seed_plan(value, Decimal(54), setting(), policy_seeds=3, floor=1, cap=4)
    assert (plan.count, plan.origin) == (4, "prediction_interval")
    short = seed_plan(value, Decimal(54), setting(), policy_seeds=3, floor=1, cap=3)
    assert (short.count, short.origin) == (3, "budget_cap")


def test_several_primaries_take_more_seeds():
    value = derived("absolute", term("a", "47.3", "1.2", n=5))
    one, two = (
        seed_plan(value, Decimal(54), setting(primaries=n), policy_seeds=3, floor=1, cap=99).count for n in (1, 2)
    )
    assert one == 4 < two < 99


def test_one_seed_is_never_enough_to_show_that_it_is_used():
    plan = seed_plan(
        derived("absolute", term("a", "47.3", "1.2", n=5)), Decimal(90), setting(), policy_seeds=3, floor=2, cap=5
    )
    assert plan.count == 2


@pytest.mark.parametrize("spread", ["1.2", None])
def test_a_budget_for_one_run_still_takes_the_fewest_seeds_that_tell(spread):
    value = derived("absolute", term("a", "47.3", spread))
    assert seed_plan(value, Decimal(50), setting(), policy_seeds=1, floor=2, cap=1).count == 2


def test_without_a_spread_the_policy_says_how_many_seeds():
    plan = seed_plan(derived("absolute", term("a", "47.3")), Decimal(90), setting(), policy_seeds=3, floor=1, cap=5)
    assert (plan.count, plan.origin) == (3, "policy")
