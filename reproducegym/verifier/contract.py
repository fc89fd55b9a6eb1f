"""Reads `contract.json` into frozen values and refuses anything that is not exactly a contract."""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, is_dataclass
from types import UnionType
from typing import Literal, get_args, get_origin, get_type_hints

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

_NAME = re.compile(r"[a-z][a-z0-9_]{0,127}")
_RESERVED = ("condition", "step", "seed", "comment", "main")
_HUGE = 1e300


class ContractError(Exception):
    """The contract itself is broken; the message names the path of the offending field."""


@dataclass(frozen=True)
class Column:
    """One column of metrics.csv; `range` is inclusive, None is open."""

    name: str
    unit: str
    range: tuple[float | None, float | None]
    stochastic: Literal["continuous", "discrete", "none"]


@dataclass(frozen=True)
class Condition:
    """One setting that must be run."""

    label: str
    switches: dict[str, str]


@dataclass(frozen=True)
class Metric:
    """A scalar over the columns; `over_seeds` says how each of its aggregations is combined across seeds."""

    name: str
    formula: str
    role: Literal["primary", "guard", "diagnostic"]
    over_seeds: Literal["mean", "median", "iqm", "max"]


@dataclass(frozen=True)
class Expectation:
    """A probe's right answer: the metric lies within `abs` of `value`."""

    metric: str
    value: float
    abs: float


@dataclass(frozen=True)
class Probe:
    """An extra re-run with other switches or knobs, and what must hold in it."""

    name: Literal["null", "budget", "data", "curve", "row", "counterfactual"]
    conditions: tuple[Condition, ...]
    knobs: dict[str, float]
    seeds: int
    expect: tuple[Expectation, ...]


@dataclass(frozen=True)
class Limits:
    """Bounds on one metrics.csv."""

    max_bytes: int
    max_rows: int


@dataclass(frozen=True)
class Contract:
    """All that scoring needs. A loaded contract is consistent: every name resolves, every curve is sound."""

    schema_version: Literal[1]
    evidence_level: Literal["artifact", "replay", "reexecute"]
    conditions: tuple[Condition, ...]
    columns: tuple[Column, ...]
    step_column: bool
    min_rows_per_condition: int
    seeds: int
    knobs: dict[str, float]
    metrics: tuple[Metric, ...]
    reward_curves: dict[str, Curve]
    aggregation: Literal["min", "weighted_mean"]
    weights: dict[str, float] | None
    probes: tuple[Probe, ...]
    limits: Limits

    def parse(self, metric: Metric) -> Formula:
        """The parsed formula of a metric; only a diagnostic may read conditions that a probe alone runs."""
        conditions = [condition.label for condition in self.conditions]
        if metric.role == "diagnostic":
            conditions += [condition.label for probe in self.probes for condition in probe.conditions]
        columns = [column.name for column in self.columns]
        return parse_formula(metric.formula, conditions=conditions, columns=columns, step_column=self.step_column)


def load_contract(data: bytes) -> Contract:
    """Read a contract.

    Raises:
        ContractError: it is not JSON, or a field is unknown, missing, mistyped or contradicts another.
    """
    try:
        contract = _typed(Contract, json.loads(data, object_pairs_hook=_no_duplicates), "contract")
    except (ValueError, RecursionError) as error:
        raise ContractError(f"contract: not JSON: {error}") from error
    assert isinstance(contract, Contract)
    for fault in _faults(contract):
        raise ContractError(f"contract.{fault}")
    return contract


def _no_duplicates(pairs: list[tuple[str, object]]) -> dict[str, object]:
    if len(dict(pairs)) != len(pairs):
        raise ValueError("a key occurs twice in one object")
    return dict(pairs)


def _typed(kind: object, value: object, path: str) -> object:
    """A JSON value as a dataclass, literal, tuple, dict, number, string or flag; never converted, only checked."""
    origin, arguments = get_origin(kind), get_args(kind)
    if isinstance(kind, type) and is_dataclass(kind) and isinstance(value, dict):
        hints: dict[str, object] = get_type_hints(kind)
        for name in (*value, *hints):
            if name not in hints or name not in value:
                raise ContractError(f"{path}.{name}: {'missing' if name in hints else 'unknown field'}")
        return kind(**{name: _typed(hint, value[name], f"{path}.{name}") for name, hint in hints.items()})
    if origin is UnionType:
        return None if value is None else _typed(arguments[0], value, path)
    if origin is Literal and any(value == known and type(value) is type(known) for known in arguments):
        return value
    if origin is dict and isinstance(value, dict):
        return {name: _typed(arguments[1], item, f"{path}.{name}") for name, item in value.items()}
    if origin is tuple and isinstance(value, list):
        kinds = [arguments[0]] * len(value) if arguments[-1] is Ellipsis else list(arguments)
        if len(value) == len(kinds):
            return tuple(_typed(kinds[i], item, f"{path}[{i}]") for i, item in enumerate(value))
    if kind is float and type(value) in (int, float) and isinstance(value, int | float) and abs(value) <= _HUGE:
        return float(value)
    if kind in (str, int, bool) and type(value) is kind:
        return value
    wanted = ", ".join(map(repr, arguments)) if origin is Literal else getattr(origin or kind, "__name__", kind)
    raise ContractError(f"{path}: {wanted} is wanted")


