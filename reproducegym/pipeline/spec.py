"""The compiler: a candidate claim becomes a spec with grounded targets and an exact reward, or a reason why not."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from reproducegym.pipeline.binding import convert
from reproducegym.pipeline.curves import reward_curve, signed_relation
from reproducegym.pipeline.derived import Derived, check_printed, derive, relative_or_points
from reproducegym.pipeline.hashing import claim_uid, contract_hash, sealed_spec
from reproducegym.pipeline.layout import Layout, lay_out, metric_bounds
from reproducegym.pipeline.measurement import combined_by, items_of
from reproducegym.pipeline.naming import name_of
from reproducegym.pipeline.probes import PlannedProbes, ProbeGround, plan_probes
from reproducegym.pipeline.terms import Terms, inputs_of, terms_of
from reproducegym.pipeline.tolerance import Setting, seed_plan, tolerance
from reproducegym.ports import ReadPaper
from reproducegym.schema.claim import Candidate, OverSeeds, Pattern, Provenance, Reason, Rejected
from reproducegym.schema.config import Config
from reproducegym.schema.contract import Contract, ContractCondition, ContractMetric, Curve, Limits
from reproducegym.schema.spec import (
    ClaimSpec,
    Derivation,
    Knob,
    MetricSpec,
    Probes,
    RequiredOutputs,
    SeedPlan,
    Target,
    Tolerance,
)
from reproducegym.verifier.formula import FormulaError, parse_formula

__all__ = ["compile_claim", "contract_of", "numbered"]

_MANY = 100


@dataclass(frozen=True)
class _Value:
    """The pattern that the table supports, its value, and the paper's own print of it in the same unit."""

    pattern: Pattern
    derived: Derived
    printed: Decimal | None


@dataclass(frozen=True)
class _Claim:
    """A bound claim on its way into a spec."""

    paper_id: str
    candidate: Candidate
    config: Config
    terms: Terms
    pattern: Pattern
    derived: Derived
    printed: Decimal | None
    layout: Layout
    over_seeds: OverSeeds

    @property
    def run_budget_s(self) -> int:
        """Wall clock of one run at the full budget."""
        multiples = self.config.verification.run_multiples
        by_cost = {"S": multiples.S, "M": multiples.M, "L": multiples.L, "XL": multiples.XL}
        return self.config.verification.run_budget_s * by_cost[self.candidate.cost]

    @property
    def affordable_runs(self) -> int:
        """How many full runs the verification budget holds."""
        return int(Decimal(repr(self.config.verification.max_hours)) * 3600 / self.run_budget_s)


@dataclass(frozen=True)
class _Fit:
    """What the compiler fitted to a claim's value."""

    no_effect: Decimal | None
    seeds: SeedPlan
    tolerance: Tolerance
    curve: Curve
    knob: Knob | None
    probes: PlannedProbes
    evidence_level: Literal["reexecute", "replay"]


def compile_claim(paper: ReadPaper, candidate: Candidate, config: Config) -> ClaimSpec | Rejected:
    """Ground, bind, derive, and fit tolerance, seeds, curve and probes; pure, and the same bytes for the same input.

    The spec is numbered c000 until `numbered` places it among the accepted ones, and is not yet proved.
    """
    if candidate.doubts:
        return Rejected(reasons=candidate.doubts)
    if candidate.pattern == "unquantified":
        return _rejected(Reason(code="no_quantity", argument=None, detail="the sentence names no quantity"))
    terms = terms_of(paper, candidate)
    if not isinstance(terms, Terms):
        return Rejected(reasons=terms)
    unready = _unready(candidate)
    if unready:
        return Rejected(reasons=unready)
    value = _value(candidate, terms)
    if isinstance(value, Reason):
        return _rejected(value)
    hidden = (*terms.hidden(), value.derived.value)
    layout = lay_out(candidate, value.pattern, terms, hidden)
    if isinstance(layout, Reason):
        return _rejected(layout)
    over_seeds = combined_by(paper, candidate, terms)
    if over_seeds == "max" and candidate.metric.direction == "lower_is_better":
        detail = "the paper takes the best of several runs where less is better; a contract can take the largest only"
        return _rejected(Reason(code="formula_unsupported", argument=None, detail=detail))
    claim = _Claim(
        paper_id=paper.document.paper_id,
        candidate=candidate,
        config=config,
        terms=terms,
        pattern=value.pattern,
        derived=value.derived,
        printed=value.printed,
        layout=layout,
        over_seeds=over_seeds,
    )
    fit = _fit(claim)
    if isinstance(fit, Reason):
        return _rejected(fit)
    spec = _spec(claim, fit)
    fault = _formula_fault(spec)
    return spec if fault is None else _rejected(fault)


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
        probes=spec.probe_plans,
        limits=spec.limits,
    )


def numbered(spec: ClaimSpec, number: int) -> ClaimSpec:
    """The spec as the n-th accepted claim of its paper: `c001_<slug>`, with its new `spec_hash`."""
    slug = spec.claim_id.partition("_")[2]
    return sealed_spec(spec.model_copy(update={"claim_id": f"c{number:03d}_{slug}"}))


