"""Gives conditions, columns, metrics and knobs names that the formula grammar reads and that hold no hidden number."""

import re
import unicodedata
from collections.abc import Collection, Iterable
from decimal import Decimal

from reproducegym.pipeline.printed.numbers import read_numbers

__all__ = ["name_of", "unique_names"]

_RESERVED = frozenset({"condition", "step", "seed", "comment"})
_LONGEST = 40


def name_of(text: str, hidden: Collection[Decimal], kind: str) -> str:
    """A name `[a-z][a-z0-9_]*` of at most 40 letters for a text of the paper.

    Quantities of the text that equal a hidden value, as they stand or as percent against fraction, are left out;
    digits inside names (UCB1, 7B) stay. `kind` ("condition", "metric") completes an empty or reserved name.
    """
    kept = _without_hidden(text, hidden)
    letters = "".join(_spelled(letter) for letter in unicodedata.normalize("NFKD", kept))
    words = re.findall(r"[a-z0-9]+", letters.encode("ascii", "ignore").decode().lower())
    name = ""
    for word in words:
        longer = f"{name}_{word}" if name else word
        if len(longer) > _LONGEST:
            break
        name = longer
    name = name or (words[0][:_LONGEST] if words else "")
    if not name:
        return kind
    if name in _RESERVED:
        return f"{name}_{kind}"
    return name if name[0].isalpha() else f"{kind}_{name}"


def unique_names(names: Iterable[str]) -> tuple[str, ...]:
    """The names in order, a second of the same name with `_b`, a third with `_c`, and so on: letters, no numbers."""
    taken: set[str] = set()
    result = []
    for name in names:
        chosen, turn = name, 1
        while chosen in taken:
            chosen = f"{name}_{_letters(turn)}"
            turn += 1
        taken.add(chosen)
        result.append(chosen)
    return tuple(result)


def _letters(turn: int) -> str:
    """1 → b, 25 → z, 26 → ba: a number written in letters."""
    digits = ""
    while turn:
        turn, digit = divmod(turn, 26)
        digits = chr(ord("a") + digit) + digits
    return digits


def _without_hidden(text: str, hidden: Collection[Decimal]) -> str:
    same = {abs(value) * scale for value in hidden for scale in (Decimal(1), Decimal(100), Decimal("0.01"))}
    kept = text
    for number in reversed(read_numbers(text)):
        if abs(number.value) in same:
            kept = f"{kept[: number.start]} {kept[number.end :]}"
    return kept


def _spelled(letter: str) -> str:
    """Greek letters and a few signs in words; everything else as it is."""
    if letter == "%":
        return " percent "
    if letter.isascii():
        return letter if letter.isalnum() else " "
    words = unicodedata.name(letter, "").split()
    if "GREEK" in words and "LETTER" in words:
        greek = words[words.index("LETTER") + 1].lower()
        return " lambda " if greek == "lamda" else f" {greek} "
    return letter
