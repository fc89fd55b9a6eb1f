"""Which numbers of a claim are hidden, and when a printed number gives one of them away.

Masking and the leak scan ask the same questions here, so what one leaves standing the other does not refuse.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import Literal

from reproducegym.pipeline.printed.numbers import Number, read_numbers, spellings
from reproducegym.schema.claim import ProtocolNumber, Provenance
from reproducegym.schema.contract import ProbeChoice, ProbePlan
from reproducegym.schema.spec import ClaimSpec

__all__ = [
    "Hidden",
    "Secrets",
    "agrees",
    "beside",
    "digits_of",
    "judge",
    "names_in",
    "secrets_of",
    "sentences",
    "spoken",
    "words_of",
]

Verdict = Literal["hidden", "coincidence"]

_STRUCTURAL = frozenset({Decimal(0), Decimal(1)})
_CENT = Decimal("0.01")
_TELLING_DIGITS = 3
_WORD = re.compile(r"[^\W\d_][\w-]*")
_LETTERS = re.compile(r"[^\W\d_]{3,}")
_NEIGHBOUR_BEFORE = re.compile(r"([^\W_][\w-]*)\W{0,3}$")
_NEIGHBOUR_AFTER = re.compile(r"^\W{0,2}([^\W_][\w-]*)")
_SETTING = re.compile(r"(?:^|[\s(,;])([^\W\d]{1,2})\s?=\s?$")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[^\W\d_a-z]|[⟦(\[“\"])")
_GOES_ON = re.compile(r"(?:It|Its|They|Their|This|That|These|Those|He|She|Both|The (?:latter|former))\b")
_COMMON_WORDS = (
    "the and with our for from method methods model models mean average value values score all than over per are using"
    " used use without not baseline ours result results test set data dataset final total number rate time table figure"
    " each this that these which when run runs after difference relative change gap"
)
_COMMON = frozenset(word.removesuffix("s") if len(word) > 4 else word for word in _COMMON_WORDS.split())


@dataclass(frozen=True)
class Hidden:
    """One number that the agent must not see. `by_value` is false for 0 and 1, which stand everywhere.

    `linked_only`: it tells something only where its quantity is spoken of, however many digits it has.
    """

    value: Decimal
    unit: str
    resolution: Decimal
    what: str
    places: tuple[Provenance, ...]
    linked_only: bool = False

    @property
    def by_value(self) -> bool:
        """Whether a printed number of this value tells something by itself."""
        return abs(self.value) not in _STRUCTURAL


@dataclass(frozen=True)
class Secrets:
    """All hidden numbers of a claim, the words that name its quantity, and the numbers that stay.

    `metric_words` are those among them that name what is measured, not under which condition.
    `spelled` finds a hidden number of three or more digits wherever it stands, also inside names, where no number
    reader looks; None when there is no such number.
    """

    hidden: tuple[Hidden, ...]
    words: frozenset[str]
    metric_words: frozenset[str]
    protocol: tuple[ProtocolNumber, ...]
    spelled: re.Pattern[str] | None

    def linked(self, context: str) -> bool:
        """Whether a text (a sentence; the row and column names of a cell) speaks of the claim's quantity."""
        return not self.words.isdisjoint(words_of(context))


def secrets_of(spec: ClaimSpec) -> Secrets:
    """Everything that a spec hides: targets, inputs, no-effect values, guard references, probe expectations.

    Of a rate also what is missing to the whole: an error of 11.4% tells an accuracy of 88.6%.
    """
    hidden = tuple(_hidden_of(spec))
    hidden += tuple(_complements(spec, hidden))
    places = [place for one in hidden for place in one.places]
    measured = [metric.name.replace("_", " ") for metric in spec.metrics]
    measured += [column.name.replace("_", " ") for column in spec.required_outputs.columns]
    compared = [condition.source_label for condition in spec.conditions]
    compared += [part for place in places for part in (*place.row_path, *place.column_path)]
    metric_words = names_in(measured) - names_in(condition.source_label for condition in spec.conditions)
    return Secrets(
        hidden=hidden,
        words=names_in([*measured, *compared]),
        metric_words=metric_words,
        protocol=spec.protocol.numbers,
        spelled=_spelled(hidden, spec.protocol.numbers),
    )