def _rejected(reason: Reason) -> Rejected:
    return Rejected(reasons=(reason,))


def _unready(candidate: Candidate) -> tuple[Reason, ...]:
    """Why a grounded claim still cannot be a task: its protocol or its direction is not known."""
    protocol = candidate.protocol
    parts = {"method": protocol.method, "data set": protocol.dataset, "evaluation protocol": protocol.evaluation}
    absent = [name for name, text in parts.items() if not text]
    reasons = []
    if absent:
        detail = f"the paper as read names no {' and no '.join(absent)}"
        reasons.append(Reason(code="protocol_incomplete", argument=None, detail=detail))
    if candidate.metric.direction is None:
        detail = f'nothing says whether more or less "{candidate.metric.name}" is better'
        reasons.append(Reason(code="direction_unknown", argument=None, detail=detail))
    return tuple(reasons)


def _value(candidate: Candidate, terms: Terms) -> _Value | Reason:
    """A claim's value from its terms, checked against what the paper prints of it."""
    unit, printed, pattern = candidate.metric.unit, terms.printed, candidate.pattern
    inputs = inputs_of(pattern, terms)
    rate = unit == "%" or candidate.metric.kind == "rate"
    if printed is not None and printed.unit == "%" and rate and pattern in {"difference", "relative_change"}:
        decided = relative_or_points(inputs, unit, printed.value, printed.resolution)
        if isinstance(decided, Reason):
            return decided
        pattern = decided
    derived = derive(pattern, inputs, unit)
    if isinstance(derived, Reason):
        return derived
    if printed is None or pattern == "absolute":
        return _Value(pattern, derived, None)
    value = convert(printed.value, printed.unit, derived.unit)
    resolution = convert(printed.resolution, printed.unit, derived.unit)
    if value is None or resolution is None:
        detail = f'the paper prints "{printed.provenance[0].quote}", but {derived.formula} is in "{derived.unit}"'
        return Reason(code="unit_mismatch", argument=None, detail=detail)
    fault = check_printed(derived, value, resolution)
    return _Value(pattern, derived, value) if fault is None else fault


def _fit(claim: _Claim) -> _Fit | Reason:
    """Tolerance, seeds, curve, probes and evidence level of a claim's value."""
    verification, layout = claim.config.verification, claim.layout
    setting = Setting(
        pattern=claim.pattern,
        kind=claim.candidate.metric.kind,
        unit=claim.candidate.metric.unit,
        n_items=items_of(claim.candidate.protocol),
        policy=claim.config.tolerances,
        error=verification.joint_error,
        over_seeds=claim.over_seeds,
    )
    no_effect = _no_effect(claim)
    spare = claim.affordable_runs - 1 - verification.budget_probe_seeds
    cap = min(verification.max_seeds, max(verification.min_seeds, spare))
    seeds = seed_plan(
        claim.derived, no_effect, setting, policy_seeds=verification.policy_seeds, floor=verification.min_seeds, cap=cap
    )
    width = tolerance(claim.derived, setting, seeds.count)
    bounds = metric_bounds(claim.pattern, layout.columns[0].range)
    relation = signed_relation(claim.candidate.relation, claim.pattern, claim.derived.value)
    curve = reward_curve(claim.derived.value, width.abs, no_effect, relation, bounds)
    if isinstance(curve, Reason):
        return curve
    knob = _knob(claim.candidate)
    planned = plan_probes(_probe_ground(claim, setting, knob), verification)
    if seeds.count + sum(plan.seeds for plan in planned.plans) <= claim.affordable_runs:
        return _Fit(no_effect, seeds, width, curve, knob, planned, "reexecute")
    missing = {**dict.fromkeys(planned.record.used, "over_verification_budget"), **planned.record.missing}
    planned = PlannedProbes((), Probes(used=(), missing=missing))
    return _Fit(no_effect, seeds, width, curve, knob, planned, "replay")


def _no_effect(claim: _Claim) -> Decimal | None:
    """z: what the formula gives for no effect; for a plain value or mean the baseline's, else the chance level's."""
    if claim.derived.no_effect is not None:
        return claim.derived.no_effect
    point = claim.terms.baseline or claim.terms.chance
    return None if point is None else point.value


def _knob(candidate: Candidate) -> Knob | None:
    """The budget knob. Its zero is 1 where the default is 100 or more, else 0.

    One step of a hundred or more is near zero and still lets every loop write a result; one epoch of ten is not.
    """
    for number in candidate.protocol.numbers:
        zero = 1.0 if number.value >= _MANY else 0.0
        if number.name == candidate.budget_knob and number.value > Decimal(zero):
            return Knob(name=name_of(number.name, (), "knob"), default=float(number.value), zero=zero)
    return None


