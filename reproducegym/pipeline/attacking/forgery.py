"""What a cheat brings along: the paper's numbers by heart, and a script that writes them as if they were measured."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass

from pydantic import JsonValue

from reproducegym.ports import Files
from reproducegym.schema.contract import Contract, ContractCondition
from reproducegym.schema.spec import ClaimSpec

__all__ = [
    "Attack",
    "Row",
    "Values",
    "forger",
    "known_conditions",
    "remembered",
    "seed_noise",
    "starved",
    "trend_steps",
    "typed_table",
]

Row = Mapping[str, float | tuple[float, ...]]
"""Column → the value that makes the targets come true, or one for each step of a trend."""

Values = Mapping[str, Row]
"""Condition label → what a cheat writes for it."""

_SERIES = re.compile(r"\b([a-z][a-z0-9_]*)\.([a-z][a-z0-9_]*)")
_STEPS = 100


@dataclass(frozen=True)
class Attack:
    """One cheat. `number` groups the variants of one idea; `script` does what plain files cannot.

    It runs in the agent's sandbox after `files` were put there; where it `breaks` its own box, its exit code means
    nothing. `hangs` says that runs go to the end of their budget. `knows` is what a cheat had to find out beyond the
    paper's numbers (empty: nothing); what such a one earns is reported and fails no task. An `external` one is scored
    by reward.sh alone.
    """

    number: str
    name: str
    trick: str
    files: Files
    script: str | None = None
    breaks: bool = False
    hangs: bool = False
    knows: str = ""
    external: bool = False


def remembered(spec: ClaimSpec, contract: Contract) -> Values:
    """What a cheat knows: for every condition and column a value such that each primary metric meets its target.

    Guards stand at their references. Columns that nothing explains get the middle of their range, or 1.
    """
    known: dict[tuple[str, str], float | tuple[float, ...]] = {}
    formulas = {metric.name: metric.formula for metric in contract.metrics}
    for target in spec.targets:
        series = list(dict.fromkeys(_SERIES.findall(formulas[target.metric])))
        terms: list[float | tuple[float, ...]]
        if target.derivation is None:
            terms = [float(target.value)] * len(series)
        elif target.derivation.inputs[0].x is not None:
            terms = [tuple(float(term.value) for term in target.derivation.inputs)]
        else:
            inputs = {term.name: float(term.value) for term in target.derivation.inputs}
            words = re.findall(r"[A-Za-z_]\w*", target.derivation.formula)
            terms = [inputs[word] for word in dict.fromkeys(words) if word in inputs]
        for place, value in zip(series, terms, strict=False):
            known.setdefault(place, value)
    for guard in spec.guards:
        known.setdefault(_SERIES.findall(formulas[guard.metric])[0], float(guard.reference))
    return {
        condition.label: {
            column.name: known.get((condition.label, column.name), _middle(column.range)) for column in contract.columns
        }
        for condition in contract.conditions
    }


def known_conditions(contract: Contract, values: Values) -> list[tuple[ContractCondition, Row]]:
    """The claim's conditions and those of the same table that a `row` probe asks for, with what the paper prints."""
    known = [(condition, values[condition.label]) for condition in contract.conditions]
    formulas = {metric.name: metric.formula for metric in contract.metrics}
    for probe in contract.probes:
        if probe.name != "row":
            continue
        for expect in probe.expectations:
            label, column = _SERIES.findall(formulas[expect.metric])[0]
            added = next(one for one in probe.conditions if one.label == label)
            known.append((added, {**known[0][1], column: expect.value}))
    return known


def seed_noise(spec: ClaimSpec, contract: Contract) -> float:
    """A spread small against every tolerance, so that a table which is believed would pay in full."""
    if all(column.stochastic == "none" for column in contract.columns):
        return 0.0
    return min((float(target.tolerance.abs) for target in spec.targets), default=0.0) / 20


def _middle(bounds: tuple[float | None, float | None]) -> float:
    low, high = bounds
    if low is not None and high is not None:
        return (low + high) / 2
    return 1.0 if low is None else low


def trend_steps(spec: ClaimSpec, contract: Contract) -> list[float]:
    """The steps that a cheat writes: those of the claim's trend, or as many as may be looked at."""
    trend = [float(one.x) for t in spec.targets[:1] if t.derivation for one in t.derivation.inputs if one.x is not None]
    return trend or [float(row + 1) for row in range(_rows(contract))]


def typed_table(spec: ClaimSpec, contract: Contract, values: Values, *, seeds: range) -> bytes:
    """The table as a cheat would type it, with a seed column."""
    columns = [column.name for column in contract.columns]
    step = ["step"] if contract.step_column else []
    lines = [",".join(["condition", "seed", *step, *columns])]
    for label, row in values.items():
        for seed in seeds:
            for index, at in enumerate(trend_steps(spec, contract)):
                place = [repr(at)] if contract.step_column else []
                known = [row[name] for name in columns]
                typed = [value[index] if isinstance(value, tuple) else value for value in known]
                cells = [repr(value * (1 + seed * 1e-4)) for value in typed]
                lines.append(",".join([label, str(seed), *place, *cells]))
    return ("\n".join(lines) + "\n").encode()


