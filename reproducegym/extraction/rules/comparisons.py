"""Binds comparative sentences to two cells: "X outperforms Y on Z", "improves … by 12.3 points", "2.1× the return"."""

import re
from collections.abc import Sequence
from dataclasses import replace

from reproducegym.extraction.rules.baselines import is_removal
from reproducegym.extraction.rules.bound import Bound, matching_pattern, prints
from reproducegym.extraction.rules.entries import Entry
from reproducegym.extraction.rules.own_names import is_own
from reproducegym.extraction.rules.printed import Said, numbers_said
from reproducegym.extraction.rules.reading import Reading
from reproducegym.extraction.rules.roles import Cue, Roles, cue_of, is_hedged, roles_of, sense_holds
from reproducegym.pipeline.printed.numbers import Number
from reproducegym.schema.claim import Reason

__all__ = ["bind_comparison"]

_OR_EQUAL = re.compile(r"\b(?:match\w*|equals?|on par with|as (?:good|well) as) or\b", re.IGNORECASE)
_Pair = tuple[Reading, Entry, Entry]


def bind_comparison(readings: Sequence[Reading], taken: Sequence[Number] = ()) -> Bound | None:
    """The comparison of a sentence, bound to the one pair of cells that fits; doubtful when several do.

    `taken` are numbers of the sentence that say something else.
    """
    if not readings:
        return None
    text = readings[0].spoken.text
    cue = cue_of(text)
    if cue is None:
        return None
    pairs = [pair for reading in readings if reading.concerns for pair in _pairs(reading, roles_of(reading, cue))]
    mentions = [mention for reading in readings for mention in reading.mentions]
    said = [one for one in numbers_said(text, mentions) if one.number not in taken]
    effects = [one for one in said if one.effect is not None]
    values = [one.number for one in said if one.effect is None]
    if effects:
        return _by_effect(pairs, effects, values, cue)
    bound = _by_values(pairs, values, cue) or (None if taken else _by_names(pairs, cue, values))
    return None if bound is None else _as_ablation(bound)


def _as_ablation(bound: Bound) -> Bound:
    """What taking a part away does, whichever row the sentence names first: the reduced row against the whole."""
    treatment, baseline = bound.treatment, bound.baseline
    if baseline is None or bound.pattern != "difference" or bound.printed is not None or bound.doubts:
        return bound
    if not is_removal(baseline.label) or is_removal(treatment.label):
        return bound
    return replace(bound, treatment=baseline, baseline=treatment)


def _pairs(reading: Reading, roles: Roles) -> list[_Pair]:
    """Cells of treatment and baseline in the same column, where the sentence names no other column."""
    pairs: list[_Pair] = []
    for treatment in reading.grid.entries:
        if not set(treatment.condition) & set(roles.treatments) or reading.fits_setting(treatment) is None:
            continue
        if not reading.groups_agree(treatment):
            continue
        peers = [peer for peer in reading.grid.peers(treatment) if peer.table is treatment.table]
        if roles.best_other:
            others = [peer for peer in peers if not is_own(peer.label, reading.own_names) and not peer.is_chance]
            if others and treatment.direction is not None:
                best = max if treatment.direction == "higher_is_better" else min
                pairs.append((reading, treatment, best(others, key=lambda peer: peer.value)))
            continue
        named = [
            peer
            for peer in peers
            if set(peer.condition) & set(roles.baselines) and not set(peer.condition) & set(roles.treatments)
        ]
        same_group = [peer for peer in named if peer.condition[:-1] == treatment.condition[:-1]]
        pairs.extend((reading, treatment, peer) for peer in (same_group or named))
    return pairs


def _by_effect(pairs: Sequence[_Pair], effects: Sequence[Said], values: Sequence[Number], cue: Cue) -> Bound | None:
    """The pair whose difference, ratio or relative change is the printed one."""
    fitting: list[Bound] = []
    for said in effects:
        for _, treatment, baseline in _best_settings(pairs):
            if not sense_holds(cue.sense, treatment, baseline):
                continue
            quoted = _quoted(values, treatment, baseline)
            pattern = matching_pattern(said, treatment, baseline)
            if pattern is not None:
                fitting.append(Bound(pattern, treatment, baseline, said, quoted))
            elif (
                said.effect == "ratio" and cue.sense != "any" and matching_pattern(said, baseline, treatment) == "ratio"
            ):
                fitting.append(Bound("ratio", baseline, treatment, said, quoted))
    if fitting:
        return _only(fitting)
    return _contradiction(pairs, effects, cue)


def _contradiction(pairs: Sequence[_Pair], effects: Sequence[Said], cue: Cue) -> Bound | None:
    """One pair is surely meant, and the table says something else than the sentence."""
    best = _best_settings(pairs)
    if len(best) != 1 or len(effects) != 1 or _strength(best[0]) < 3:
        return None
    reading, treatment, baseline = best[0]
    said = effects[0]
    reverses = matching_pattern(said, treatment, baseline) is not None
    if not reading.spoken.tables and not reverses:
        return None
    doubt = Reason(
        code="inconsistent_with_table",
        argument=None,
        detail=f'the sentence prints "{said.number.text}", but table {treatment.table_name} has '
        f"{treatment.number.text} against {baseline.number.text}",
    )
    return Bound("difference", treatment, baseline, None, (), (doubt,))