def _probe_ground(claim: _Claim, setting: Setting, knob: Knob | None) -> ProbeGround:
    terms, layout = claim.terms, claim.layout
    pair = inputs_of("difference", terms)
    both = len(pair) == 2 and layout.gap_series is not None
    gap = layout.metric if claim.pattern == "difference" else f"{layout.metric}_gap"
    return ProbeGround(
        pattern=claim.pattern,
        setting=setting,
        derived=claim.derived,
        primary=layout.metric,
        gap=gap if both else None,
        conditions=tuple(ContractCondition(label=one.label, switches=one.switches) for one in layout.conditions),
        treatment=layout.treatment,
        baseline=layout.baseline,
        a=pair[0] if both else None,
        b=pair[1] if both else None,
        chance=None if terms.chance is None else terms.chance.value,
        knob=knob,
    )


def _metrics(claim: _Claim, fit: _Fit) -> tuple[MetricSpec, ...]:
    """The claim's own metric, and the gap of treatment and baseline where a probe asks for it."""
    candidate, layout = claim.candidate, claim.layout
    if candidate.metric.direction is None:
        raise ValueError("a claim without direction was refused before")
    primary = MetricSpec(
        name=layout.metric,
        formula=layout.formula,
        unit=claim.derived.unit,
        range=metric_bounds(claim.pattern, layout.columns[0].range),
        direction=candidate.metric.direction,
        role="primary",
        over_seeds=claim.over_seeds,
    )
    asked = {expect.metric for plan in fit.probes.plans for expect in plan.expect} - {primary.name}
    formula = layout.gap_formula()
    if not asked or formula is None:
        return (primary,)
    gap = primary.model_copy(
        update={
            "name": asked.pop(),
            "formula": formula,
            "unit": "pp" if candidate.metric.unit == "%" else candidate.metric.unit,
            "range": metric_bounds("difference", layout.columns[0].range),
            "role": "diagnostic",
        }
    )
    return primary, gap


def _target(claim: _Claim, fit: _Fit) -> Target:
    derived, terms = claim.derived, claim.terms
    printed = () if terms.printed is None or claim.pattern == "absolute" else terms.printed.provenance
    places = _distinct(*(one.provenance for one in derived.inputs), printed)
    references = [point.provenance for point in (terms.baseline, terms.chance) if point is not None]
    derivation = None
    if claim.pattern != "absolute":
        derivation = Derivation(
            formula=derived.formula,
            inputs=derived.inputs,
            rounding=derived.rounding,
            printed=claim.printed,
        )
    return Target(
        metric=claim.layout.metric,
        value=derived.value,
        unit=derived.unit,
        no_effect=fit.no_effect,
        spread=derived.inputs[0].spread if derivation is None else None,
        provenance=places,
        reference_provenance=tuple(place for place in _distinct(*references) if place not in places),
        derivation=derivation,
        tolerance=fit.tolerance,
    )


def _distinct(*groups: tuple[Provenance, ...]) -> tuple[Provenance, ...]:
    """All places in order, each once."""
    places: list[Provenance] = []
    for group in groups:
        places += [place for place in group if place not in places]
    return tuple(places)


def _spec(claim: _Claim, fit: _Fit) -> ClaimSpec:
    candidate, layout, verification = claim.candidate, claim.layout, claim.config.verification
    subject = next((one.source_label for one in layout.conditions), "")
    hidden = (*claim.terms.hidden(), claim.derived.value)
    slug = name_of(f"{subject} {candidate.metric.name}", hidden, "claim")
    spec = ClaimSpec(
        schema_version=1,
        paper_id=claim.paper_id,
        family="paper_claims",
        claim_id=f"c000_{slug}",
        claim_uid=claim_uid(claim.paper_id, candidate.anchors),
        spec_hash="",
        contract_hash="",
        title=candidate.title,
        statement=candidate.statement,
        agent_statement=candidate.agent_statement,
        claim_type=candidate.claim_type,
        anchors=candidate.anchors,
        conditions=layout.conditions,
        knobs=() if fit.knob is None else (fit.knob,),
        metrics=_metrics(claim, fit),
        targets=(_target(claim, fit),),
        guards=(),
        reward_curves={layout.metric: fit.curve},
        aggregation="min",
        seeds=fit.seeds,
        probes=fit.probes.record,
        probe_plans=fit.probes.plans,
        required_outputs=RequiredOutputs(columns=layout.columns, step_column=False, min_rows_per_condition=1),
        limits=Limits(max_bytes=verification.max_metrics_bytes, max_rows=verification.max_rows),
        protocol=candidate.protocol,
        assets=(),
        egress=(),
        evidence_level=fit.evidence_level,
        exposure_policy="masked",
        run_budget_s=claim.run_budget_s,
        requires_training=candidate.requires_training,
        requires_gpu=candidate.requires_gpu,
        cost=candidate.cost,
    )
    return sealed_spec(spec.model_copy(update={"contract_hash": contract_hash(contract_of(spec))}))


def _formula_fault(spec: ClaimSpec) -> Reason | None:
    """Every formula goes through the verifier's own parser before anyone relies on it."""
    try:
        for metric in spec.metrics:
            parse_formula(
                metric.formula,
                conditions=[one.label for one in spec.conditions],
                columns=[one.name for one in spec.required_outputs.columns],
                step_column=spec.required_outputs.step_column,
            )
    except FormulaError as error:
        return Reason(code="formula_unsupported", argument=None, detail=str(error))
    return None
