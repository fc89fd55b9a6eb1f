"""A small task made by hand: method b scores 2.0 more than method a, in proportion to the number of steps."""

import random
from decimal import Decimal

from reproducegym.pipeline.judging.verify import Order
from reproducegym.ports import Files
from reproducegym.schema.claim import Anchor, Protocol
from reproducegym.schema.contract import (
    Column,
    Contract,
    ContractCondition,
    ContractMetric,
    Curve,
    Expectation,
    Limits,
    ProbeChoice,
    ProbePlan,
)
from reproducegym.schema.spec import (
    ClaimSpec,
    Condition,
    Derivation,
    DerivationInput,
    Knob,
    MetricSpec,
    Probes,
    RequiredOutputs,
    SeedPlan,
    Target,
    Tolerance,
)
from reproducegym.schema.task import ManifestTask, TaskReport

METHODS = {"with_b": {"method": "b"}, "with_a": {"method": "a"}}
FORMULA = "mean(with_b.score) - mean(with_a.score)"
COLUMN = Column(name="score", unit="points", range=(-100.0, 100.0), stochastic="continuous")
CURVE = Curve(shape="two_sided", points=((1.0, 0.0), (1.5, 1.0), (2.5, 1.0), (3.0, 0.0)), plausible=(None, None))
LIMITS = Limits(max_bytes=1_000_000, max_rows=10_000)

HONEST: Files = {
    "reproduce.sh": b"python3 solve.py\n",
    "solve.py": b"""\
import json, os, random
draw = random.Random(int(os.environ["REPRODUCEGYM_SEED"]))
steps = json.load(open(os.environ["REPRODUCEGYM_KNOBS"]))["knobs"]["steps"]
with open(os.environ["REPRODUCEGYM_OUT"] + "/metrics.csv", "w") as out:
    out.write("condition,score\\n")
    for condition in json.load(open(os.environ["REPRODUCEGYM_CONDITIONS"]))["conditions"]:
        best = 5.0 if condition["switches"]["method"] == "b" else 3.0
        out.write(f"{condition['label']},{best * steps / 100 + draw.gauss(0, 0.05)!r}\\n")
""",
}


def small_contract(seeds: int = 2) -> Contract:
    conditions = tuple(ContractCondition(label=label, switches=switches) for label, switches in METHODS.items())
    same = tuple(ContractCondition(label=label, switches={"method": "a"}) for label in METHODS)
    nothing = (Expectation(metric="gain", value=0.0, abs=0.4, rms=None),)
    untrained = ProbeChoice(knobs={"steps": 0.0}, expect=nothing)
    return Contract(
        schema_version=1,
        evidence_level="reexecute",
        conditions=conditions,
        columns=(COLUMN,),
        step_column=False,
        min_rows_per_condition=1,
        seeds=seeds,
        knobs={"steps": 100.0},
        metrics=(ContractMetric(name="gain", formula=FORMULA, role="primary", over_seeds="mean"),),
        reward_curves={"gain": CURVE},
        aggregation="min",
        weights=None,
        probes=(
            ProbePlan(name="null", conditions=same, seeds=1, choices=(ProbeChoice(knobs={}, expect=nothing),)),
            ProbePlan(name="budget", conditions=conditions, seeds=1, choices=(untrained,)),
        ),
        limits=LIMITS,
    )


def with_choices() -> Contract:
    """The small contract with a third probe: at a drawn number of steps b leads by as much as these steps give."""
    contract = small_contract()
    choices = tuple(
        ProbeChoice(
            knobs={"steps": steps},
            expect=(Expectation(metric="gain", value=2.0 * steps / 100, abs=0.2, rms=None),),
        )
        for steps in (30.0, 60.0, 150.0)
    )
    drawn = ProbePlan(name="counterfactual", conditions=contract.conditions, seeds=2, choices=choices)
    return contract.model_copy(update={"probes": (*contract.probes, drawn)})