@lru_cache(maxsize=16384)
def words_of(text: str) -> frozenset[str]:
    """The words of a text that can name a quantity, in lower case, without plural.

    A name with digits counts whole and by its letters ("AIME24avg" is also "aime"), since papers spell such names in
    several ways; a name of two letters only where it is written in capitals ("AP", "EM", "F1").
    """
    found: set[str] = set()
    for word in _WORD.findall(text):
        lower = word.lower()
        found.update({lower, *(part for part in _LETTERS.findall(lower) if part != lower)} if len(word) > 2 else ())
        if len(word) == 2 and word.isupper():
            found.add(lower)
    return frozenset(word.removesuffix("s") if len(word) > 4 else word for word in found)


def names_in(names: Iterable[str]) -> frozenset[str]:
    """The words of some names that tell them apart from any other text."""
    return frozenset(word for name in names for word in words_of(name)) - _COMMON


def sentences(text: str) -> tuple[tuple[int, int], ...]:
    """Start and end of every sentence of a text; the same cut for masking and for the scan."""
    starts = [0, *(match.end() for match in _SENTENCE_END.finditer(text))]
    return tuple(zip(starts, [*starts[1:], len(text)], strict=True))


def spoken(text: str, secrets: Secrets) -> Iterator[tuple[str, bool]]:
    """The sentences of a text, and whether each speaks of the claim's quantity.

    "It reaches 88%" speaks of what the sentence before it does.
    """
    linked = False
    for start, end in sentences(text):
        sentence = text[start:end]
        linked = secrets.linked(sentence) or (linked and _GOES_ON.match(sentence) is not None)
        yield sentence, linked


def digits_of(value: Decimal) -> int:
    """Significant digits of a value; zeros at the end don't count, since round numbers meet by chance."""
    return len(value.normalize().as_tuple().digits)


def agrees(number: Number, hidden: Hidden) -> Literal["exactly", "rounded"] | None:
    """Whether a printed number is a hidden one: sign aside, percent and fraction taken as the same quantity.

    A lone digit ("0.1") is too common to be read as a percent.
    """
    printed = (
        digits_of(number.value) if number.resolution == 0 else len(str(abs(int(number.value / number.resolution))))
    )
    for scale in _scales(number, hidden):
        if scale != 1 and printed < 2:
            continue
        apart = abs(abs(number.value * scale) - abs(hidden.value))
        if apart == 0:
            return "exactly"
        if 2 * apart <= max(number.resolution * scale, hidden.resolution) and digits_of(number.value) > 1:
            return "rounded"
    return None


def beside(text: str, number: Number) -> frozenset[str]:
    """The words right before and right after a number of a text, in lower case; "=" and a symbol that is set to it."""
    symbol = _SETTING.search(text[: number.start])
    if symbol is not None:
        return frozenset({"=", symbol.group(1).lower()})
    found = (_NEIGHBOUR_BEFORE.search(text[: number.start]), _NEIGHBOUR_AFTER.search(text[number.end :]))
    return frozenset(match.group(1).lower() for match in found if match is not None)


def judge(number: Number, near: frozenset[str], *, linked: bool, secrets: Secrets) -> tuple[Verdict, Hidden] | None:
    """What a printed number means for the hidden ones: it gives one away, it merely equals one, or None.

    `near` are the words beside it (for a table cell: those of its row and column); `linked` says that its sentence
    or cell speaks of the claim's quantity.
    """
    met = [(one, how) for one in secrets.hidden if one.by_value for how in [agrees(number, one)] if how is not None]
    met = [(one, how) for one, how in met if linked or not one.linked_only]
    if not met:
        return None
    setting = "=" in near and near.isdisjoint(secrets.words) and digits_of(number.value) < _TELLING_DIGITS
    if setting or _is_protocol(number, near, secrets.protocol):
        return "coincidence", met[0][0]
    for one, how in met:
        digits = digits_of(one.value) if how == "exactly" else digits_of(number.value)
        if linked or (digits >= _TELLING_DIGITS and _same_precision(number, one, how)):
            return "hidden", one
    return "coincidence", met[0][0]


def _same_precision(number: Number, hidden: Hidden, how: str) -> bool:
    """Far from the quantity, only an equal number or a rounding of the hidden one counts, not a finer neighbour."""
    return how == "exactly" or number.resolution >= hidden.resolution


