"""Reads `contract.json` into frozen values and refuses anything that is not exactly a contract."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from reproducegym.verifier.curve import Curve, curve_fault
from reproducegym.verifier.formula import Formula, FormulaError, parse_formula

__all__ = [
    "Column",
    "Condition",
    "Contract",
    "ContractError",
    "Expectation",
    "Limits",
    "Metric",
    "Probe",
    "load_contract",
]

Bounds = tuple[float | None, float | None]

_NAME = re.compile(r"[a-z][a-z0-9_]{0,63}")
_FIELDS = (
    "schema_version",
    "evidence_level",
    "conditions",
    "columns",
    "step_column",
    "min_rows_per_condition",
    "seeds",
    "knobs",
    "metrics",
    "reward_curves",
    "aggregation",
    "weights",
    "probes",
    "limits",
)
_RESERVED = ("condition", "step", "seed", "comment")


class ContractError(Exception):
    """The contract itself is broken; the message names the path of the offending field."""


@dataclass(frozen=True)
class Column:
    """One column of metrics.csv; `range` is inclusive, None is open."""

    name: str
    unit: str
    range: Bounds
    stochastic: str


@dataclass(frozen=True)
class Condition:
    """One setting that must be run."""

    label: str
    switches: Mapping[str, str]


@dataclass(frozen=True)
class Metric:
    """A scalar over the columns; `over_seeds` says how each of its aggregations is combined across seeds."""

    name: str
    formula: Formula
    role: str
    over_seeds: str


@dataclass(frozen=True)
class Expectation:
    """A probe's right answer: the metric lies within `abs` of `value`."""

    metric: str
    value: float
    abs: float


@dataclass(frozen=True)
class Probe:
    """An extra re-run with other switches or knobs, and what must hold in it."""

    name: str
    conditions: tuple[Condition, ...]
    knobs: Mapping[str, float]
    seeds: int
    expect: tuple[Expectation, ...]


@dataclass(frozen=True)
class Limits:
    """Bounds on one metrics.csv."""

    max_bytes: int
    max_rows: int


@dataclass(frozen=True)
class Contract:
    """All that scoring needs. Loaded contracts are consistent: every name resolves, every curve is sound."""

    evidence_level: str
    conditions: tuple[Condition, ...]
    columns: tuple[Column, ...]
    step_column: bool
    min_rows_per_condition: int
    seeds: int
    knobs: Mapping[str, float]
    metrics: tuple[Metric, ...]
    reward_curves: Mapping[str, Curve]
    aggregation: str
    weights: Mapping[str, float] | None
    probes: tuple[Probe, ...]
    limits: Limits


@dataclass(frozen=True)
class _Place:
    """A JSON value and the path that leads to it."""

    value: object
    path: str

    def refuse(self, wanted: str) -> ContractError:
        return ContractError(f"{self.path}: {wanted}")

    def fields(self, *names: str) -> list["_Place"]:
        """The members of an object that has exactly these, in this order."""
        members = self.members()
        for name in (*members, *names):
            if name not in names:
                raise ContractError(f"{self.path}.{name}: unknown field")
            if name not in members:
                raise ContractError(f"{self.path}.{name}: missing")
        return [members[name] for name in names]

    def members(self) -> dict[str, "_Place"]:
        if not isinstance(self.value, dict):
            raise self.refuse("an object is wanted")
        return {name: _Place(value, f"{self.path}.{name}") for name, value in self.value.items()}

    def items(self) -> list["_Place"]:
        if not isinstance(self.value, list):
            raise self.refuse("a list is wanted")
        return [_Place(value, f"{self.path}[{index}]") for index, value in enumerate(self.value)]

    def pair(self) -> list["_Place"]:
        items = self.items()
        if len(items) != 2:
            raise self.refuse("two values are wanted")
        return items

    def some(self) -> list["_Place"]:
        items = self.items()
        if not items:
            raise self.refuse("at least one is wanted")
        return items

    def text(self) -> str:
        if not isinstance(self.value, str):
            raise self.refuse("a string is wanted")
        return self.value

    def name(self) -> str:
        if not _NAME.fullmatch(self.text()):
            raise self.refuse("a name of small letters, digits and _ is wanted")
        return self.text()

    def choice(self, *known: str) -> str:
        if self.value not in known:
            raise self.refuse(f"one of {', '.join(known)} is wanted")
        return self.text()

    def flag(self) -> bool:
        if not isinstance(self.value, bool):
            raise self.refuse("true or false is wanted")
        return self.value

    def count(self) -> int:
        if isinstance(self.value, bool) or not isinstance(self.value, int) or not 1 <= self.value <= 2**40:
            raise self.refuse("a whole number of 1 or more is wanted")
        return self.value

    def number(self) -> float:
        if isinstance(self.value, bool) or not isinstance(self.value, int | float) or abs(self.value) > 1e300:
            raise self.refuse("a finite number is wanted")
        return float(self.value)

    def bounds(self) -> Bounds:
        low, high = (None if end.value is None else end.number() for end in self.pair())
        if low is not None and high is not None and low >= high:
            raise self.refuse("the lower bound must be below the upper one")
        return low, high

    def distinct(self, names: list[str]) -> None:
        if len(set(names)) != len(names):
            raise self.refuse("a name occurs twice")


