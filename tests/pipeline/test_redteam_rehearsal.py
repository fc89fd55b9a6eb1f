"""The cheap attacks at build time say of each task what remembered numbers would earn in it."""

import pytest
from small_task import small_contract, small_order, small_spec

from reproducegym.errors import TamperedError
from reproducegym.pipeline.entry import check_entry, entry_of
from reproducegym.pipeline.proving.rehearsal import rehearse, resists_memory
from reproducegym.schema.spec import Probes


def rehearsed(*probes: str) -> dict[str, tuple[bool, str]]:
    """Name of the attack → passed, detail; the task has these of the small task's probes."""
    whole = small_contract()
    contract = whole.model_copy(update={"probes": tuple(one for one in whole.probes if one.name in probes)})
    spec = small_spec(contract).model_copy(update={"probes": Probes(used=probes, missing={})})
    return {one.name: (one.passed, one.detail) for one in rehearse(spec, contract)}


def test_a_task_with_a_budget_probe_pays_no_remembered_number_but_to_whom_knows_of_it():
    found = rehearsed("null", "budget")
    passed, said = found.pop("attack_by_knobs")
    assert passed
    assert said.startswith("earns 1.00:")
    assert said.endswith("it has to know that a turned knob must close the gap")
    assert set(found.values()) == {(True, "")}


@pytest.mark.parametrize(
    ("probes", "best", "weakest"),
    [((), 1.0, "switches"), (("null",), 1.0, "switches"), (("null", "budget"), 0.0, "knobs")],
)
def test_the_manifest_says_the_best_that_the_paper_alone_earns_and_the_least_that_is_paid(probes, best, weakest):
    whole = small_contract()
    contract = whole.model_copy(update={"probes": tuple(one for one in whole.probes if one.name in probes)})
    spec = small_spec(contract).model_copy(update={"probes": Probes(used=probes, missing={})})
    entry = entry_of(
        spec, task_dir="03-task/x", task_digest="d" * 64, timeout_s=60, image="x", report=small_order().entry.report
    )
    assert (entry.report.gameability, entry.report.remembered) == (best, weakest)
    assert entry.memory_resistant == (best == 0)
    said_other = entry.model_copy(update={"report": entry.report.model_copy(update={"gameability": 0.5})})
    with pytest.raises(TamperedError, match="report of"):
        check_entry(said_other, spec, "task_manifest.json")


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
