"""The local executor: in order, bounded, and honest about errors."""

import threading
import time
from itertools import islice

import pytest

from reproducegym.adapters.executors.local import LocalExecutor
from reproducegym.errors import InfrastructureError, MisuseError


def test_results_come_in_the_order_of_items_with_a_bound_on_how_many_at_once() -> None:
    lock, now, most = threading.Lock(), 0, 0

    def work(item: int) -> int:
        nonlocal now, most
        with lock:
            now += 1
            most = max(most, now)
        time.sleep(0.02 if item % 2 else 0.05)
        with lock:
            now -= 1
        return item * item

    assert list(LocalExecutor(3).map(work, range(20))) == [item * item for item in range(20)]
    assert most == 3


def test_items_are_taken_as_room_comes() -> None:
    taken: list[int] = []

    def items():
        for item in range(100):
            taken.append(item)
            yield item

    results = LocalExecutor(2).map(lambda item: item, items())
    assert list(islice(results, 3)) == [0, 1, 2]
    assert len(taken) < 10
    results.close()


def test_an_error_is_raised_and_what_has_not_begun_never_begins() -> None:
    begun: list[int] = []

    def work(item: int) -> int:
        begun.append(item)
        time.sleep(0.02)
        if item == 1:
            raise InfrastructureError("engine gone")
        return item

    with pytest.raises(InfrastructureError, match="engine gone"):
        list(LocalExecutor(1).map(work, range(50)))
    assert len(begun) < 6


def test_no_room_at_all_is_misuse() -> None:
    with pytest.raises(MisuseError):
        LocalExecutor(0)