def load_contract(data: bytes) -> Contract:
    """Read a contract.

    Raises:
        ContractError: it is not JSON, or a field is unknown, missing, mistyped or contradicts another.
    """
    try:
        root = _Place(json.loads(data, object_pairs_hook=_no_duplicates, parse_constant=_no_constant), "contract")
    except (ValueError, RecursionError) as error:
        raise ContractError(f"contract: not JSON: {error}") from error
    return _contract(root)


def _no_duplicates(pairs: list[tuple[str, object]]) -> dict[str, object]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError("a key occurs twice in one object")
    return members


def _no_constant(word: str) -> float:
    raise ValueError(f"{word} is not a JSON number")


def _contract(root: _Place) -> Contract:
    places = root.fields(*_FIELDS)
    version, level, conditions_at, columns_at, step_at, min_rows_at, seeds_at, knobs_at = places[:8]
    metrics_at, curves_at, aggregation_at, weights_at, probes_at, limits_at = places[8:]
    if version.value != 1:
        raise version.refuse(f"this judge reads schema version 1, not {version.value!r}")
    conditions = _conditions(conditions_at)
    columns = _columns(columns_at)
    step_column = step_at.flag()
    min_rows = min_rows_at.count()
    if min_rows > 1 and not step_column:
        raise min_rows_at.refuse("without a step column a condition has one row")
    knobs = {name: place.number() for name, place in knobs_at.members().items()}
    probes = _probes(probes_at, knobs)
    metrics = _metrics(metrics_at, conditions, columns, step_column=step_column, probes=probes)
    _check_expectations(probes_at, probes, metrics)
    aggregation = aggregation_at.choice("min", "weighted_mean")
    max_bytes, max_rows = (place.count() for place in limits_at.fields("max_bytes", "max_rows"))
    return Contract(
        evidence_level=level.choice("artifact", "replay", "reexecute"),
        conditions=conditions,
        columns=columns,
        step_column=step_column,
        min_rows_per_condition=min_rows,
        seeds=seeds_at.count(),
        knobs=knobs,
        metrics=metrics,
        reward_curves=_curves(curves_at, metrics),
        aggregation=aggregation,
        weights=_weights(weights_at, aggregation, metrics),
        probes=probes,
        limits=Limits(max_bytes, max_rows),
    )


def _conditions(at: _Place) -> tuple[Condition, ...]:
    found = []
    for item in at.some():
        label, switches = item.fields("label", "switches")
        found.append(Condition(label.name(), {name: place.text() for name, place in switches.members().items()}))
    at.distinct([condition.label for condition in found])
    return tuple(found)


def _columns(at: _Place) -> tuple[Column, ...]:
    found = []
    for item in at.some():
        name, unit, bounds, stochastic = item.fields("name", "unit", "range", "stochastic")
        if name.value in _RESERVED:
            raise name.refuse(f"{name.value} is a reserved column name")
        kind = stochastic.choice("continuous", "discrete", "none")
        found.append(Column(name.name(), unit.text(), bounds.bounds(), kind))
    at.distinct([column.name for column in found])
    return tuple(found)