def _hidden_of(spec: ClaimSpec) -> Iterator[Hidden]:
    """Of a claim that is drawn from, what each of its samples hides too."""
    for drawn in spec.drawn() if spec.samples else ():
        yield from _hidden_of(drawn)
    for target in spec.targets:
        derivation = target.derivation
        if derivation is None:
            yield Hidden(target.value, target.unit, _resolution(target.value), target.metric, target.provenance)
        else:
            yield Hidden(target.value, target.unit, derivation.rounding, target.metric, target.provenance)
            if derivation.printed is not None:
                printed = derivation.printed
                yield Hidden(printed, target.unit, _resolution(printed), target.metric, target.provenance)
            for one in derivation.inputs:
                yield Hidden(one.value, one.unit, one.resolution, f"{target.metric}: {one.name}", one.provenance)
        if target.no_effect is not None:
            level = target.no_effect
            yield Hidden(level, target.unit, _resolution(level), f"{target.metric}: no effect", ())
    for guard in spec.guards:
        yield Hidden(guard.reference, guard.unit, _resolution(guard.reference), guard.metric, guard.provenance)
    units = {metric.name: metric.unit for metric in spec.metrics}
    for plan in spec.probe_plans:
        if plan.name == "data":
            continue  # what chance gives follows from labels that the agent has
        for choice in plan.choices:
            for expectation in choice.expect:
                value = Decimal(repr(expectation.value))
                what = f"{expectation.metric}: probe {plan.name}"
                places = _referred_to(spec, plan, choice, value)
                yield Hidden(value, units[expectation.metric], _resolution(value), what, places)


def _referred_to(spec: ClaimSpec, plan: ProbePlan, choice: ProbeChoice, value: Decimal) -> tuple[Provenance, ...]:
    """The places among what targets refer to that show a probe's value: a cell that prints it, a curve at its knob."""
    places = [place for target in spec.targets for place in target.reference_provenance]
    if plan.name == "curve":
        turned = {Decimal(repr(value)) for value in choice.knobs.values()}
        return tuple(place for place in places if place.x in turned)
    if plan.name != "row":
        return ()
    return tuple(place for place in places if any(one.value == value for one in read_numbers(place.quote)))


def _complements(spec: ClaimSpec, hidden: tuple[Hidden, ...]) -> Iterator[Hidden]:
    """100 less each level of a column that ends at 100%, 1 less each of one that ends at 1."""
    levels = [one.value for target in spec.targets if target.derivation for one in target.derivation.inputs]
    levels += [guard.reference for guard in spec.guards]
    for target in spec.targets:
        if target.derivation is None or target.derivation.formula.startswith("mean"):
            levels += [target.value] + ([] if target.no_effect is None else [target.no_effect])
    for unit, bounds in dict.fromkeys((column.unit, column.range) for column in spec.required_outputs.columns):
        if bounds not in {(0.0, 100.0), (0.0, 1.0)}:
            continue
        whole = Decimal(repr(bounds[1]))
        for one in hidden:
            if one.value in levels and one.unit == unit and 0 < one.value < whole:
                rest = whole - one.value
                yield Hidden(rest, one.unit, one.resolution, f"{one.what}: its complement", (), linked_only=True)


def _spelled(hidden: tuple[Hidden, ...], protocol: tuple[ProtocolNumber, ...]) -> re.Pattern[str] | None:
    staying = {abs(one.value) for one in protocol}
    written = {
        spelling
        for one in hidden
        if digits_of(one.value) >= _TELLING_DIGITS and abs(one.value) not in staying and not one.linked_only
        for spelling in spellings(one.value, one.unit)
    }
    if not written:
        return None
    longest_first = sorted(written, key=lambda spelling: (-len(spelling), spelling))
    return re.compile(rf"(?<![\d.,])(?:{'|'.join(map(re.escape, longest_first))})(?!\d|[.,]\d)")


def _resolution(value: Decimal) -> Decimal:
    exponent = value.as_tuple().exponent
    return Decimal(1).scaleb(exponent) if isinstance(exponent, int) else Decimal(0)


def _scales(number: Number, hidden: Hidden) -> Iterator[Decimal]:
    yield Decimal(1)
    if hidden.unit in {"%", "pp"} and number.unit not in {"%", "pp"} and abs(number.value) <= 1:
        yield Decimal(100)
    if hidden.unit not in {"%", "pp"} and abs(hidden.value) <= 1:
        yield _CENT


def _is_protocol(number: Number, near: frozenset[str], protocol: tuple[ProtocolNumber, ...]) -> bool:
    """Whether a number is a set-up number, told by a word beside it: the "steps" of "1000 steps"."""
    return any(one.value == number.value and not near.isdisjoint(_set_up_words(one)) for one in protocol)


def _set_up_words(one: ProtocolNumber) -> frozenset[str]:
    """Name and unit of a set-up number, and what stands beside it where its quote holds that value only once."""
    printed = [number for number in read_numbers(one.quote) if number.value == one.value]
    around = beside(one.quote, printed[0]) if len(printed) == 1 else frozenset()
    return names_in([one.name.replace("_", " "), *around]) | {one.unit.lower(), one.name.lower()} | (around - _COMMON)
