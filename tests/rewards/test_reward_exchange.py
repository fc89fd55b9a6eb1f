"""What clients of the reward service ask in turn, without a service: the same for the one that awaits."""

import math

import pytest

from reproducegym.adapters.reward_client.exchange import (
    Pace,
    Patience,
    RewardRefusedError,
    RewardUnavailableError,
    verified,
)

TOLD = {"id": "v1", "task_id": "a.b", "spec_hash": "0" * 16, "state": "queued", "reward": None, "reward_valid": None}
TOLD |= {"failure_kind": None, "evidence_level": None, "tries": 0}
DONE = TOLD | {"state": "done", "evidence_level": "reexecute", "tries": 3}
PAID = DONE | {"reward": 1.0, "reward_valid": True}


def test_an_order_that_waits_is_asked_for_by_its_id_and_sent_anew_where_the_service_has_lost_it():
    exchange = verified("a.b", {"x": "1"}, None, "key", Pace(Patience(), math.inf))
    order = next(exchange)
    assert (order.method, order.params["task_id"], order.headers["Idempotency-Key"]) == ("POST", "a.b", "key")
    asked = exchange.send(TOLD)
    assert (asked.method, asked.path) == ("GET", "/v1/verifications/v1")
    assert exchange.throw(RewardRefusedError(404, "unknown_verification", "")) == order
    with pytest.raises(StopIteration) as ended:
        exchange.send(PAID)
    assert (ended.value.value.reward, ended.value.value.verification) == (1.0, "v1")


def test_a_refusal_ends_it_and_what_nobody_earned_is_ordered_again_as_often_as_patience_says():
    refused = verified("a.b", {}, None, None, Pace(Patience(), math.inf))
    next(refused)
    with pytest.raises(RewardRefusedError, match="401"):
        refused.throw(RewardRefusedError(401, "unauthorized", ""))
    unscored = verified("a.b", {}, None, None, Pace(Patience(unscored_tries=2), math.inf))
    assert next(unscored) == unscored.send(DONE | {"failure_kind": "infra", "reward_valid": False})
    with pytest.raises(StopIteration) as ended:
        unscored.send(DONE | {"failure_kind": "infra", "reward_valid": False})
    assert (ended.value.value.reward, ended.value.value.valid) == (None, False)


def test_patience_ends_an_order_that_is_never_done():
    late = verified("a.b", {}, None, None, Pace(Patience(total_s=7), 0.0))
    assert next(late).params["wait"] == "0.0"
    with pytest.raises(RewardUnavailableError, match="no reward within 7 s"):
        late.send(TOLD)
