"""The red team's raids on boxes, files and the judge: each fails by its own wall, for the task here has no probe."""

from collections.abc import Callable

import pytest
from small_task import HONEST, fixed_randbelow, small_contract, small_order
from test_redteam import NUMBERS
from test_run import Writer

from reproducegym.adapters.executors.local import LocalExecutor
from reproducegym.pipeline.attacking.attacks import attacks
from reproducegym.pipeline.attacking.forgery import Attack
from reproducegym.pipeline.config_file import load_config
from reproducegym.pipeline.judging.rerun import Judge
from reproducegym.pipeline.judging.verify import Order
from reproducegym.pipeline.redteam import AttackTable, red_team
from reproducegym.sandbox.docker import DockerSandbox

ON_DOCKER = ("late_writer", "out_is_link", "kill_all", "other_tasks", "told_by_files", "writable_submission")
# Walls of the container itself, tried one by one in tests/sandbox (conformance, attacks); `make soak` raids them too.
ON_DOCKER_TOO = (
    *("late_run_writer", "stopped_self", "set_uid", "reach_out", "host_sockets", "other_processes"),
    "memory_bomb",
)

# Floods that last until a bound ends them: tests/sandbox tries these bounds one by one, test_verify that of a sleeper.
# `make soak` raids with them too; `make test` with memory_bomb, disk_then_out and many_files.
FLOODS = {"fork_bomb", "sleeper", "disk_fill", "deep_tower", "log_flood"}

# Tables that are malformed in the same ways as their neighbours in the list; `make soak` tries these too.
ALIKE = {
    *("cell_infinity", "cell_hex", "cell_boolean", "cell_huge_integer", "cell_formula", "cell_underscore"),
    *("cell_negative_nan", "cell_padded", "cell_tiny"),
    *("table_long_cell", "table_zipped", "table_no_header", "table_reordered", "table_second_header"),
}


def unprobed() -> Order:
    return small_order(small_contract().model_copy(update={"probes": ()}))


def raids(*names: str) -> tuple[Attack, ...]:
    order = unprobed()
    known = attacks(order.spec, order.contract)
    return tuple(
        one for one in known if (one.name in names if names else one.number not in NUMBERS and not one.external)
    )


def without_pay(table: AttackTable) -> None:
    assert {attack.name: (attack.reward, attack.why) for attack in table.attacks if attack.reward != 0.0} == {}
    assert all(attack.why for attack in table.attacks)


def test_no_raid_pays_and_none_ends_without_a_reward(judge: Judge):
    assert {one.name for one in raids()} > ALIKE | FLOODS
    assert len(raids()) > 70
    chosen = tuple(one for one in raids() if one.name not in ALIKE | FLOODS)
    table = red_team(unprobed(), chosen, judge, Writer(HONEST), lambda outcome: None)
    without_pay(table)
    assert table.oracle == 1.0


@pytest.mark.soak
def test_no_raid_of_those_that_are_alike_or_flood_pays(judge: Judge, record_property: Callable[[str, object], None]):
    table = red_team(unprobed(), raids(*sorted(ALIKE | FLOODS)), judge, None, lambda outcome: None)
    record_property("raids", len(table.attacks))
    without_pay(table)
    assert len(table.attacks) == len(ALIKE | FLOODS)


def test_what_the_spies_carry_is_paid_where_they_find_a_hole(judge: Judge):
    (spy,) = raids("own_inputs")
    opened = Attack(
        "21", "hole", spy.trick, {**spy.files, "spy.py": spy.files["spy.py"].replace(b"'ours' in", b"'' in")}
    )
    table = red_team(unprobed(), (opened,), judge, None, lambda outcome: None)
    assert table.gameability == 1.0


@pytest.mark.docker
@pytest.mark.parametrize(
    "names", [ON_DOCKER, pytest.param(ON_DOCKER_TOO, marks=pytest.mark.soak)], ids=["most", "rest"]
)
def test_no_raid_pays_on_docker(docker_image: str, names: tuple[str, ...]):
    limits = load_config(None).sandbox
    judge = Judge(
        sandbox=DockerSandbox(),
        image=docker_image,
        limits=limits,
        executor=LocalExecutor(2),
        randbelow=fixed_randbelow(),
        run_id="redteam-tests",
    )
    table = red_team(unprobed(), raids(*names), judge, Writer(HONEST), lambda outcome: None)
    without_pay(table)
    assert {attack.name for attack in table.attacks} == set(names)
    assert table.oracle == 1.0
