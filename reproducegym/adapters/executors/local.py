"""Runs pieces of work in threads of this process; the heavy part of each runs in its own sandbox."""

from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import TypeVar

from reproducegym.errors import MisuseError

__all__ = ["LocalExecutor"]

T = TypeVar("T")
R = TypeVar("R")


class LocalExecutor:
    """At most `parallel` pieces at once; results come in the order of the items, items are taken as room comes.

    Raises:
        MisuseError: `parallel` is below 1.
    """

    name = "local"

    def __init__(self, parallel: int) -> None:
        if parallel < 1:
            raise MisuseError(f"at least one piece of work must run at once, not {parallel}")
        self._parallel = parallel

    def map(self, work: Callable[[T], R], items: Iterable[T]) -> Iterator[R]:
        """Apply work to every item.

        The first error in the order of items is raised; what has not begun by then never begins, and what has is
        waited for.
        """
        running: deque[Future[R]] = deque()
        with ThreadPoolExecutor(self._parallel, thread_name_prefix="reproducegym") as pool:
            try:
                for item in items:
                    running.append(pool.submit(work, item))
                    if len(running) >= 2 * self._parallel:  # one slow piece keeps no thread idle
                        yield running.popleft().result()
                while running:
                    yield running.popleft().result()
            finally:
                for future in running:
                    future.cancel()

    def as_done(self, work: Callable[[T], R], items: Iterable[T]) -> Generator[R, None, None]:
        """Results as they come; the first error that comes is raised, after what has begun has ended."""
        running: set[Future[R]] = set()
        with ThreadPoolExecutor(self._parallel, thread_name_prefix="reproducegym") as pool:
            for item in items:
                running.add(pool.submit(work, item))
                if len(running) == self._parallel:
                    done, running = wait(running, return_when=FIRST_COMPLETED)
                    yield from (future.result() for future in done)
            while running:
                done, running = wait(running, return_when=FIRST_COMPLETED)
                yield from (future.result() for future in done)
