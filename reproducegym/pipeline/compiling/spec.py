"""The compiler: a candidate claim becomes a spec with grounded targets and an exact reward, or a reason why not."""

from collections.abc import Sequence
from fractions import Fraction

from reproducegym.pipeline.compiling.contract import contract_of
from reproducegym.pipeline.compiling.fitting import BoundClaim, Fit, FittedGoal, budget_knob, fit_claim
from reproducegym.pipeline.compiling.sampling import sampled
from reproducegym.pipeline.hashing import claim_uid, contract_hash, sealed_spec
from reproducegym.pipeline.printed.naming import name_of
from reproducegym.pipeline.probing.assets import unavailable
from reproducegym.pipeline.probing.budget_curves import budget_curves
from reproducegym.pipeline.probing.named_assets import named_assets
from reproducegym.pipeline.probing.other_rows import other_rows
from reproducegym.pipeline.probing.paper_probes import PaperProbe
from reproducegym.pipeline.targets.goals import goals_of
from reproducegym.pipeline.targets.layout import lay_out, metric_bounds
from reproducegym.pipeline.targets.measurement import combined_by
from reproducegym.pipeline.targets.terms import Terms, terms_of
from reproducegym.ports import ReadPaper
from reproducegym.schema.asset import OfferedAsset
from reproducegym.schema.claim import Candidate, Provenance, Reason, Rejected
from reproducegym.schema.config import Config
from reproducegym.schema.contract import Limits
from reproducegym.schema.host_model import HostTruth
from reproducegym.schema.spec import ClaimSpec, Derivation, Guard, MetricSpec, RequiredOutputs, Target
from reproducegym.verifier.formula import FormulaError, parse_formula

__all__ = ["compile_claim", "numbered", "run_labels"]


def compile_claim(
    paper: ReadPaper,
    candidate: Candidate,
    config: Config,
    offered: Sequence[OfferedAsset] = (),
    truth: HostTruth | None = None,
) -> ClaimSpec | Rejected:
    """Ground, bind, derive, and fit tolerance, seeds, curves and probes; pure, and the same bytes for the same input.

    `offered` are the assets that the claim may use; it uses those that the paper names for it. `truth` is what a host
    model measured for this claim.
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

    def compile_on(claim: Candidate, bound: Terms, share: Fraction) -> ClaimSpec | Rejected:
        return _compiled(paper, claim, config, offered, truth if share == 1 else None, bound, share)

    spec = compile_on(candidate, terms, Fraction(1))
    if not isinstance(spec, ClaimSpec) or spec.evidence_level == "reexecute":
        return spec
    by_cells = sampled(candidate, terms, compile_on)
    if by_cells is None or by_cells.assets != spec.assets:
        return spec
    return sealed_spec(by_cells.model_copy(update={"contract_hash": contract_hash(contract_of(by_cells))}))


def _compiled(
    paper: ReadPaper,
    candidate: Candidate,
    config: Config,
    offered: Sequence[OfferedAsset],
    truth: HostTruth | None,
    terms: Terms,
    share: Fraction,
) -> ClaimSpec | Rejected:
    """A bound claim as a spec; with less than a `share` of 1 on some of its cells, beside which no others are asked."""
    goals = goals_of(candidate, terms)
    if isinstance(goals, Reason):
        return _rejected(goals)
    hidden = (*terms.hidden(), *(goal.derived.value for goal in goals.all))
    layout = lay_out(candidate, goals, terms, hidden)
    if isinstance(layout, Reason):
        return _rejected(layout)
    assets = named_assets(paper, candidate, terms, offered)
    withheld = unavailable(layout.conditions, candidate.protocol, provided=bool(assets))
    if withheld is not None:
        return _rejected(withheld)
    over_seeds = combined_by(paper, candidate, terms)
    if over_seeds == "max" and candidate.metric.direction == "lower_is_better":
        detail = "the paper takes the best of several runs where less is better; a contract can take the largest only"
        return _rejected(Reason(code="formula_unsupported", argument=None, detail=detail))
    claim = BoundClaim(
        paper_id=paper.document.paper_id,
        candidate=candidate,
        config=config,
        terms=terms,
        goals=goals,
        layout=layout,
        over_seeds=over_seeds,
        others=other_rows(paper, candidate, terms, layout) if share == 1 else (),
        curves=budget_curves(paper, terms, layout, budget_knob(candidate)),
        assets=assets,
        truth=truth,
        share=share,
    )
    fit = fit_claim(claim)
    if isinstance(fit, Reason):
        return _rejected(fit)
    spec = _spec(claim, fit)
    fault = _formula_fault(spec)
    return spec if fault is None else _rejected(fault)


def run_labels(spec: ClaimSpec) -> tuple[str, ...]:
    """Every condition that is run, also those that a probe alone runs."""
    probed = (one.label for plan in spec.probe_plans for one in plan.conditions)
    return tuple(dict.fromkeys((*(one.label for one in spec.conditions), *probed)))


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


def _metrics(claim: BoundClaim, fit: Fit) -> tuple[MetricSpec, ...]:
    """The claim's own metrics, its guards, and what probes ask beside them: the gap of their pair, single values."""
    candidate, layout = claim.candidate, claim.layout
    if candidate.metric.direction is None:
        raise ValueError("a claim without direction was refused before")
    metrics = [
        MetricSpec(
            name=one.metric.name,
            formula=one.metric.formula,
            unit=one.goal.derived.unit,
            range=metric_bounds(one.goal.measure, layout.columns[0].range),
            direction=candidate.metric.direction,
            role="primary" if one.curve is not None else "diagnostic",
            over_seeds=claim.over_seeds,
        )
        for one in fit.goals
    ]
    asked = {expect.metric for plan in fit.probes.plans for expect in plan.expectations} - {one.name for one in metrics}
    asked -= {metric.name for probe in fit.probes.asked for metric in probe.metrics}
    gaps = []
    if asked and layout.pair is not None:
        gap = {
            "name": asked.pop(),
            "formula": layout.pair.gap_formula(),
            "unit": "pp" if candidate.metric.unit == "%" else candidate.metric.unit,
            "range": metric_bounds("difference", layout.columns[0].range),
            "role": "diagnostic",
        }
        gaps.append(metrics[0].model_copy(update=gap))
    for asked_metric in dict.fromkeys(metric for probe in fit.probes.asked for metric in probe.metrics):
        other = {
            "name": asked_metric.name,
            "formula": asked_metric.formula,
            "unit": candidate.metric.unit,
            "range": layout.columns[0].range,
            "role": "diagnostic",
        }
        gaps.append(metrics[0].model_copy(update=other))
    ranges = {column.name: column.range for column in layout.columns}
    for guard in fit.guards:
        idea = guard.term.metric
        if idea.direction is None:
            raise ValueError("a guard without direction was refused before")
        metrics.append(
            MetricSpec(
                name=guard.metric.name,
                formula=guard.metric.formula,
                unit=idea.unit,
                range=ranges[guard.metric.name.removesuffix("_guard")],
                direction=idea.direction,
                role="guard",
                over_seeds=idea.over_seeds,
            )
        )
    return (*metrics, *gaps)


