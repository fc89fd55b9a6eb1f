"""Reads from a table's headers, row labels and caption in which unit its values are, and what they are multiples of."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal

from reproducegym.parsing.cell_text import is_numeric
from reproducegym.schema.paper import Cell

__all__ = ["Measure", "measure_in", "measured"]

_WORDS = (
    "%|percent|per cent|pp|points|pts|ns|[µμ]s|ms|s|secs?|seconds?|mins?|minutes?|h|hrs?|hours?|days?|[KMGT]i?B|bytes"
    "|bits|bpc|bpd|nats|kWh|Wh|k?W|k?J|mJ|m?V|eV|[kMG]?Hz|fps|FPS|dB|px|pixels|nm|mm|cm|m|km|km/h|m/s|°C?|°|deg|rad|kg|mg|g"
    "|USD|EUR|\\$|€|[KMGTP]?FLOPS|[KMGTP]?FLOP/s|[KMGTP]?MACs|[KMGTP]?FLOPs"
)
_RATES = r"[A-Za-zµμ.]{1,12}\s?/\s?(?:s|sec|second|min|h|hour|day|step|it|iter|epoch|image|img|token|tok|sample|frame)"
_UNIT = re.compile(rf"(?:in\s+)?(?P<unit>{_WORDS}|{_RATES})")
_DIGITS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻−–", "0123456789---")
_POWER = re.compile(
    r"(?:in\s+)?(?:units\s+of\s+)?(?:[×x*·⋅]\s?)?(?:10\s?\^?\{?\s?(?P<power>-?\d{1,2})\}?|1e(?P<e>[-+]?\d{1,2}))\b"
)
_SCALES = {
    **dict.fromkeys(("k", "K", "thousand", "thousands"), "1000"),
    **dict.fromkeys(("M", "mn", "mio", "million", "millions"), "1000000"),
    **dict.fromkeys(("B", "G", "bn", "billion", "billions"), "1000000000"),
}
_SCALE = re.compile(rf"(?:in\s+)?(?P<scale>{'|'.join(_SCALES)})(?![a-zA-Z/])")
_BRACKETS = re.compile(r"[(\[]([^()\[\]]{1,24})[)\]]")
_TRAILING = re.compile(r"(?:,|\bin)\s+([^,()\[\]]{1,16}?)[\s↑↓]*$|\s(%)[\s↑↓]*$|^(%)$")
_SPOKEN = re.compile(
    r"\bin\s+(?P<said>%|percent|per cent|thousands|millions|billions|points|ms|seconds|minutes|hours|[MGT]B|bits"
    r"|nats|dB)(?![\w/])"
)
_LARGEST_SHARE = 100


@dataclass(frozen=True, slots=True)
class Measure:
    """What is said of values: their unit ("%", "ms"), and the number that one of them stands for ("1000")."""

    unit: str | None
    multiplier: str | None


def measure_in(text: str) -> Measure | None:
    """What a header says in brackets or at its end; None when it says nothing of the kind."""
    said = [match[1] for match in _BRACKETS.finditer(text)]
    said += [part for match in [_TRAILING.search(text)] if match for part in match.groups() if part]
    for part in said:
        found = _measure(part.strip())
        if found is not None:
            return found
    return None


def measured(cells: Iterable[Cell], caption: str) -> tuple[Cell, ...]:
    """The cells with units and multipliers: of the nearest header, else of the row's labels, else of the caption.

    The caption counts when it says one thing only (a lone letter in brackets may name a part); a share of more than
    100% takes no unit from it.
    """
    general = _of_caption(caption)
    done: list[Cell] = []
    for cell in cells:
        found = None
        if cell.kind == "body" and is_numeric(cell.text):
            found = _nearest(cell.column_path) or _nearest(cell.row_path) or _fitting(general, cell.text)
        update = {"unit": found.unit, "multiplier": found.multiplier} if found else {}
        done.append(cell.model_copy(update=update) if update else cell)
    return tuple(done)


def _nearest(path: Sequence[str]) -> Measure | None:
    return next((found for text in reversed(path) if (found := measure_in(text)) is not None), None)


def _measure(text: str) -> Measure | None:
    """A unit, a multiplier, or one after the other, and nothing else."""
    rest, multiplier = text.translate(_DIGITS), None
    power = _POWER.match(rest)
    if power:
        exponent = int(power["power"] or power["e"])
        multiplier, rest = f"{Decimal(10) ** exponent:f}", rest[power.end() :]
    elif (scale := _SCALE.match(rest)) and not _UNIT.fullmatch(rest):
        multiplier, rest = _SCALES[scale["scale"]], rest[scale.end() :]
    rest = rest.strip()
    unit = _UNIT.fullmatch(rest)
    if rest and unit is None:
        return None
    name = unit["unit"] if unit else None
    return Measure("%" if name in ("percent", "per cent") else name, multiplier) if name or multiplier else None


def _of_caption(caption: str) -> Measure | None:
    spoken = [match["said"] for match in _SPOKEN.finditer(caption)]
    bracketed = [part for part in _BRACKETS.findall(caption) if len(part.strip()) > 1 or part == "%"]
    said = [_measure(part.strip()) for part in [*bracketed, *spoken]]
    found = {measure for measure in said if measure is not None}
    return found.pop() if len(found) == 1 else None


def _fitting(general: Measure | None, text: str) -> Measure | None:
    if general is None or general.unit != "%":
        return general
    number = re.match(r"[^\d]*(\d[\d,]*(?:\.\d+)?)", text)
    return general if number and Decimal(number[1].replace(",", "")) <= _LARGEST_SHARE else None
