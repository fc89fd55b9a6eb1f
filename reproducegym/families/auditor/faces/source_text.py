"""A Gymnasium space for source code, and how such text goes through shared memory whole."""

import string
from collections.abc import Sequence
from ctypes import c_char
from typing import TYPE_CHECKING, Protocol, overload

from gymnasium.spaces import Text
from gymnasium.vector.utils.shared_memory import (
    create_shared_memory,
    read_from_shared_memory,
    write_to_shared_memory,
)

if TYPE_CHECKING:
    from multiprocessing.sharedctypes import SynchronizedArray

__all__ = ["SourceText"]

_LENGTH_BYTES = 4
_PRINTABLE = frozenset(string.printable)


class SourceText(Text):
    """ASCII text of any length up to a bound, empty too.

    Gymnasium reads text out of shared memory once, when the vector environment is made, and shows that for ever; here
    it is passed as its bytes after their number, and read when it is asked for.
    """

    def __init__(self, max_length: int) -> None:
        """Take the greatest number of characters."""
        super().__init__(max_length, min_length=0, charset=_PRINTABLE)

    @property
    def slot(self) -> int:
        """How many bytes one text takes in shared memory."""
        return self.max_length + _LENGTH_BYTES

    @staticmethod
    def fitted(text: str) -> str:
        r"""The text in this alphabet: what is not ASCII as `\u….`, control characters as `?`."""
        plain = text.encode("ascii", "backslashreplace").decode("ascii")
        return plain if _PRINTABLE.issuperset(plain) else "".join(c if c in _PRINTABLE else "?" for c in plain)


class _Context(Protocol):
    def Array(self, typecode_or_type: type[c_char], size_or_initializer: int) -> "SynchronizedArray[bytes]": ...  # noqa: N802


@create_shared_memory.register(SourceText)
def _create(space: SourceText, n: int, ctx: _Context) -> "SynchronizedArray[bytes]":
    return ctx.Array(c_char, n * space.slot)


@write_to_shared_memory.register(SourceText)
def _write(space: SourceText, index: int, value: str, shared_memory: "SynchronizedArray[bytes]") -> None:
    content = value.encode("ascii")
    begin = index * space.slot
    memory = memoryview(shared_memory.get_obj()).cast("B")
    memory[begin : begin + _LENGTH_BYTES] = len(content).to_bytes(_LENGTH_BYTES, "big")
    memory[begin + _LENGTH_BYTES : begin + _LENGTH_BYTES + len(content)] = content


@read_from_shared_memory.register(SourceText)
def _read(space: SourceText, shared_memory: "SynchronizedArray[bytes]", n: int = 1) -> "_Texts":
    return _Texts(memoryview(shared_memory.get_obj()).cast("B"), space.slot, n)


class _Texts(Sequence[str]):
    """The texts that stand in shared memory now: Gymnasium makes this once and hands out copies, which are tuples."""

    def __init__(self, memory: memoryview, slot: int, count: int) -> None:
        self._memory, self._slot, self._count = memory, slot, count

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[str, ...]: ...
    def __getitem__(self, place: int | slice) -> str | tuple[str, ...]:
        if isinstance(place, slice):
            return tuple(self[one] for one in range(self._count)[place])
        begin = range(self._count)[place] * self._slot
        length = int.from_bytes(self._memory[begin : begin + _LENGTH_BYTES], "big")
        begin += _LENGTH_BYTES
        return bytes(self._memory[begin : begin + length]).decode("ascii")

    def __deepcopy__(self, memo: object) -> tuple[str, ...]:
        return tuple(self)