def _by_values(pairs: Sequence[_Pair], values: Sequence[Number], cue: Cue) -> Bound | None:
    """Both values are printed: "from 36.5 to 47.3", "47.3 against 36.5"."""
    fitting = [
        Bound("difference", treatment, baseline, None, _quoted(values, treatment, baseline))
        for _, treatment, baseline in pairs
        if sense_holds(cue.sense, treatment, baseline) and len(_quoted(values, treatment, baseline)) == 2
    ]
    return _only(fitting) if fitting else None


def _by_names(pairs: Sequence[_Pair], cue: Cue, values: Sequence[Number]) -> Bound | None:
    """No number is printed: both rows must be named, and the table must bear the sentence out wherever it applies.

    Columns whose gap is narrower than its spreads say nothing. A sentence that holds in several columns is bound to
    the first of them.
    """
    if cue.sense == "any" or values or not pairs or is_hedged(pairs[0][0].spoken.text):
        return None
    refers = [pair for pair in pairs if pair[1].table.label in pair[0].spoken.tables]
    near = [pair for pair in pairs if pair[1].table.label in pair[0].spoken.near]
    chosen = _best_settings(refers or near or pairs)
    nearest = max(reading.near_setting(treatment) for reading, treatment, _ in chosen)
    chosen = [pair for pair in chosen if pair[0].near_setting(pair[1]) == nearest]
    compared = {(treatment.table.id, treatment.condition, baseline.condition) for _, treatment, baseline in chosen}
    placed = bool(refers or near) or all(reading.fits_setting(treatment) for reading, treatment, _ in chosen)
    if len(compared) != 1 or not placed or _strength(chosen[0]) < 3 + (not chosen[0][0].spoken.tables):
        return None
    if len({treatment.metric_name for _, treatment, _ in chosen}) != 1:
        return None
    clear = [pair for pair in chosen if _is_clear(pair[1], pair[2])] or chosen
    equals = _OR_EQUAL.search(chosen[0][0].spoken.text) is not None
    if not all(
        sense_holds(cue.sense, treatment, baseline) or (equals and treatment.value == baseline.value)
        for _, treatment, baseline in clear
    ):
        return _reversed(clear, cue)
    held = [pair for pair in clear if sense_holds(cue.sense, pair[1], pair[2])]
    return Bound("difference", held[0][1], held[0][2], None, (), at=cue.start) if held else None


def _reversed(pairs: Sequence[_Pair], cue: Cue) -> Bound | None:
    """The first of the pairs with the reason that the table says the opposite of the sentence in all of them."""
    if any(sense_holds(cue.sense, treatment, baseline) for _, treatment, baseline in pairs):
        return None
    reading, treatment, baseline = pairs[0]
    if treatment.condition[:-1] != baseline.condition[:-1] or any(
        reading.strengths.get(one.label, 0) < 2 for one in (treatment, baseline)
    ):
        return None
    doubt = Reason(
        code="inconsistent_with_table",
        argument=None,
        detail=f"the sentence says the opposite of table {treatment.table_name}, which has {treatment.number.text} for "
        f"{treatment.name} and {baseline.number.text} for {baseline.name}",
    )
    return Bound("difference", treatment, baseline, None, (), (doubt,), at=cue.start)


def _is_clear(treatment: Entry, baseline: Entry) -> bool:
    """Whether the gap is wider than both spreads together."""
    spreads = sum(one.spread.value for one in (treatment, baseline) if one.spread is not None)
    return abs(treatment.value - baseline.value) > spreads


def _strength(pair: _Pair) -> int:
    """How surely both rows and the column are named."""
    reading, treatment, baseline = pair
    subject = reading.subject_before()
    names = [
        max(2 if part == subject else reading.strengths.get(part, 0) for part in entry.condition)
        for entry in (treatment, baseline)
    ]
    refers = 1 if treatment.table.label in reading.spoken.tables else 0
    return sum(names) + min(reading.fits_setting(treatment) or 0, 2) + refers


def _best_settings(pairs: Sequence[_Pair]) -> list[_Pair]:
    """The pairs in the columns that the sentence names best."""
    if not pairs:
        return []
    best = max(reading.fits_setting(treatment) or 0 for reading, treatment, _ in pairs)
    return [pair for pair in pairs if (pair[0].fits_setting(pair[1]) or 0) == best]


def _quoted(values: Sequence[Number], *entries: Entry) -> tuple[tuple[Entry, Number], ...]:
    """Which printed values are those of the cells; each cell at most once."""
    found = []
    free = list(values)
    for entry in entries:
        for number in free:
            if prints(number, entry):
                found.append((entry, number))
                free.remove(number)
                break
    return tuple(found)


def _only(fitting: Sequence[Bound]) -> Bound:
    """The one binding, or the best supported one, or the first with the doubt that others fit as well."""
    best = max(len(one.quoted) for one in fitting)
    top = [one for one in fitting if len(one.quoted) == best]
    first = top[0]
    others = [one for one in top[1:] if not _same_pair(one, first)]
    if not others:
        return first
    names = ", ".join(f'"{one.treatment.name}" against "{one.baseline.name}"' for one in top if one.baseline)
    doubt = Reason(code="ambiguous_target", argument=None, detail=f"the sentence fits several pairs of cells: {names}")
    return Bound(first.pattern, first.treatment, first.baseline, first.printed, first.quoted, (doubt,))


def _same_pair(one: Bound, other: Bound) -> bool:
    if one.baseline is None or other.baseline is None:
        return False
    names = [(bound.treatment.name, bound.baseline.name if bound.baseline else "") for bound in (one, other)]
    same_values = one.treatment.value == other.treatment.value and one.baseline.value == other.baseline.value
    return one.pattern == other.pattern and names[0] == names[1] and same_values
