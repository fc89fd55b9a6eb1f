"""The caps of one paper: a call is held against them before it is made, with the most that it can cost."""

import threading
from decimal import Decimal

from reproducegym.adapters.llm.cost import Cost

__all__ = ["Budget"]


class Budget:
    """Tokens and dollars that a paper may cost, over all threads.

    What a call may cost at most is held while it runs, and replaced by what it did cost. A call that fits only if
    others turn out cheaper waits for them, so that what is refused does not depend on timing.
    """

    def __init__(self, tokens: int, dollars: Decimal | None) -> None:
        """`dollars` is None for no cap; else every cost must know its dollars."""
        self._most_tokens, self._most_dollars = tokens, dollars
        self._spent, self._held = Cost(0, Decimal(0)), Cost(0, Decimal(0))
        self._changed = threading.Condition()

    def hold(self, most: Cost) -> str | None:
        """Hold the cost of a call; else, in one line, which cap it would pass, and nothing is held."""
        with self._changed:
            while True:
                passed = self._passed(_sum(self._spent, most))
                if passed is not None:
                    return passed
                if self._passed(_sum(_sum(self._spent, self._held), most)) is None:
                    self._held = _sum(self._held, most)
                    return None
                self._changed.wait()

    def settle(self, held: Cost, spent: Cost) -> None:
        """Give back what was held, and count what the call did cost."""
        with self._changed:
            self._held = Cost(self._held.tokens - held.tokens, _known(self._held) - _known(held))
            self._spent = _sum(self._spent, spent)
            self._changed.notify_all()

    def count(self, spent: Cost) -> None:
        """Count a reply from the cache with what it had cost."""
        self.settle(Cost(0, None), spent)

    def _passed(self, total: Cost) -> str | None:
        if total.tokens > self._most_tokens:
            return (
                f"up to {total.tokens} tokens would be used; max_tokens_per_paper is {self._most_tokens}"
                f" ({self._spent.tokens} are used)"
            )
        if self._most_dollars is not None and _known(total) > self._most_dollars:
            return (
                f"up to ${_known(total):.4f} would be spent; max_dollars_per_paper is ${self._most_dollars}"
                f" (${_known(self._spent):.4f} are spent)"
            )
        return None


def _sum(one: Cost, other: Cost) -> Cost:
    return Cost(one.tokens + other.tokens, _known(one) + _known(other))


def _known(cost: Cost) -> Decimal:
    """Dollars of a cost; where a cap on them is set, every model has a price, so that none is left out."""
    return Decimal(0) if cost.dollars is None else cost.dollars
