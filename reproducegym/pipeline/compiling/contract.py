"""Takes from a spec what the verifier needs; apart from the compiler, whose algebra no run has to load."""

from reproducegym.schema.contract import Contract, ContractCondition, ContractMetric
from reproducegym.schema.spec import ClaimSpec

__all__ = ["contract_of"]


def contract_of(spec: ClaimSpec) -> Contract:
    """Everything of a spec that the verifier uses."""
    return Contract(
        schema_version=1,
        evidence_level=spec.evidence_level,
        conditions=tuple(ContractCondition(label=one.label, switches=one.switches) for one in spec.conditions),
        columns=spec.required_outputs.columns,
        step_column=spec.required_outputs.step_column,
        min_rows_per_condition=spec.required_outputs.min_rows_per_condition,
        seeds=spec.seeds.count,
        knobs={knob.name: knob.default for knob in spec.knobs},
        metrics=tuple(
            ContractMetric(name=one.name, formula=one.formula, role=one.role, over_seeds=one.over_seeds)
            for one in spec.metrics
        ),
        reward_curves=spec.reward_curves,
        aggregation=spec.aggregation,
        weights=None,
        probes=tuple(plan.model_copy(update={"asset": None}) for plan in spec.probe_plans),
        limits=spec.limits,
    )
