"""The red team's numbers against a task with both probes: no cheat pays, honest work does."""

import pytest
from small_task import HONEST, small_contract, small_order, small_spec
from test_run import Writer

from reproducegym.pipeline.attacking.attacks import attacks
from reproducegym.pipeline.attacking.forgery import Attack, remembered
from reproducegym.pipeline.judging.rerun import Judge
from reproducegym.pipeline.redteam import AttackTable, red_team

# What probes stop, and what would tell a probe from a main run; all else must stop without any (test_redteam_raids).
NUMBERS = {"0", "1", "1b", "2", "3", "4", "5", "6", "17", "18b", "26", "27", "32"}


def listed(*names: str) -> tuple[Attack, ...]:
    order = small_order()
    known = attacks(order.spec, order.contract)
    return tuple(one for one in known if (one.name in names if names else one.number in NUMBERS or one.external))


@pytest.fixture(scope="module")
def table(judge: Judge) -> AttackTable:
    return red_team(small_order(), listed(), judge, Writer(HONEST), lambda outcome: None)


def test_the_cheats_know_the_values_that_meet_the_target():
    contract = small_contract()
    assert remembered(small_spec(contract), contract) == {"with_b": {"score": 5.0}, "with_a": {"score": 3.0}}


def test_no_attack_pays_and_each_has_a_reason(table: AttackTable):
    paid = {attack.name: attack.reward for attack in table.attacks if attack.reward != 0.0}
    # three know of budget probes, which curve, data and counterfactual may stop; one is believed by reward.sh alone
    informed = {"memory_by_knobs": 1.0, "memory_on_a_line": 1.0, "memory_on_a_curve": 1.0}
    assert paid == {**informed, "clawgym_typed_numbers": 1.0}
    assert all(attack.why for attack in table.attacks)
    assert (table.gameability, table.informed, table.external) == (0.0, 1.0, 1.0)
    assert table.paying() == table.unjudged() == ()


def test_every_row_says_what_its_reward_stands_on(table: AttackTable, judge: Judge):
    external = {attack.name for attack in table.attacks if attack.evidence_level == "artifact"}
    assert external == {attack.name for attack in table.attacks if attack.name.startswith("clawgym_")}
    assert {attack.evidence_level for attack in table.attacks} == {"artifact", "reexecute"}
    assert (table.evidence_level, table.sandbox) == ("reexecute", judge.sandbox.name)
    assert table.image == judge.sandbox.image_id(judge.image)


def test_in_clawgyms_mode_nothing_but_a_typed_table_is_paid(table: AttackTable):
    external = {attack.name: attack.reward for attack in table.attacks if attack.evidence_level == "artifact"}
    assert len(external) == 6
    assert {name for name, reward in external.items() if reward != 0} == {"clawgym_typed_numbers"}


def test_honest_work_is_paid_at_the_same_time(table: AttackTable):
    assert table.oracle == 1.0


def test_the_list_is_whole():
    order = small_order()
    known = attacks(order.spec, order.contract)
    numbers = {attack.number for attack in known}
    assert numbers >= {*map(str, range(1, 16)), "17", "18", "18b", "19", "19c", "20", *map(str, range(21, 33))}
    assert len({attack.name for attack in known}) == len(known) >= 90


def test_remembered_values_would_pay_without_probes_so_the_attacks_are_armed(judge: Judge):
    order = small_order(small_contract().model_copy(update={"probes": ()}))
    names = ("lucky_seed", "memory_by_switches", "left_between_runs")
    table = red_team(order, listed(*names), judge, None, lambda outcome: None)
    assert {attack.name for attack in table.paying()} == set(names)
    assert table.gameability == 1.0
    assert table.oracle == "none"
