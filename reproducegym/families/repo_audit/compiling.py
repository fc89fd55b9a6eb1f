"""Compiles a damaged project into the spec of an audit: hidden places, the formula of the score, its curve."""

from collections.abc import Iterable
from decimal import Decimal

from ml_audit import Repository, Rule, findings
from reproducegym.examiner.findings import COLUMNS
from reproducegym.pipeline.compiling.contract import contract_of
from reproducegym.pipeline.hashing import contract_hash, sealed_spec
from reproducegym.planting.operator import Planted
from reproducegym.planting.plant import Damaged
from reproducegym.schema.audit import Audit, Defect, DefectPlace
from reproducegym.schema.claim import Protocol
from reproducegym.schema.contract import Column, Curve, Limits
from reproducegym.schema.spec import (
    ClaimSpec,
    Condition,
    MetricSpec,
    Probes,
    RequiredOutputs,
    SeedPlan,
    Target,
    Tolerance,
)

__all__ = ["NEAR", "compile_audit", "true_defects"]

NEAR = 2
"""Lines by which a finding may be off."""
_FORMULA = "(mean(repository.credit) - mean(repository.surplus)) / mean(repository.planted)"
_FORMULA_CLEAN = "1 - 0.5 * mean(repository.surplus)"
_WHOLE_FILE = 10**6
_MINUTE_S = 60


def true_defects(planted: Iterable[Planted]) -> tuple[Defect, ...]:
    """What is to be found, with every place that names it rightly; the first is where it is mended."""
    return tuple(
        Defect(
            rule=one.rule,
            places=(
                DefectPlace(file=one.file, first_line=one.first_line, last_line=one.last_line),
                *(DefectPlace(file=at.file, first_line=at.first_line, last_line=at.last_line) for at in one.also),
            ),
        )
        for one in planted
    )


def compile_audit(
    damaged: Damaged, rules: Iterable[Rule], family: str, paper_id: str, number: int, uid: str, statement: str
) -> ClaimSpec:
    """The sealed spec of one audit; `rules` are those that count."""
    defects = true_defects(damaged.planted)
    audit = Audit(near=NEAR, defects=defects, excused=(*_implied(damaged.planted), *_standing(damaged, rules)))
    metric = MetricSpec(
        name="score",
        formula=_FORMULA if defects else _FORMULA_CLEAN,
        unit="",
        range=(None, 1.0),
        direction="higher_is_better",
        role="primary",
        over_seeds="mean",
    )
    exact = Tolerance(abs=Decimal(0), rule="policy", inputs={})
    target = Target(
        metric="score",
        value=Decimal(1),
        unit="",
        no_effect=None,
        spread=None,
        provenance=(),
        derivation=None,
        tolerance=exact,
    )
    columns = tuple(Column(name=name, unit="", range=(0.0, None), stochastic="none") for name in COLUMNS)
    spec = ClaimSpec(
        schema_version=1,
        paper_id=paper_id,
        family=family,
        claim_id=f"c{number:03d}_audit",
        claim_uid=uid,
        spec_hash="",
        contract_hash="",
        title=f"repository {number}",
        statement=statement,
        agent_statement=statement,
        claim_type="diagnostic",
        anchors=(),
        conditions=(
            Condition(label="repository", source_label="", switches={}, description="the files as they stand"),
        ),
        knobs=(),
        metrics=(metric,),
        targets=(target,),
        guards=(),
        reward_curves={"score": Curve(shape="at_least", points=((0.0, 0.0), (1.0, 1.0)), plausible=(None, None))},
        aggregation="min",
        seeds=SeedPlan(count=1, origin="policy"),
        probes=Probes(used=(), missing={}),
        probe_plans=(),
        required_outputs=RequiredOutputs(columns=columns, step_column=False, min_rows_per_condition=1),
        limits=Limits(max_bytes=4_096, max_rows=8),
        protocol=Protocol(method=None, dataset=None, evaluation=None, numbers=()),
        assets=(),
        egress=(),
        evidence_level="artifact",
        exposure_policy="masked",
        paper_text="none",
        run_budget_s=_MINUTE_S,
        requires_training=False,
        requires_gpu=False,
        cost="S",
        audit=audit,
    )
    return sealed_spec(spec.model_copy(update={"contract_hash": contract_hash(contract_of(spec))}))


def _implied(planted: Iterable[Planted]) -> tuple[Defect, ...]:
    """What is rightly said as a consequence of a defect: of its file, or of the repository."""
    return tuple(
        Defect(
            rule=rule,
            places=tuple(DefectPlace(file=file, first_line=0, last_line=_WHOLE_FILE) for file in (one.file, ".")),
        )
        for one in planted
        for rule in one.implies
    )


def _standing(damaged: Damaged, rules: Iterable[Rule]) -> tuple[Defect, ...]:
    """What the rules that count find in the project before it was damaged: nothing, as projects go."""
    counted = {rule.id for rule in rules}
    clean = Repository(damaged.project.name, {path: text.encode() for path, text in damaged.project.files.items()})
    return tuple(
        Defect(rule=one.rule, places=(DefectPlace(file=one.file, first_line=one.line or 0, last_line=one.line or 0),))
        for one in findings(clean)
        if one.rule in counted
    )
