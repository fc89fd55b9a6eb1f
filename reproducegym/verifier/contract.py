"""Reads `contract.json` into frozen values and refuses anything that is not exactly a contract."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, is_dataclass
from types import UnionType
from typing import Literal, get_args, get_origin, get_type_hints

from reproducegym.verifier.curve import Curve, curve_fault
from reproducegym.verifier.formula import Formula, FormulaError, parse_formula

__all__ = [
    "Choice",
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
    """A probe's right answer: the metric lies within `abs` of `value`.

    `rms` bounds the root mean square of the runs' own deviations from `value` (None: not looked at): runs that are
    wrong in turn, on one side and the other, must not cancel.
    """

    metric: str
    value: float
    abs: float
    rms: float | None


@dataclass(frozen=True)
class Choice:
    """One way to run a probe: its knobs, and what must hold under them."""

    knobs: dict[str, float]
    expect: tuple[Expectation, ...]


@dataclass(frozen=True)
class Probe:
    """An extra re-run with other switches or knobs, under one of its choices."""

    name: Literal["null", "budget", "data", "curve", "row", "counterfactual"]
    conditions: tuple[Condition, ...]
    seeds: int
    choices: tuple[Choice, ...]


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
    if origin is dict and isinstance(value, dict):
        return {name: _typed(arguments[1], item, f"{path}.{name}") for name, item in value.items()}
    if origin is tuple and isinstance(value, list) and (arguments[-1] is Ellipsis or len(value) == len(arguments)):
        kinds = arguments[:1] * len(value) if arguments[-1] is Ellipsis else arguments
        return tuple(_typed(kinds[i], item, f"{path}[{i}]") for i, item in enumerate(value))
    if kind is float and type(value) in (int, float) and isinstance(value, int | float) and abs(value) <= _HUGE:
        return float(value)
    if kind in (str, int, bool) and type(value) is kind:
        return value
    if origin is Literal and any(value == known and type(value) is type(known) for known in arguments):
        return value
    wanted = ", ".join(map(repr, arguments)) if origin is Literal else getattr(origin or kind, "__name__", kind)
    raise ContractError(f"{path}: {wanted} is wanted")


def _faults(contract: Contract) -> Iterator[str]:
    """Everything by which a well-typed contract contradicts itself, as `path: what is wrong`."""
    names = {"columns": [column.name for column in contract.columns], "metrics": [m.name for m in contract.metrics]}
    counts = {"limits.max_bytes": contract.limits.max_bytes, "limits.max_rows": contract.limits.max_rows}
    counts["min_rows_per_condition"] = contract.min_rows_per_condition
    runs: dict[str, Contract | Probe] = {f"probes.{probe.name}.": probe for probe in contract.probes}
    for place, run in (runs | {"": contract}).items():
        names[f"{place}conditions"] = [condition.label for condition in run.conditions]
        counts[f"{place}seeds"] = run.seeds
    for path, found in names.items():
        for name in found or [""]:
            if not _NAME.fullmatch(name) or name in _RESERVED or found.count(name) > 1:
                yield f"{path}: {name!r} is no name of small letters, digits and _, or is reserved, or occurs twice"
    for path, count in counts.items():
        if count < 1:
            yield f"{path}: 1 or more is wanted"
    bounds = {f"columns.{column.name}.range": column.range for column in contract.columns}
    bounds |= {f"reward_curves.{name}.plausible": curve.plausible for name, curve in contract.reward_curves.items()}
    for path, (low, high) in bounds.items():
        if low is not None and high is not None and low >= high:
            yield f"{path}: the lower bound must be below the upper one"
    if contract.min_rows_per_condition > 1 and not contract.step_column:
        yield "min_rows_per_condition: without a step column a condition has one row"
    for metric in contract.metrics:
        try:
            contract.parse(metric)
        except FormulaError as error:
            yield f"metrics.{metric.name}.formula: {error}"
    yield from _reward_faults(contract)
    yield from _probe_faults(contract)


def _reward_faults(contract: Contract) -> Iterator[str]:
    roles = {metric.name: metric.role for metric in contract.metrics if metric.role != "diagnostic"}
    primary = {name for name, role in roles.items() if role == "primary"}
    if not primary or set(contract.reward_curves) != set(roles):
        yield "reward_curves: one for each primary and guard metric is wanted, and at least one primary metric"
    for name, curve in contract.reward_curves.items():
        fault = curve_fault(curve)
        if fault is not None or (curve.shape == "guard") != (roles.get(name) == "guard"):
            yield f"reward_curves.{name}: {fault or 'guard curves are for guard metrics'}"
    weights = contract.weights or {}
    wanted = primary if contract.aggregation == "weighted_mean" else set()
    if set(weights) != wanted or min(weights.values(), default=1) <= 0:
        yield "weights: weighted_mean takes a positive weight for each primary metric, min takes none"


def _probe_faults(contract: Contract) -> Iterator[str]:
    metrics = {metric.name: metric for metric in contract.metrics}
    if len({probe.name for probe in contract.probes}) != len(contract.probes):
        yield "probes: a name occurs twice"
    for probe in contract.probes:
        labels = {condition.label for condition in probe.conditions}
        turned = {tuple(sorted((contract.knobs | choice.knobs).items())) for choice in probe.choices}
        if not turned or len(turned) < len(probe.choices):
            yield f"probes.{probe.name}.choices: one or more is wanted, no two with the same knobs"
        for choice in probe.choices:
            if not choice.expect or not set(choice.knobs) <= set(contract.knobs):
                yield f"probes.{probe.name}: an expectation, and only knobs of the contract, are wanted"
            for expected in choice.expect:
                metric = metrics.get(expected.metric)
                low = min(expected.abs, expected.abs if expected.rms is None else expected.rms)
                if metric is None or contract.parse(metric).conditions() - labels or low < 0:
                    yield f"probes.{probe.name}.expect: {expected.metric} must read its conditions, abs and rms be >= 0"
