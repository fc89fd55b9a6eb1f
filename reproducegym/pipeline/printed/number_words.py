"""Reads whole numbers that are written in words: eleven to ninety-nine, and "percent" after them."""

import re
from collections.abc import Iterator
from decimal import Decimal

from reproducegym.pipeline.printed.numbers import Number, read_numbers

__all__ = ["in_digits_and_words"]

_TEENS = ("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen")
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_ONES = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_WORDED = re.compile(
    rf"\b(?:(?P<teen>{'|'.join(_TEENS)})|(?P<ten>{'|'.join(_TENS)})(?:[-\s](?P<one>{'|'.join(_ONES)}))?)\b"
    r"(?P<unit>\s(?:percent|per cent|%))?",
    re.IGNORECASE,
)


def in_digits_and_words(text: str) -> tuple[Number, ...]:
    """Every number of a text in order, also those in words; ten and less are too common in words to tell anything."""
    return tuple(sorted((*read_numbers(text), *_worded(text)), key=lambda number: number.start))


def _worded(text: str) -> Iterator[Number]:
    for match in _WORDED.finditer(text):
        if match["teen"]:
            value = 11 + _TEENS.index(match["teen"].lower())
        else:
            one = match["one"]
            value = 20 + 10 * _TENS.index(match["ten"].lower()) + (1 + _ONES.index(one.lower()) if one else 0)
        unit = "%" if match["unit"] else ""
        yield Number(Decimal(value), unit, Decimal(1), None, match.group(), match.start(), match.end())
