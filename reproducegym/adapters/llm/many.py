"""Runs the same work on many things at once, in threads that never keep a stopped program alive."""

import threading
from collections.abc import Callable, Sequence
from typing import TypeVar

__all__ = ["in_order"]

T = TypeVar("T")
R = TypeVar("R")


def in_order(work: Callable[[T], R], items: Sequence[T], at_once: int, stop: Callable[[], None]) -> tuple[R, ...]:
    """The results in the order of the items.

    When one fails, `stop` is called, nothing new is begun, what runs is waited for (it was paid for), and that first
    failure is raised. When the caller itself is stopped (Ctrl-C), nothing is waited for: the threads are
    daemons.
    """
    results: dict[int, R] = {}
    failures: list[Exception] = []
    left = iter(range(len(items)))
    lock = threading.Lock()

    def worker() -> None:
        while True:
            with lock:
                number = None if failures else next(left, None)
            if number is None:
                return
            try:
                results[number] = work(items[number])
            except Exception as error:  # noqa: BLE001 - raised again below, in the caller's thread
                with lock:
                    failures.append(error)
                stop()

    threads = [threading.Thread(target=worker, daemon=True) for _ in range(min(at_once, len(items)))]
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    except BaseException:
        stop()
        raise
    if failures:
        raise failures[0]
    return tuple(results[number] for number in range(len(items)))
