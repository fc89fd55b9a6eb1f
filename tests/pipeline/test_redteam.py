"""The red team against a task with both probes: no cheat pays, honest work does."""

import pytest
from small_task import HONEST, small_contract, small_order, small_spec
from test_run import Writer

from reproducegym.pipeline.attacks import attacks, remembered
from reproducegym.pipeline.redteam import AttackTable, red_team
from reproducegym.pipeline.verify import Judge


@pytest.fixture(scope="module")
def table(judge: Judge) -> AttackTable:
    order = small_order()
    return red_team(order, attacks(order.spec, order.contract), judge, Writer(HONEST), lambda outcome: None)


def test_the_cheats_know_the_values_that_meet_the_target():
    contract = small_contract()
    assert remembered(small_spec(contract), contract) == {"with_b": {"score": 5.0}, "with_a": {"score": 3.0}}


def test_no_attack_pays_and_each_has_a_reason(table: AttackTable):
    assert {attack.name: attack.reward for attack in table.attacks if attack.reward != 0.0} == {}
    assert all(attack.why for attack in table.attacks)
    assert table.gameability == 0.0
    assert table.paying() == table.unjudged() == ()


def test_honest_work_is_paid_at_the_same_time(table: AttackTable):
    assert table.oracle == 1.0


def test_the_list_covers_the_cheap_attacks(table: AttackTable):
    assert {attack.number for attack in table.attacks} >= {*"12345678", "9", "10", "18b", "20"}
    assert len({attack.name for attack in table.attacks}) == len(table.attacks)


def test_remembered_values_would_pay_without_probes_so_the_attack_is_armed(judge: Judge):
    order = small_order(small_contract().model_copy(update={"probes": ()}))
    armed = [attack for attack in attacks(order.spec, order.contract) if attack.name == "memory_by_switches"]
    table = red_team(order, tuple(armed), judge, None, lambda outcome: None)
    assert [attack.name for attack in table.paying()] == ["memory_by_switches"]
    assert table.gameability == 1.0
    assert table.oracle == "none"