def small_spec(contract: Contract) -> ClaimSpec:
    term = {"unit": "points", "resolution": Decimal("0.1"), "spread": None, "provenance": ()}
    return ClaimSpec(
        schema_version=1,
        paper_id="small",
        family="paper_claims",
        claim_id="c001_small",
        claim_uid="clm_small",
        spec_hash="5" * 16,
        contract_hash="c" * 16,
        title="b beats a",
        statement="Method b scores 5.0 where a scores 3.0.",
        agent_statement="Method b scores more than a.",
        claim_type="method_effect",
        anchors=(Anchor(kind="sentence", page=1, bbox=(0.0, 0.0, 1.0, 1.0), quote="Method b scores 5.0."),),
        conditions=tuple(
            Condition(label=label, source_label=label, switches=switches, description="")
            for label, switches in METHODS.items()
        ),
        knobs=(Knob(name="steps", default=100.0, zero=0.0),),
        metrics=(
            MetricSpec(
                name="gain",
                formula=FORMULA,
                unit="points",
                range=(-100.0, 100.0),
                direction="higher_is_better",
                role="primary",
                over_seeds="mean",
            ),
        ),
        targets=(
            Target(
                metric="gain",
                value=Decimal("2.0"),
                unit="points",
                no_effect=Decimal(0),
                spread=None,
                provenance=(),
                derivation=Derivation(
                    formula="a - b",
                    inputs=(
                        DerivationInput(name="a", value=Decimal("5.0"), **term),
                        DerivationInput(name="b", value=Decimal("3.0"), **term),
                    ),
                    rounding=Decimal("0.1"),
                    printed=None,
                ),
                tolerance=Tolerance(abs=Decimal("0.5"), rule="policy", inputs={}),
            ),
        ),
        guards=(),
        reward_curves={"gain": CURVE},
        aggregation="min",
        seeds=SeedPlan(count=contract.seeds, origin="policy"),
        probes=Probes(used=("null", "budget"), missing={}),
        probe_plans=contract.probes,
        required_outputs=RequiredOutputs(columns=(COLUMN,), step_column=False, min_rows_per_condition=1),
        limits=LIMITS,
        protocol=Protocol(method=None, dataset=None, evaluation=None, numbers=()),
        assets=(),
        egress=(),
        evidence_level="reexecute",
        exposure_policy="masked",
        run_budget_s=20,
        requires_training=False,
        requires_gpu=False,
        cost="S",
    )


def small_order(contract: Contract | None = None) -> Order:
    contract = small_contract() if contract is None else contract
    spec = small_spec(contract)
    entry = ManifestTask(
        task_id="small.c001_small",
        family=spec.family,
        claim_id=spec.claim_id,
        claim_uid=spec.claim_uid,
        title=spec.title,
        statement=spec.agent_statement,
        claim_type=spec.claim_type,
        spec_hash=spec.spec_hash,
        contract_hash=spec.contract_hash,
        task_digest="d" * 64,
        task_dir="03-task/c001_small/5555555555555555",
        metrics=("gain",),
        n_targets=1,
        evidence_level="reexecute",
        exposure_policy="masked",
        probes=("null", "budget"),
        memory_resistant=True,
        seeds=contract.seeds,
        assets=(),
        requires_training=False,
        requires_gpu=False,
        cost="S",
        difficulty="easy",
        timeout_s=60,
        image="reproducegym/base",
        report=TaskReport(oracle="none", noop="none", gameability="none"),
    )
    return Order(
        entry=entry,
        spec=spec,
        instructions="Show that b beats a.",
        input_files={"conditions.json": b"{}\n", "task.md": b"Show that b beats a.\n"},
        contract=contract,
        contract_json=contract.to_json().encode(),
    )


def fixed_randbelow(seed: int = 1):
    """Randomness that a test can repeat."""
    return random.Random(seed).randrange