def _probes(at: _Place, knobs: Mapping[str, float]) -> tuple[Probe, ...]:
    found = []
    for item in at.items():
        name, conditions, turned, seeds, expect = item.fields("name", "conditions", "knobs", "seeds", "expect")
        for place in turned.members():
            if place not in knobs:
                raise turned.refuse(f"the contract has no knob {place}")
        found.append(
            Probe(
                name.choice("null", "budget", "data", "curve", "row", "counterfactual"),
                _conditions(conditions),
                {knob: place.number() for knob, place in turned.members().items()},
                seeds.count(),
                tuple(_expectation(place) for place in expect.some()),
            )
        )
    at.distinct([probe.name for probe in found])
    return tuple(found)


def _expectation(at: _Place) -> Expectation:
    metric, value, width = at.fields("metric", "value", "abs")
    if width.number() < 0:
        raise width.refuse("a tolerance cannot be negative")
    return Expectation(metric.text(), value.number(), width.number())


def _metrics(
    at: _Place,
    conditions: Sequence[Condition],
    columns: Sequence[Column],
    *,
    step_column: bool,
    probes: Sequence[Probe],
) -> tuple[Metric, ...]:
    main = [condition.label for condition in conditions]
    known = [*main, *(condition.label for probe in probes for condition in probe.conditions)]
    found = []
    for item in at.some():
        name, text, role_at, over_seeds = item.fields("name", "formula", "role", "over_seeds")
        role = role_at.choice("primary", "guard", "diagnostic")
        try:
            formula = parse_formula(
                text.text(),
                conditions=known if role == "diagnostic" else main,
                columns=[column.name for column in columns],
                step_column=step_column,
            )
        except FormulaError as error:
            raise text.refuse(str(error)) from error
        found.append(Metric(name.name(), formula, role, over_seeds.choice("mean", "median", "iqm", "max")))
    at.distinct([metric.name for metric in found])
    if all(metric.role != "primary" for metric in found):
        raise at.refuse("at least one primary metric is wanted")
    return tuple(found)


def _check_expectations(at: _Place, probes: Sequence[Probe], metrics: Sequence[Metric]) -> None:
    """Each expectation names a metric that reads conditions of its probe only."""
    by_name = {metric.name: metric for metric in metrics}
    for index, probe in enumerate(probes):
        labels = {condition.label for condition in probe.conditions}
        for number, expectation in enumerate(probe.expect):
            place = _Place(None, f"{at.path}[{index}].expect[{number}].metric")
            if expectation.metric not in by_name:
                raise place.refuse(f"the contract has no metric {expectation.metric}")
            if by_name[expectation.metric].formula.conditions() - labels:
                raise place.refuse("the metric reads a condition that the probe does not run")


def _curves(at: _Place, metrics: Sequence[Metric]) -> dict[str, Curve]:
    rewarded = {metric.name: metric.role for metric in metrics if metric.role != "diagnostic"}
    places = dict(zip(rewarded, at.fields(*rewarded), strict=True))
    return {name: _curve(place, rewarded[name]) for name, place in places.items()}


def _curve(at: _Place, role: str) -> Curve:
    shape, points, plausible = at.fields("shape", "points", "plausible")
    known = ("guard",) if role == "guard" else ("two_sided", "at_least", "at_most")
    pairs = [point.pair() for point in points.items()]
    curve = Curve(shape.choice(*known), tuple((x.number(), y.number()) for x, y in pairs), plausible.bounds())
    fault = curve_fault(curve)
    if fault is not None:
        raise points.refuse(fault)
    return curve


def _weights(at: _Place, aggregation: str, metrics: Sequence[Metric]) -> dict[str, float] | None:
    if aggregation == "min":
        if at.value is not None:
            raise at.refuse("min takes no weights")
        return None
    primary = [metric.name for metric in metrics if metric.role == "primary"]
    weights = dict(zip(primary, (place.number() for place in at.fields(*primary)), strict=True))
    if min(weights.values()) <= 0:
        raise at.refuse("weights must be positive")
    return weights
