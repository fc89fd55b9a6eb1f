"""Says what each metric of a spec should be worth, independent of its curve, and proves the contract by it."""

from reproducegym.pipeline.spec import contract_of
from reproducegym.pipeline.task_qa import TargetCheck, self_test
from reproducegym.schema.spec import ClaimSpec
from reproducegym.schema.task import CheckResult
from reproducegym.verifier.formula import parse_formula

__all__ = ["prove", "target_checks"]


def prove(spec: ClaimSpec) -> tuple[CheckResult, ...]:
    """The self-tests of a spec's contract; the task is accepted only when all have passed."""
    return self_test(contract_of(spec), target_checks(spec))


def target_checks(spec: ClaimSpec) -> dict[str, TargetCheck]:
    """One check for the claim's metric, from its target and grounded inputs, and one for a diagnostic gap.

    The series of a formula stand in the order of the target's inputs: treatment before baseline. All terms of a mean
    move together, of anything else the treatment.
    """
    (target,) = spec.targets
    if target.derivation is None:
        known = [target.value] + ([] if target.no_effect is None else [target.no_effect])
    else:
        known = [one.value for one in target.derivation.inputs]
    checks = {}
    for metric in spec.metrics:
        series = _series(spec, metric.formula)
        is_mean = target.derivation is not None and target.derivation.formula.startswith("mean")
        checks[metric.name] = TargetCheck(
            target=float(target.value),
            tolerance=float(target.tolerance.abs),
            no_effect=None if target.no_effect is None else float(target.no_effect),
            inputs={name: float(value) for name, value in zip(series, known, strict=False)},
            moves=series if is_mean and metric.name == target.metric else series[:1],
        )
    return checks


def _series(spec: ClaimSpec, formula: str) -> tuple[str, ...]:
    """The series that a formula reads, in order, each once."""
    outputs = spec.required_outputs
    parsed = parse_formula(
        formula,
        conditions=[one.label for one in spec.conditions],
        columns=[one.name for one in outputs.columns],
        step_column=outputs.step_column,
    )
    return tuple(dict.fromkeys(f"{part.condition}.{part.column}" for part in parsed.parts))
