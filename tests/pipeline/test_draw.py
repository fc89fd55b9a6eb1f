"""What a run is shown: hidden seeds, opaque labels and shuffled conditions that say nothing about its purpose."""

import re
import secrets

from small_task import fixed_randbelow, small_contract, with_choices

from reproducegym.pipeline.judging.draw import plan_runs


def test_every_main_run_and_every_probe_run_is_planned_with_a_seed_of_its_own():
    plans = plan_runs(small_contract(seeds=4), fixed_randbelow())
    assert [plan.purpose for plan in plans] == ["main"] * 4 + ["null", "budget"]
    assert [plan.index for plan in plans] == [0, 1, 2, 3, 0, 0]
    assert len({plan.seed for plan in plans}) == len(plans)
    assert all(0 <= plan.seed < 2**31 for plan in plans)


def test_labels_are_opaque_new_in_each_run_and_map_back():
    contract = small_contract(seeds=5)
    plans = plan_runs(contract, fixed_randbelow())
    shown = [condition.label for plan in plans for condition in plan.conditions]
    assert len(set(shown)) == len(shown)
    assert all(re.fullmatch(r"c[0-9a-f]{8}", label) for label in shown)
    known = {"main": contract.conditions} | {probe.name: probe.conditions for probe in contract.probes}
    for plan in plans:
        asked = {condition.label: condition.switches for condition in known[plan.purpose]}
        assert {plan.labels[one.label]: one.switches for one in plan.conditions} == asked


def test_the_place_of_a_condition_says_nothing():
    firsts = [plan_runs(small_contract(1), secrets.randbelow)[0] for _ in range(60)]
    assert {plan.labels[plan.conditions[0].label] for plan in firsts} == {"with_a", "with_b"}


def test_knobs_are_complete_and_probes_turn_theirs():
    plans = plan_runs(small_contract(1), fixed_randbelow())
    assert {plan.purpose: plan.knobs for plan in plans} == {
        "main": {"steps": 100.0},
        "null": {"steps": 100.0},
        "budget": {"steps": 0.0},
    }


def test_the_same_randomness_gives_the_same_plan():
    assert plan_runs(small_contract(), fixed_randbelow(9)) == plan_runs(small_contract(), fixed_randbelow(9))


def test_a_script_that_goes_by_places_gives_an_effect_both_signs():
    for _ in range(20):
        pairs = [plan for plan in plan_runs(small_contract(4), secrets.randbelow) if plan.purpose == "main"]
        for one, other in zip(pairs[::2], pairs[1::2], strict=True):
            assert list(one.labels.values()) == list(other.labels.values())[::-1]
            assert list(one.labels) == sorted(one.labels)


def test_all_runs_of_a_probe_are_made_under_one_drawn_choice():
    contract = with_choices()
    seen = set()
    for _ in range(60):
        runs = [plan for plan in plan_runs(contract, secrets.randbelow) if plan.purpose == "counterfactual"]
        ((choice, steps),) = {(plan.choice, plan.knobs["steps"]) for plan in runs}
        assert {"steps": steps} == contract.probes[-1].choices[choice].knobs
        seen.add(choice)
    assert seen == {0, 1, 2}
