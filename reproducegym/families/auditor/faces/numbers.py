"""Reads the numbers of a structured action: Python's, NumPy's and arrays of one, and none that its space has not."""

import operator
from typing import SupportsIndex, cast

import numpy as np

__all__ = ["one_number", "set_bits", "whole_number"]


def whole_number(said: object, count: int, name: str) -> int:
    """A whole number from 0 up to `count`, which is none of them; never a fraction that was cut, nor a truth value.

    Raises:
        ValueError: it is another; `name` says in the message whose it is.
    """
    try:
        number = operator.index(cast("SupportsIndex", said))
    except TypeError:
        number = -1
    if isinstance(said, bool | np.bool) or not 0 <= number < count:
        raise ValueError(f"{name} is a whole number from 0 to {count - 1}")
    return number


def one_number(said: object, name: str) -> float:
    """One number, of any size.

    Raises:
        ValueError: it is none, or there are several.
    """
    found = np.asarray(said)
    if found.shape != () or found.dtype.kind not in "iuf":
        raise ValueError(f"{name} is one number")
    return float(found)


def set_bits(said: object, count: int, name: str) -> list[int]:
    """Where a row of so many bits has a 1.

    Raises:
        IndexError: there are more or fewer of them.
        ValueError: one is neither 0 nor 1.
    """
    row = np.asarray(said)
    if row.shape != (count,):
        raise IndexError(f"{name} has {count} bits")
    if row.dtype.kind not in "biuf" or not np.isin(row, (0, 1)).all():
        raise ValueError(f"{name} holds what is neither 0 nor 1")
    return [int(place) for place in np.flatnonzero(row)]
