"""The queue of the reward service over time: what is done is told for a week, and then forgotten with its key."""

import time
from pathlib import Path

import pytest

from reproducegym.adapters.reward_service.ledger import Ledger, Order
from reproducegym.adapters.reward_service.measures import Measures
from reproducegym.adapters.reward_service.refusals import RefusedRequestError
from reproducegym.adapters.reward_service.wire import Details, Scored
from reproducegym.adapters.reward_service.workers import Trying, Workers

DAY = 86_400.0
DONE = Scored(
    reward=1.0,
    failure_kind=None,
    evidence_level="artifact",
    details=Details(failure_detail="", evidence_detail="", problems=(), probes=()),
)


def test_a_service_that_runs_on_forgets_what_is_older_than_a_week(tmp_path: Path):
    day = 0.0
    ledger = Ledger(tmp_path / "queue", 10, clock=lambda: day * DAY)
    orders = [Order("paper.claim", "0", "digest", b"", key=name) for name in ("old", "new", "waiting")]
    old, new, waiting = (ledger.add(order)[0].id for order in orders)
    for name, at in ((old, 0.0), (new, 2.0)):
        day = at
        ledger.end(name, DONE)
    day = 8.0
    workers = Workers(ledger, lambda *_: DONE, Trying(at_once=0), Measures(), lambda: True, lambda _: None)
    workers.start()
    try:
        with pytest.raises(RefusedRequestError, match="no such verification"):
            end = time.monotonic() + 30
            while time.monotonic() < end:
                ledger.job(old)
                time.sleep(0.05)
    finally:
        workers.stop(1)
    assert (ledger.job(new).state, ledger.job(waiting).state) == ("done", "queued")
    assert ledger.add(orders[0])[1]
    assert not ledger.add(orders[1])[1]
