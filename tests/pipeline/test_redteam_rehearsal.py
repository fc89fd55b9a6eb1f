"""The cheap attacks at build time say of each task what remembered numbers would earn in it."""

import pytest
from small_task import small_contract, small_spec

from reproducegym.pipeline.proving.rehearsal import rehearse, resists_memory
from reproducegym.schema.spec import Probes


def rehearsed(*probes: str) -> dict[str, tuple[bool, str]]:
    """Name of the attack → passed, detail; the task has these of the small task's probes."""
    whole = small_contract()
    contract = whole.model_copy(update={"probes": tuple(one for one in whole.probes if one.name in probes)})
    spec = small_spec(contract).model_copy(update={"probes": Probes(used=probes, missing={})})
    return {one.name: (one.passed, one.detail) for one in rehearse(spec, contract)}


def test_a_task_with_a_budget_probe_pays_no_remembered_number():
    assert set(rehearsed("null", "budget").values()) == {(True, "")}


@pytest.mark.parametrize("probes", [(), ("null",)])
def test_a_task_without_one_says_what_remembered_numbers_earn(probes: tuple[str, ...]):
    found = rehearsed(*probes)
    assert found["attack_by_switches"] == (True, "earns 1.00: no probe of this task stops it")
    assert {found[name] for name in ("attack_constants", "attack_by_place", "attack_copied_rows")} == {(True, "")}


def test_a_task_is_called_resistant_where_its_probes_stop_every_rehearsed_cheat():
    whole, bare = small_contract(), small_contract().model_copy(update={"probes": ()})
    assert resists_memory(small_spec(whole), whole)
    assert not resists_memory(small_spec(whole), bare)


def test_the_rehearsal_says_the_same_every_time():
    assert rehearsed("null") == rehearsed("null")