def _target(claim: BoundClaim, fitted: FittedGoal, asked: Sequence[PaperProbe]) -> Target:
    goal, derived, terms = fitted.goal, fitted.goal.derived, claim.terms
    printed = () if terms.printed is None or goal.printed is None else terms.printed.provenance
    places = _distinct(*(one.provenance for one in derived.inputs), printed)
    compared = [point for point in (terms.baseline, terms.chance) if point is not None]
    references = [point.provenance for point in compared]
    references += [one.point.provenance for one in terms.base_series]
    references += [probe.places for probe in asked]
    derivation = None
    if goal.measure != "absolute":
        derivation = Derivation(
            formula=derived.formula,
            inputs=derived.inputs,
            rounding=derived.rounding,
            printed=goal.printed,
            figure_read=any(_is_read(one.provenance) for one in derived.inputs),
        )
    return Target(
        metric=fitted.metric.name,
        value=derived.value,
        unit=derived.unit,
        no_effect=fitted.no_effect,
        spread=derived.inputs[0].spread if derivation is None else None,
        provenance=places,
        reference_provenance=tuple(place for place in _distinct(*references) if place not in places),
        derivation=derivation,
        tolerance=fitted.tolerance,
    )


def _is_read(places: tuple[Provenance, ...]) -> bool:
    """Whether a value stands in figures alone."""
    return all(place.kind == "figure_series" for place in places)


def _distinct(*groups: tuple[Provenance, ...]) -> tuple[Provenance, ...]:
    """All places in order, each once."""
    places: list[Provenance] = []
    for group in groups:
        places += [place for place in group if place not in places]
    return tuple(places)


def _spec(claim: BoundClaim, fit: Fit) -> ClaimSpec:
    candidate, layout, verification = claim.candidate, claim.layout, claim.config.verification
    subject = next((one.source_label for one in layout.conditions), "")
    hidden = (*claim.terms.hidden(), *(goal.derived.value for goal in claim.goals.all))
    slug = name_of(f"{subject} {candidate.metric.name}", hidden, "claim")
    curves = {one.metric.name: one.curve for one in fit.goals if one.curve is not None}
    spec = ClaimSpec(
        schema_version=1,
        paper_id=claim.paper_id,
        family="paper_claims",
        claim_id=f"c000_{slug}",
        claim_uid=claim_uid(claim.paper_id, candidate),
        spec_hash="",
        contract_hash="",
        title=candidate.title,
        statement=candidate.statement,
        agent_statement=candidate.agent_statement,
        claim_type=candidate.claim_type,
        anchors=candidate.anchors,
        conditions=layout.conditions,
        knobs=fit.knobs,
        metrics=_metrics(claim, fit),
        targets=tuple(_target(claim, one, fit.probes.asked) for one in fit.goals if one.curve is not None),
        guards=tuple(
            Guard(
                metric=one.metric.name,
                reference=one.term.reference.value,
                unit=one.term.reference.unit,
                provenance=one.term.reference.provenance,
                tolerance=one.tolerance,
            )
            for one in fit.guards
        ),
        reward_curves={**curves, **{one.metric.name: one.curve for one in fit.guards}},
        aggregation="min",
        seeds=fit.seeds,
        probes=fit.probes.record,
        probe_plans=fit.probes.plans,
        required_outputs=RequiredOutputs(
            columns=layout.columns,
            step_column=bool(layout.steps),
            min_rows_per_condition=max(1, len(layout.steps)),
        ),
        limits=Limits(max_bytes=verification.max_metrics_bytes, max_rows=verification.max_rows),
        protocol=candidate.protocol,
        assets=tuple(one.asset for one in claim.assets),
        egress=(),
        evidence_level=fit.evidence_level,
        exposure_policy=claim.config.build.exposure,
        paper_text=claim.config.build.paper_text,
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
                conditions=run_labels(spec),
                columns=[one.name for one in spec.required_outputs.columns],
                step_column=spec.required_outputs.step_column,
            )
    except FormulaError as error:
        return Reason(code="formula_unsupported", argument=None, detail=str(error))
    return None
