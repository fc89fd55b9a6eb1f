"""Regrades one stored attempt with its task as it stands now."""

from reproducegym.cli.places import AttemptPlace
from reproducegym.errors import TamperedError
from reproducegym.pipeline.judging.regrade import Regraded
from reproducegym.pipeline.judging.regrade import regrade as regrade_attempt
from reproducegym.pipeline.run import read_order

__all__ = ["regraded"]


def regraded(place: AttemptPlace) -> Regraded:
    """What it earns today; nothing is written.

    Raises:
        TamperedError: something of the attempt or of its task is not what was stored.
        SchemaError: a stored record does not fit its schema.
        NotFoundError: the task is gone.
    """
    task = place.task
    order = read_order(task.store, task.claim_id, task.spec_hash)
    stored = task.store.read_result(task.claim_id, task.spec_hash, place.number)
    if (stored.task_id, stored.spec_hash, stored.attempt) != (order.entry.task_id, task.spec_hash, place.number):
        there = task.store.attempt_directory(task.claim_id, task.spec_hash, place.number)
        whose = f"attempt {stored.attempt} at {stored.task_id} {stored.spec_hash}"
        raise TamperedError(f"{there}/result.json is of another attempt: {whose}")
    files = task.store.read_attempt(task.claim_id, task.spec_hash, place.number)
    return regrade_attempt(
        files, order.contract, order.contract_json, order.entry.contract_hash, order.samples, order.spec.audit
    )
