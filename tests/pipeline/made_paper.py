"""A small paper and claim made by hand, for tests of the rooms that come after parsing and compiling."""

from collections.abc import Iterator, Mapping
from decimal import Decimal
from types import MappingProxyType

from reproducegym.pipeline.compiling.contract import contract_of
from reproducegym.pipeline.hashing import contract_hash, sealed_spec
from reproducegym.pipeline.task import brief
from reproducegym.ports import Files, Proposal, ReadPaper
from reproducegym.schema.base import Frozen
from reproducegym.schema.claim import (
    Anchor,
    Candidate,
    ConditionIdea,
    MetricIdea,
    Protocol,
    ProtocolNumber,
    Provenance,
    Reason,
    Rejected,
    RolePoint,
    TargetPoint,
)
from reproducegym.schema.contract import (
    Column,
    Contract,
    ContractCondition,
    Curve,
    Expectation,
    Limits,
    ProbeChoice,
    ProbePlan,
)
from reproducegym.schema.paper import (
    Caption,
    Cell,
    Document,
    Figure,
    Page,
    Panel,
    Paragraph,
    Parsed,
    Place,
    Section,
    Sentence,
    Source,
    Table,
    Word,
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

PLACE = Place(page=1, bbox=(50.0, 100.0, 300.0, 112.0))
PNG = b"\x89PNG\r\n\x1a\n" + b"\x00\x00\x00\x00IEND\xaeB`\x82"
CLAIM = "UCB1 cuts the regret of greedy from 152.4 to 97.3 on the ten-armed bandit."
PAPER_ID = "bandits"


def paragraph(identity: str, text: str, role: str = "body", section: str | None = "s1") -> Paragraph:
    sentence = Sentence(id=f"{identity}.1", text=text, start=0, end=len(text), places=(PLACE,))
    return Paragraph.model_validate(
        {
            "id": identity,
            "section": section,
            "role": role,
            "text": text,
            "places": (PLACE,),
            "sentences": (sentence,),
        }
    )


def table(identity: str, label: str, columns: list[str], rows: dict[str, list[str]], caption: str, top: float) -> Table:
    cells = [
        Cell(
            page=1,
            row=row,
            column=column,
            row_span=1,
            column_span=1,
            kind="body",
            text=text,
            bbox=(100.0 + 50 * column, top + 12 * row, 140.0 + 50 * column, top + 10 + 12 * row),
            row_path=(name,),
            column_path=(head,),
            marks=(),
            unit=None,
            multiplier=None,
        )
        for row, (name, texts) in enumerate(rows.items(), start=1)
        for column, (head, text) in enumerate(zip(columns, texts, strict=True), start=1)
    ]
    return Table(
        id=identity,
        label=label,
        page=1,
        bbox=(100.0, top, 400.0, top + 100),
        continued=(),
        caption=Caption(text=caption, place=PLACE),
        stub_headers=("Method",),
        cells=tuple(cells),
        notes=(),
    )


def figure(identity: str, label: str, caption: str, words: list[str]) -> Figure:
    box = (50.0, 500.0, 290.0, 640.0)
    panel = Panel(label=None, title="Curves", bbox=box, words=tuple(Word(text=word, bbox=box) for word in words))
    return Figure(
        id=identity,
        label=label,
        page=1,
        bbox=box,
        caption=Caption(text=caption, place=PLACE),
        image=f"{identity}.png",
        source="vector",
        panels=(panel,),
    )


def document(**changes: object) -> Document:
    whole: dict[str, object] = {
        "schema_version": 1,
        "paper_id": PAPER_ID,
        "title": "Optimism on bandits",
        "language": "en",
        "coordinates": "pdf_points",
        "pages": (Page(number=1, width=612.0, height=792.0, content="text"),),
        "sections": (Section(id="s1", number="1", title="Results", level=1, parent=None, place=PLACE),),
        "paragraphs": (
            paragraph("p0", "Our method lowers the mean regret to 97.3, a gain of 55.1.", "abstract", None),
            paragraph("p1", CLAIM),
            paragraph("p2", "All runs last 1000 steps and use 20 seeds. The code is public."),
            paragraph("p3", "Thompson sampling is 12 percent behind. See Table 1 and [97]."),
        ),
        "tables": (
            table(
                "t1",
                "1",
                ["Regret", "Time"],
                {"greedy": ["152.4", "1.5"], "UCB1": ["97.3 ± 2.1", "1.8"], "Thompson": ["108.7", "2.2"]},
                "Table 1: Regret after 1000 steps.",
                200.0,
            ),
            table(
                "t2",
                "2",
                ["Ten arms", "Fifty arms", "Average"],
                {"UCB1": ["97.3", "201.5", "149.4"], "Thompson": ["108.7", "210.1", "159.4"]},
                "Table 2: More arms.",
                400.0,
            ),
        ),
        "figures": (
            figure("f1", "1", "Figure 1: Regret over steps.", ["Regret", "steps", "UCB1", "0", "200"]),
            figure("f2", "2", "Figure 2: An agent and its world.", ["agent", "world"]),
        ),
        "equations": (),
        "references": (),
        "warnings": (),
    }
    return Document.model_validate({**whole, **changes})


def read_paper(**changes: object) -> ReadPaper:
    return ReadPaper(document(**changes), (), {"f1.png": PNG, "f2.png": PNG})


def cell_place(value: str, row: str, column: str, box: tuple[float, float, float, float]) -> Provenance:
    return Provenance(
        kind="table_cell", page=1, bbox=box, quote=value, table="1", row_path=(row,), column_path=(column,)
    )


GREEDY = cell_place("152.4", "greedy", "Regret", (150.0, 212.0, 190.0, 222.0))
UCB = cell_place("97.3", "UCB1", "Regret", (150.0, 224.0, 190.0, 234.0))
ANCHOR = Anchor(kind="sentence", page=1, bbox=PLACE.bbox, quote=CLAIM)
PROTOCOL = Protocol(
    method="UCB1",
    dataset="ten-armed bandit",
    evaluation="cumulative regret",
    numbers=(
        ProtocolNumber(name="steps", value=Decimal(1000), unit="steps", quote="1000 steps", page=1),
        ProtocolNumber(name="seeds", value=Decimal(20), unit="seeds", quote="20 seeds", page=1),
    ),
)


def spec(**changes: object) -> ClaimSpec:
    inputs = tuple(
        DerivationInput(
            name=name,
            value=Decimal(place.quote),
            unit="",
            resolution=Decimal("0.1"),
            spread=None,
            provenance=(place,),
        )
        for name, place in (("a", UCB), ("b", GREEDY))
    )
    whole: dict[str, object] = {
        "schema_version": 1,
        "paper_id": PAPER_ID,
        "family": "paper_claims",
        "claim_id": "c001_ucb1_regret",
        "claim_uid": "clm_8c1f0a2b3c4d5e6f",
        "spec_hash": "",
        "contract_hash": "",
        "title": "Regret of UCB1 against greedy",
        "statement": CLAIM,
        "agent_statement": "UCB1 cuts the regret of greedy on the ten-armed bandit.",
        "claim_type": "method_effect",
        "anchors": (ANCHOR,),
        "conditions": (
            Condition(label="ucb1", source_label="UCB1", switches={"method": "UCB1"}, description=""),
            Condition(label="greedy", source_label="greedy", switches={"method": "greedy"}, description="no bonus"),
        ),
        "knobs": (Knob(name="steps", default=1000.0, zero=0.0),),
        "metrics": (
            MetricSpec(
                name="regret_difference",
                formula="mean(ucb1.regret) - mean(greedy.regret)",
                unit="",
                range=(None, None),
                direction="lower_is_better",
                role="primary",
                over_seeds="mean",
            ),
        ),
        "targets": (
            Target(
                metric="regret_difference",
                value=Decimal("-55.1"),
                unit="",
                no_effect=Decimal(0),
                spread=None,
                provenance=(UCB, GREEDY),
                derivation=Derivation(formula="a - b", inputs=inputs, rounding=Decimal("0.2"), printed=None),
                tolerance=Tolerance(abs=Decimal("5.51"), rule="policy", inputs={}),
            ),
        ),
        "guards": (),
        "reward_curves": {
            "regret_difference": Curve(
                shape="two_sided",
                points=((-66.12, 0.0), (-60.61, 1.0), (-49.59, 1.0), (-44.08, 0.0)),
                plausible=(None, None),
            )
        },
        "aggregation": "min",
        "seeds": SeedPlan(count=2, origin="policy"),
        "probes": Probes(used=("null",), missing={"data": "no_asset"}),
        "probe_plans": (
            ProbePlan(
                name="null",
                conditions=(
                    ContractCondition(label="ucb1", switches={"method": "greedy"}),
                    ContractCondition(label="greedy", switches={"method": "greedy"}),
                ),
                seeds=1,
                choices=(
                    ProbeChoice(
                        knobs={},
                        expect=(Expectation(metric="regret_difference", value=0.0, abs=5.0, rms=None),),
                    ),
                ),
            ),
        ),
        "required_outputs": RequiredOutputs(
            columns=(Column(name="regret", unit="", range=(0.0, None), stochastic="continuous"),),
            step_column=False,
            min_rows_per_condition=1,
        ),
        "limits": Limits(max_bytes=1_000_000, max_rows=10_000),
        "protocol": PROTOCOL,
        "assets": (),
        "egress": (),
        "evidence_level": "reexecute",
        "exposure_policy": "masked",
        "run_budget_s": 600,
        "requires_training": False,
        "requires_gpu": False,
        "cost": "S",
    }
    made = ClaimSpec.model_validate({**whole, **changes})
    return sealed_spec(made.model_copy(update={"contract_hash": contract_hash(contract_of(made))}))


def point(place: Provenance, condition: str) -> TargetPoint:
    return TargetPoint(
        value=Decimal(place.quote),
        unit="",
        resolution=Decimal("0.1"),
        spread=None,
        metric="Regret",
        condition=condition,
        dataset=None,
        provenance=(place,),
    )


def candidate(statement: str = CLAIM) -> Candidate:
    return Candidate(
        statement=statement,
        agent_statement="UCB1 cuts the regret of greedy on the ten-armed bandit.",
        title="Regret of UCB1 against greedy",
        claim_type="method_effect",
        pattern="difference",
        anchors=(Anchor(kind="sentence", page=1, bbox=PLACE.bbox, quote=statement),),
        metric=MetricIdea(name="Regret", unit="", kind="score", direction="lower_is_better"),
        points=(
            RolePoint(role="treatment", point=point(UCB, "UCB1")),
            RolePoint(role="baseline", point=point(GREEDY, "greedy")),
        ),
        conditions=(ConditionIdea(role="treatment", source_label="UCB1", switches={"method": "UCB1"}, description=""),),
        protocol=PROTOCOL,
        budget_knob="steps",
        requires_training=False,
        requires_gpu=False,
        cost="S",
        importance=10,
        doubts=(),
    )


class HandMadeClaims:
    """A family with fixed outcomes, for building without an extractor."""

    name = "paper_claims"
    extractor_name = "by hand"
    host_model = None
    model = None
    prompts: Mapping[str, str] = MappingProxyType({})

    def __init__(self, *specs: ClaimSpec) -> None:
        self.specs = specs

    def propose(self, source: ReadPaper) -> Iterator[Proposal]:
        for one in self.specs:
            yield Proposal(candidate(), one.claim_uid, one, ("by hand",))
        reason = Reason(code="no_quantity", argument=None, detail="the sentence names no quantity")
        refused = Rejected(reasons=(reason,))
        yield Proposal(candidate("Optimism is natural."), "clm_00000000000000aa", refused, ("by hand",))

    def records(self) -> Mapping[str, Frozen]:
        return {}

    def brief(self, spec: ClaimSpec, source: ReadPaper) -> Files:
        return brief(spec, source, "masked", 8.0)

    def contract(self, spec: ClaimSpec) -> Contract:
        return contract_of(spec)


class ReadsNothing:
    """A parser that gives the hand-made paper whatever it is shown."""

    name = "by hand"

    def parse(self, source: Source, paper_id: str) -> Parsed:
        return Parsed(
            document=document(paper_id=paper_id),
            words=(),
            charts=(),
            paper_md="# Optimism on bandits\n",
            figures={"f1.png": PNG, "f2.png": PNG},
            parser="by hand",
            parser_version="1",
        )


SOURCE = Source(kind="markdown", origin="paper.md", content=b"# Optimism on bandits\n")
