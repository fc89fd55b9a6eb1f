"""Binds a number that a sentence prints to the one cell that prints it too and fits the sentence's words."""

import re
from collections.abc import Sequence

from reproducegym.extraction.rules.bound import Bound, prints
from reproducegym.extraction.rules.entries import Entry
from reproducegym.extraction.rules.metric_words import metric_word
from reproducegym.extraction.rules.printed import numbers_said, significant_digits
from reproducegym.extraction.rules.reading import Fit, Reading
from reproducegym.extraction.rules.roles import baseline_labels
from reproducegym.pipeline.printed.numbers import Number, read_numbers
from reproducegym.schema.claim import Reason

__all__ = ["bind_values"]


_FOIL = re.compile(
    r"\b(?:while|whereas|although|though|compared (?:to|with)|against|versus"
    r"|instead of)\b",
    re.IGNORECASE,
)


def bind_values(readings: Sequence[Reading], used: Sequence[Number]) -> tuple[Bound, ...]:
    """An absolute claim for each number of the sentence that is one cell's value; `used` numbers are taken."""
    if not readings:
        return ()
    text = readings[0].spoken.text
    taken = {(number.start, number.end) for number in used}
    bound: list[Bound] = []
    mentions = [mention for reading in readings for mention in reading.mentions]
    for said in numbers_said(text, mentions):
        if said.effect is not None or _is_a_foil(text, said.number) or (said.number.start, said.number.end) in taken:
            continue
        found = _best_cell(readings, said.number)
        if found is not None:
            bound.append(found)
    return _without_baselines(bound, readings)


def _is_a_foil(text: str, number: Number) -> bool:
    """Whether a number only stands for comparison: "from 61.3%", "while ResNet stays at 61.3%"."""
    before = re.split(r"[,;]\s", text[: number.start])[-1]
    return bool(re.search(r"\bfrom\s$", before) or _FOIL.search(before))


def _best_cell(readings: Sequence[Reading], number: Number) -> Bound | None:
    """The cell that prints the number and fits best, when it fits well enough and better than every other."""
    fits = [
        (fit, reading, entry)
        for reading in readings
        if reading.concerns
        for entry in reading.grid.entries
        if prints(number, entry) and not entry.is_chance
        for fit in [reading.fit(entry)]
        if fit is not None
    ]
    listed = bool(readings) and _is_listed(readings[0].spoken.text, number)
    convincing = [
        one
        for one in fits
        if _convinces(one[0], one[1], number, alone=len(fits) == 1) and not (listed and one[0].condition < 2)
    ]
    if not convincing:
        return None if fits else _contradicted(readings, number)
    best = max(fit.total for fit, _, _ in convincing)
    top = [(reading, entry) for fit, reading, entry in convincing if fit.total == best]
    first = top[0][1]
    if any(not _same_quantity(first, entry) for _, entry in top[1:]):
        names = ", ".join(f'"{entry.name}" (table {entry.table_name})' for _, entry in top)
        doubt = Reason(code="ambiguous_target", argument=None, detail=f"{number.text} can be the value of {names}")
        return Bound("absolute", first, None, None, ((first, number),), (doubt,))
    reading = top[0][0]
    return Bound(
        "absolute", first, _named_baseline(reading, first) or _left_behind(reading, first), None, ((first, number),)
    )


def _convinces(fit: Fit, reading: Reading, number: Number, *, alone: bool) -> bool:
    """Precision before recall: a short number needs its row and its column named, a long one less.

    A long number that one cell of the whole paper prints may name its column only, where the authors speak of
    themselves and of no other row.
    """
    long = significant_digits(number) >= 3
    setting = fit.setting > 0 or len(reading.grid.heads) == 1
    if fit.condition == 0:
        return long and alone and fit.setting > 0 and reading.says_own and not reading.names_condition
    if long:
        return setting or fit.refers == 2 or alone
    return (setting or fit.condition >= 2) if alone else (setting and fit.condition >= 2)


def _is_listed(text: str, number: Number) -> bool:
    """Whether a number is one of several in a row: "are 1.14 and 1.44"; which is whose is hard to say."""
    before = re.search(r"\d%?\s?(?:,|,? and|/)\s?$", text[: number.start])
    after = re.match(r"\s?(?:,|,? and|/)\s?[\d.]*\d", text[number.end :])
    return bool(before or after)


def _contradicted(readings: Sequence[Reading], number: Number) -> Bound | None:
    """A sentence that names one cell and prints another value of the same metric, nearby and as precise."""
    near = [
        (fit.total, entry)
        for reading in readings
        if reading.concerns and metric_word(reading.spoken.text) is not None
        for entry in reading.grid.entries
        if entry.unit in {number.unit, "%"} and entry.number.resolution == number.resolution
        if 0 < abs(entry.value - number.value) <= abs(entry.value) / 20
        for fit in [reading.fit(entry)]
        if fit is not None and fit.condition > 0 and fit.setting > 0 and fit.condition + fit.setting >= 3
    ]
    best = [entry for total, entry in near if total == max(one for one, _ in near)]
    if len(best) != 1 or significant_digits(number) < 3:
        return None
    (entry,) = best
    doubt = Reason(
        code="inconsistent_with_table",
        argument=None,
        detail=f'the sentence prints "{number.text}", but table {entry.table_name} has {entry.number.text} '
        f"for {entry.name}",
    )
    return Bound("absolute", entry, None, None, (), (doubt,))


def _same_quantity(first: Entry, second: Entry) -> bool:
    return (
        first.name.casefold() == second.name.casefold()
        and (first.dataset or "").casefold() == (second.dataset or "").casefold()
        and first.metric_name.casefold() == second.metric_name.casefold()
    )


def _named_baseline(reading: Reading, entry: Entry) -> Entry | None:
    """The other condition that the sentence compares with, if it names exactly one."""
    names = baseline_labels(reading)
    peers = [peer for peer in reading.grid.peers(entry) if peer.label in names and peer.label != entry.label]
    same_group = [peer for peer in peers if peer.condition[:-1] == entry.condition[:-1]]
    chosen = same_group or peers
    return chosen[0] if len(chosen) == 1 else None


def _left_behind(reading: Reading, entry: Entry) -> Entry | None:
    """The one cell of the column that prints A in "up from A"."""
    text = reading.spoken.text
    starts = [number for number in read_numbers(text) if re.search(r"\b(?:up|down)\sfrom\s$", text[: number.start])]
    peers = [peer for peer in reading.grid.peers(entry) for start in starts if prints(start, peer)]
    return peers[0] if len(peers) == 1 else None


def _without_baselines(bound: Sequence[Bound], readings: Sequence[Reading]) -> tuple[Bound, ...]:
    """A value that only stands as the baseline of another bound value of the sentence is no claim of its own."""
    baselines = {(id(one.baseline.cell)) for one in bound if one.baseline is not None}
    compared = {label for reading in readings for label in baseline_labels(reading)}
    kept = [one for one in bound if id(one.treatment.cell) not in baselines and one.treatment.label not in compared]
    numbers = [quoted for one in bound for quoted in one.quoted]
    return tuple(
        Bound(
            one.pattern,
            one.treatment,
            one.baseline,
            one.printed,
            tuple(q for q in numbers if q[0] in (one.treatment, one.baseline)),
            one.doubts,
        )
        for one in kept
    )
