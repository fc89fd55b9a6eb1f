"""What the labels of ticks mean as numbers: `1,000`, `25K`, `0.5k`, `50%`, `10^-3`, `2×10^4`, `1e5`, `1/8`."""

import re
from dataclasses import dataclass

__all__ = ["LabelledTick", "TickNumber", "factor_of", "is_offset", "tick_number"]

_MINUS = str.maketrans({"−": "-", "–": "-", "‒": "-", "—": "-", "﹣": "-", "－": "-"})
_PLAIN = re.compile(r"([+-]?)(\d{1,3}(?:[ , ]\d{3})+(?:\.\d+)?|\d*[.,]?\d+|\d+\.)(?:[eE]([+-]?\d+))?")
_POWER = re.compile(r"([+-]?)(?:(\d*\.?\d+)[×x·*.⋅])?(2|10|e)\^([+-]?\d+(?:\.\d+)?)")
_FRACTION = re.compile(r"([+-]?)(\d+)/(\d+)")
_SUFFIX = {"": 1.0, "%": 1.0, "k": 1e3, "K": 1e3, "M": 1e6, "B": 1e9, "G": 1e9, "T": 1e12, "x": 1.0, "×": 1.0}
_THOUSANDS = re.compile(r"[1-9]\d{0,2}(,\d{3})+(\.\d+)?")


@dataclass(frozen=True, slots=True)
class TickNumber:
    """The number of a tick label. `power` says that it is spelled as a power."""

    value: float
    power: bool


@dataclass(frozen=True, slots=True)
class LabelledTick:
    """A tick label, its number, and its place along the axis in points; `marked` says that a tick mark gave it."""

    text: str
    at: float
    value: float
    power: bool
    marked: bool


def tick_number(text: str) -> TickNumber | None:
    """The number that a label means; None where it is no number (a date, a name)."""
    spelled = text.translate(_MINUS).replace("\ufffd", "-").replace("$", "").replace("{", "").replace("}", "")
    tight = re.sub(r"\s+", "", spelled)
    if power := _POWER.fullmatch(tight):
        sign, times, base, exponent = power.groups()
        root = {"2": 2.0, "10": 10.0, "e": 2.718281828459045}[base]
        return _number(sign, (float(times) if times else 1.0) * root ** float(exponent), power=True)
    if fraction := _FRACTION.fullmatch(tight):
        sign, over, under = fraction.groups()
        return _number(sign, int(over) / int(under), power=False) if int(under) else None
    suffix = tight[-1:] if tight[-1:] in _SUFFIX else ""
    body = tight[: len(tight) - len(suffix)]
    plain = _PLAIN.fullmatch(body)
    if plain is None:
        return None
    sign, digits, exponent = plain.groups()
    digits = digits.replace(" ", "").replace(" ", "")
    digits = digits.replace(",", "") if _THOUSANDS.fullmatch(digits) else digits.replace(",", ".")
    if digits.count(".") > 1 or len(digits) > 15:
        return None
    value = float(digits) * 10.0 ** int(exponent or 0) * _SUFFIX[suffix]
    return _number(sign, value, power=False)


def _number(sign: str, value: float, *, power: bool) -> TickNumber:
    return TickNumber(-value if sign == "-" else value, power)


def factor_of(text: str) -> float | None:
    """The factor in a text at the end of an axis that multiplies its labels (`1e6`, `×10^3`); None where it is none."""
    spelled = re.sub(r"\s+", "", text.translate(_MINUS))
    if match := re.fullmatch(r"1e([+-]?\d+)", spelled):
        return float(10.0 ** int(match[1]))
    if match := re.fullmatch(r"[×x·⋅*](?:10\^([+-]?\d+)|1e([+-]?\d+))", spelled):
        return float(10.0 ** int(match[1] or match[2]))
    return None


def is_offset(text: str) -> bool:
    """Whether a text at the end of an axis changes what its labels mean, though it is no plain factor: `1e-8+3`."""
    spelled = re.sub(r"\s+", "", text.translate(_MINUS))
    signed = re.fullmatch(r"[+-][\d.]+(?:e[+-]?\d+)?", spelled)
    return bool(signed) or bool(re.fullmatch(r"[\d.eE^+\-×x·⋅*]*(?:\de[+-]?\d|[×·⋅*]|10\^)[\d.eE^+\-×x·⋅*]*", spelled))
