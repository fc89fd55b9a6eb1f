"""Says what each metric of a spec should be worth, independent of its curve, and proves the contract by it."""

import re
from collections.abc import Iterator
from functools import lru_cache

from reproducegym.pipeline.compiling.contract import contract_of
from reproducegym.pipeline.compiling.spec import run_labels
from reproducegym.pipeline.proving.audits import audit_checks
from reproducegym.pipeline.proving.rehearsal import rehearse
from reproducegym.pipeline.proving.synthetic import Level, Values
from reproducegym.pipeline.proving.task_qa import TargetCheck, self_test
from reproducegym.pipeline.targets.curves import quiet_zone
from reproducegym.schema.spec import ClaimSpec, DerivationInput, Guard, Target
from reproducegym.schema.task import CheckResult
from reproducegym.verifier.formula import Part, parse_formula

__all__ = ["prove", "target_checks"]

_NAME = re.compile(r"[a-z]+(?:_\d+)?")
_JUMPING = ("spearman", "first_reach")


def prove(spec: ClaimSpec) -> tuple[CheckResult, ...]:
    """The self-tests of a spec's contract; the task is accepted only when all have passed.

    Neither the claim's number nor the hash over it is tested, so that a spec that was numbered meanwhile, as each
    accepted one is, needs no second proof.
    """
    return _proved(spec.model_copy(update={"claim_id": "", "spec_hash": ""}).model_dump_json())


@lru_cache(maxsize=64)
def _proved(unnumbered: str) -> tuple[CheckResult, ...]:
    spec = ClaimSpec.from_json(unnumbered)
    contract = contract_of(spec)
    if spec.audit is not None:
        return tuple(audit_checks(contract, spec.audit))
    tested = (*self_test(contract, target_checks(spec)), *_samples_proved(spec))
    return (*tested, *rehearse(spec, contract)) if all(check.passed for check in tested) else tuple(tested)


def _samples_proved(spec: ClaimSpec) -> Iterator[CheckResult]:
    """The self-tests of the contract of each sample of a claim that is drawn from."""
    for number, one in enumerate(spec.drawn() if spec.samples else (), 1):
        for check in self_test(contract_of(one), target_checks(one)):
            yield check.model_copy(update={"name": f"sample_{number}_{check.name}"})


def target_checks(spec: ClaimSpec) -> dict[str, TargetCheck]:
    """One check for each target and guard, from its grounded inputs, and one for each diagnostic.

    The series of a formula stand in the order in which the derivation's own formula names its inputs. All terms of a
    mean move together; those of an order fan out, the first most; of anything else the one called `a`, or the first.
    A trend's baseline is given the treatment's own values where only a probe's gap reads it.
    """
    known: dict[str, Level] = {}
    for target in spec.targets:
        known = {**_known(spec, target), **known}
    for guard in spec.guards:
        known[_series(spec, guard.metric)[0]] = float(guard.reference)
    if spec.required_outputs.step_column:
        shape = known[_series(spec, spec.targets[0].metric)[0]]
        known = {one: shape for metric in spec.metrics for one in _series(spec, metric.name)} | known
    targets = {target.metric: target for target in spec.targets}
    guards = {guard.metric: guard for guard in spec.guards}
    checks = {}
    for metric in spec.metrics:
        series = _series(spec, metric.name)
        inputs = {name: known[name] for name in series if name in known}
        about = targets.get(metric.name) or guards.get(metric.name) or spec.targets[0]
        checks[metric.name] = _check(spec, metric.name, about, inputs)
    return checks


def _check(spec: ClaimSpec, name: str, about: Target | Guard, inputs: Values) -> TargetCheck:
    """The check of one metric by its target or guard; a diagnostic takes another target's numbers, which none uses."""
    value, no_effect = (about.reference, None) if isinstance(about, Guard) else (about.value, about.no_effect)
    own = isinstance(about, Target) and about.metric == name
    steps = tuple(float(one.x) for one in _inputs(about) if one.x is not None) if own else ()
    plain = own and isinstance(about, Target) and about.derivation is None
    return TargetCheck(
        target=float(value),
        tolerance=float(about.tolerance.abs),
        no_effect=None if no_effect is None else float(no_effect),
        inputs=inputs,
        moves=_moves(spec, name, about),
        steps=steps,
        shown=_shown(_parts(spec, name)[0], inputs) if steps else (),
        quiet=float(quiet_zone(spec.probe_plans, name, spec.reward_curves, plain=plain)) if own else 0.0,
    )


def _inputs(about: Target | Guard) -> tuple[DerivationInput, ...]:
    return () if isinstance(about, Guard) or about.derivation is None else about.derivation.inputs


def _known(spec: ClaimSpec, target: Target) -> dict[str, Level]:
    """The value of each series that a target's metric reads, and of the baseline of a plain value."""
    series = _series(spec, target.metric)
    if target.derivation is None:
        gaps = [_series(spec, metric.name) for metric in spec.metrics if metric.role == "diagnostic"]
        pairs = [pair for pair in gaps if len(pair) == 2 and pair[0] == series[0]]
        levels = [float(target.value)] + ([] if target.no_effect is None else [float(target.no_effect)])
        return dict(zip(pairs[0] if pairs else series, levels, strict=False))
    values = {one.name: float(one.value) for one in target.derivation.inputs}
    if target.derivation.inputs[0].x is not None:
        return {series[0]: tuple(values.values())}
    return dict(zip(series, (values[name] for name in _named(target)), strict=False))


def _named(target: Target) -> tuple[str, ...]:
    """The inputs of a derivation in the order in which its formula names them."""
    if target.derivation is None:
        return ()
    names = {one.name for one in target.derivation.inputs}
    return tuple(dict.fromkeys(name for name in _NAME.findall(target.derivation.formula) if name in names))


def _moves(spec: ClaimSpec, name: str, about: Target | Guard) -> tuple[str, ...]:
    series = _series(spec, name)
    if isinstance(about, Guard) or about.metric != name or about.derivation is None:
        return series[:1]
    formula, named = about.derivation.formula, _named(about)
    if formula.startswith("mean"):
        return series
    if named[0] == "a_1" and len(series) > 1:
        return tuple(one for place, one in enumerate(series) for _ in range(len(series) - 1 - place))
    return series[named.index("a") :][:1] if "a" in named else series[:1]


def _shown(part: Part, inputs: Values) -> tuple[Values, ...]:
    """Shapes of a series whose ranks or first x at a level are known apart from the paper's: turned, swapped, moved."""
    (series, level), *_ = inputs.items()
    if part.function not in _JUMPING or not isinstance(level, tuple):
        return ()
    if part.function == "spearman":
        swaps = [(*level[:at], level[at + 1], level[at], *level[at + 2 :]) for at in range(len(level) - 1)]
        return tuple({series: shape} for shape in (level[::-1], *swaps))
    far = level[0] + 2 * (part.numbers[0] - level[0])
    return tuple({series: level[:1] * at + (far,) * (len(level) - at)} for at in range(1, len(level)))


def _series(spec: ClaimSpec, name: str) -> tuple[str, ...]:
    """The series that a metric reads, in order, each once."""
    return tuple(dict.fromkeys(f"{part.condition}.{part.column}" for part in _parts(spec, name)))


def _parts(spec: ClaimSpec, name: str) -> tuple[Part, ...]:
    outputs = spec.required_outputs
    (formula,) = (metric.formula for metric in spec.metrics if metric.name == name)
    parsed = parse_formula(
        formula,
        conditions=run_labels(spec),
        columns=[one.name for one in outputs.columns],
        step_column=outputs.step_column,
    )
    return parsed.parts
