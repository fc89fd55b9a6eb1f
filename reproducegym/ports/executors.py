"""Where pieces of work run."""

from collections.abc import Callable, Generator, Iterable, Iterator
from typing import Protocol, TypeVar

__all__ = ["Executor"]

T = TypeVar("T")
R = TypeVar("R")


class Executor(Protocol):
    """Where pieces of work run."""

    name: str

    def map(self, work: Callable[[T], R], items: Iterable[T]) -> Iterator[R]:
        """Apply work to all items, in order of items, with a bound on how many at once."""
        ...

    def as_done(self, work: Callable[[T], R], items: Iterable[T]) -> Generator[R, None, None]:
        """The same, with results as they come; an item is taken when there is room to begin with it at once."""
        ...