def _faults(contract: Contract) -> Iterator[str]:
    """Everything by which a well-typed contract contradicts itself, as `path: what is wrong`."""
    yield from _name_faults("conditions", [condition.label for condition in contract.conditions])
    yield from _name_faults("columns", [column.name for column in contract.columns])
    yield from _name_faults("metrics", [metric.name for metric in contract.metrics])
    counts = (contract.min_rows_per_condition, contract.seeds, contract.limits.max_bytes, contract.limits.max_rows)
    for name, count in zip(
        ("min_rows_per_condition", "seeds", "limits.max_bytes", "limits.max_rows"), counts, strict=True
    ):
        if count < 1:
            yield f"{name}: must be 1 or more"
    if contract.min_rows_per_condition > 1 and not contract.step_column:
        yield "min_rows_per_condition: without a step column a condition has one row"
    for column in contract.columns:
        yield from _bounds_faults(f"columns.{column.name}.range", column.range)
    for index, metric in enumerate(contract.metrics):
        try:
            contract.parse(metric)
        except FormulaError as error:
            yield f"metrics[{index}].formula: {error}"
    yield from _reward_faults(contract)
    yield from _probe_faults(contract)


def _name_faults(path: str, names: Sequence[str]) -> Iterator[str]:
    if not names:
        yield f"{path}: at least one is wanted"
    for name in names:
        if not _NAME.fullmatch(name) or name in _RESERVED or names.count(name) > 1:
            yield f"{path}: {name!r} is no name of small letters, digits and _, or is reserved, or occurs twice"


def _bounds_faults(path: str, bounds: tuple[float | None, float | None]) -> Iterator[str]:
    low, high = bounds
    if low is not None and high is not None and low >= high:
        yield f"{path}: the lower bound must be below the upper one"


def _reward_faults(contract: Contract) -> Iterator[str]:
    roles = {metric.name: metric.role for metric in contract.metrics if metric.role != "diagnostic"}
    primary = {name for name, role in roles.items() if role == "primary"}
    if not primary:
        yield "metrics: at least one primary metric is wanted"
    if set(contract.reward_curves) != set(roles):
        yield "reward_curves: one curve for each primary and guard metric is wanted, and no other"
        return
    for name, curve in contract.reward_curves.items():
        fault = curve_fault(curve)
        if fault is not None:
            yield f"reward_curves.{name}.points: {fault}"
        if (curve.shape == "guard") != (roles[name] == "guard"):
            yield f"reward_curves.{name}.shape: {curve.shape} does not fit a {roles[name]} metric"
        yield from _bounds_faults(f"reward_curves.{name}.plausible", curve.plausible)
    weights = contract.weights or {}
    if (
        set(weights) != (primary if contract.aggregation == "weighted_mean" else set())
        or min(weights.values(), default=1) <= 0
    ):
        yield "weights: weighted_mean takes a positive weight for each primary metric, min takes none"


def _probe_faults(contract: Contract) -> Iterator[str]:
    metrics = {metric.name: metric for metric in contract.metrics}
    if len({probe.name for probe in contract.probes}) != len(contract.probes):
        yield "probes: a name occurs twice"
    for index, probe in enumerate(contract.probes):
        path = f"probes[{index}]"
        labels = {condition.label for condition in probe.conditions}
        yield from _name_faults(f"{path}.conditions", [condition.label for condition in probe.conditions])
        if probe.seeds < 1 or not probe.expect:
            yield f"{path}: at least one seed and one expectation are wanted"
        if not set(probe.knobs) <= set(contract.knobs):
            yield f"{path}.knobs: the contract has no such knob"
        for number, expectation in enumerate(probe.expect):
            metric = metrics.get(expectation.metric)
            if metric is None or contract.parse(metric).conditions() - labels or expectation.abs < 0:
                yield f"{path}.expect[{number}]: a known metric over the probe's conditions and abs >= 0 are wanted"