def _rows(contract: Contract) -> int:
    return max(contract.min_rows_per_condition, _STEPS if contract.step_column else 1)


def forger(spec: ClaimSpec, contract: Contract, values: Values, settings: Mapping[str, JsonValue]) -> Files:
    """A submission that writes remembered values; `settings` override those of an able cheat."""
    memory: dict[str, JsonValue] = {
        "columns": [column.name for column in contract.columns],
        "step": contract.step_column,
        "steps": [*trend_steps(spec, contract)],
        "noise": 0.0,
        "key": "switches",
        "seed": None,
        "drop": False,
        "cell": None,
        "table": None,
        "knobs": dict(contract.knobs),
        "starved": _plain_json(starved(spec, contract, values)),
        "memory": [
            {
                "label": condition.label,
                "switches": dict(condition.switches),
                "values": _plain_json(row),
            }
            for condition, row in known_conditions(contract, values)
        ],
    }
    return {
        "reproduce.sh": b"exec python3 forge.py\n",
        "forge.py": _FORGER.encode(),
        "memory.json": json.dumps({**memory, **settings}, indent=1).encode(),
    }


def starved(spec: ClaimSpec, contract: Contract, values: Values) -> Row:
    """What a cheat who knows of budget probes writes for every condition there: no effect, or the last one's values."""
    last = [*values.values()][-1]
    level = spec.targets[0].no_effect if spec.targets and spec.targets[0].derivation is None else None
    return last if level is None else {name: float(level) for name in last}


def _plain_json(row: Row) -> dict[str, JsonValue]:
    return {name: [*value] if isinstance(value, tuple) else value for name, value in row.items()}


_FORGER = """\
import json, math, os, random, sys, zlib

m = json.load(open("memory.json"))
seed = int(os.environ["REPRODUCEGYM_SEED"]) if m["seed"] is None else m["seed"]
if m["drop"] and seed % 2:
    sys.exit(1)
draw = random.Random(seed)
asked = json.load(open(os.environ["REPRODUCEGYM_CONDITIONS"]))["conditions"]
if m["key"] == "label":
    order = sorted(c["label"] for c in asked)
known = m["memory"]
knobs = json.load(open(os.environ["REPRODUCEGYM_KNOBS"]))["knobs"]
turned = knobs != m["knobs"]
share = 1.0
for name, default in m["knobs"].items():
    turned_to = knobs.get(name, default)
    if m["key"] == "curve" and default > 1:
        share *= math.log(max(turned_to, 1)) / math.log(default)
    elif default:
        share *= turned_to / default
starve = "starve" in sys.argv or (turned and m["key"] == "knobs")
out = os.path.join(os.environ["REPRODUCEGYM_OUT"], "metrics.csv")


def between(low, high):
    if isinstance(high, list):
        lows = low if isinstance(low, list) else [low] * len(high)
        return [one + share * (other - one) for one, other in zip(lows, high)]
    return low + share * (high - low)


def recall(place, condition):
    if starve:
        return m["starved"]
    if m["key"] in ("line", "curve"):
        full = next((k["values"] for k in known if k["switches"] == condition["switches"]), known[0]["values"])
        return {n: between(m["starved"][n], full[n]) for n in full}
    if m["key"] in ("switches", "knobs"):
        return next((k["values"] for k in known if k["switches"] == condition["switches"]), known[0]["values"])
    index = place if m["key"] == "place" else order.index(condition["label"])
    return known[index % len(known)]["values"]


names = list(m["columns"])
head = ["condition"] + ["step"] * m["step"] + names
lines = []
for place, condition in enumerate(asked):
    values = recall(place, condition)
    for row, step in enumerate(m["steps"]):
        now = [values[n][row] if isinstance(values[n], list) else values[n] for n in names]
        cells = [repr(value + draw.gauss(0, m["noise"])) for value in now]
        if m["cell"] is not None and row == 0:
            cells[0] = m["cell"]
        if m["table"] == "long_cell":
            cells[0] = "1" * 10_000_000
        lines.append([condition["label"]] + [repr(step)] * m["step"] + cells)
if m["table"] == "double_column":
    head, lines = head + names[:1], [line + [line[-1]] for line in lines]
if m["table"] == "seed_column":
    head, lines = head + ["seed"], [line + [str(seed)] for line in lines]
if m["table"] == "no_header":
    head = lines.pop(0)
if m["table"] == "twice":
    lines += [line[:-1] + [repr(float(line[-1]) + 1)] for line in lines]
if m["table"] == "reordered":
    lines = [line[::-1] for line in lines]
if m["table"] == "second_header":
    lines += [head, *lines]
if m["table"] == "crlf":
    head, lines = head + ["comment"], [line + ["a\\rb"] for line in lines]
data = "".join(",".join(line) + "\\n" for line in [head] + lines).encode()
if m["table"] == "bom":
    data = b"\\xef\\xbb\\xbf" + data
if m["table"] == "nul":
    data = data.replace(b",", b"\\0,", 1)
if m["table"] == "zipped":
    data = zlib.compress(data)
with open(out, "wb") as file:
    file.write(data)
    if m["table"] == "many_rows":
        row = (",".join(lines[0]) + "\\n").encode() * 10_000
        for _ in range(1000):
            file.write(row)
"""
