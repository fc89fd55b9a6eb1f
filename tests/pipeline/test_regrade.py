"""Scoring a stored attempt again: unchanged by default, changed by a changed contract, refused when tampered with."""

import pytest
from small_task import HONEST, small_contract, small_order
from test_run import Writer

from reproducegym.errors import SchemaError, TamperedError
from reproducegym.pipeline.regrade import regrade
from reproducegym.pipeline.run import attempt
from reproducegym.pipeline.verify import Judge
from reproducegym.schema.contract import Curve


@pytest.fixture(scope="module")
def stored(judge: Judge) -> dict[str, bytes]:
    return dict(attempt(small_order(), Writer(HONEST), judge).files(1))


def again(files, contract=None):
    contract = small_contract() if contract is None else contract
    return regrade(files, contract, contract.to_json().encode(), "c" * 16)


def test_the_same_contract_gives_the_same_result(stored):
    graded = again(stored)
    assert not graded.changed
    assert graded.after == graded.before


def test_another_curve_changes_the_reward_and_says_so(stored):
    strict = Curve(shape="two_sided", points=((8.0, 0.0), (8.5, 1.0), (9.0, 1.0), (9.5, 0.0)), plausible=(None, None))
    graded = again(stored, small_contract().model_copy(update={"reward_curves": {"gain": strict}}))
    assert graded.changed
    assert (graded.before.reward, graded.after.reward) == (1.0, 0.0)
    assert graded.after.verdict == "failed"


def test_an_edited_table_is_refused(stored):
    name = "verification/runs/0/metrics.csv"
    with pytest.raises(TamperedError, match=r"runs/0/metrics\.csv"):
        again({**stored, name: stored[name] + b"\n"})
    with pytest.raises(TamperedError):
        again({key: value for key, value in stored.items() if key != name})


def test_a_broken_record_is_a_schema_error(stored):
    with pytest.raises(SchemaError, match=r"draw\.json"):
        again({**stored, "verification/draw.json": b"{}"})


def test_an_attempt_that_was_never_verified_stays_as_it_is(judge: Judge):
    refused = attempt(small_order(), Writer(HONEST, "ln -s /etc/passwd leak"), judge).files(1)
    graded = again(refused)
    assert not graded.changed
    assert graded.after.reward == 0.0
