"""A paper of one table and one sentence, and candidates over it: what the compiler's stories start from."""

from decimal import Decimal

from reproducegym.ports import ReadPaper
from reproducegym.schema.claim import (
    Anchor,
    Candidate,
    ConditionIdea,
    MetricIdea,
    Protocol,
    ProtocolNumber,
    Provenance,
    RolePoint,
    Spread,
    TargetPoint,
)
from reproducegym.schema.paper import Cell, Document, Page, PageWords, Paragraph, Place, Sentence, Table, Word

LINE = (10.0, 700.0, 590.0, 710.0)
SENTENCE = "UCB beats Greedy on the ten-armed task."


def box(row: int, column: int) -> tuple[float, float, float, float]:
    return (100.0 * (column + 1), 100.0 + 20.0 * row, 100.0 * (column + 1) + 90.0, 110.0 + 20.0 * row)


def words_at(text: str, x: float, y: float) -> list[Word]:
    words = []
    for part in text.split():
        words.append(Word(text=part, bbox=(x, y, x + 4.0 * len(part), y + 10.0)))
        x += 4.0 * len(part) + 3
    return words


def paper(rows: dict[str, dict[str, str]], sentence: str = SENTENCE) -> ReadPaper:
    """Table 1 with the given rows (label → column → text), and one sentence below it, all on page 1."""
    cells, words = [], words_at(sentence, LINE[0], LINE[1])
    for r, (label, values) in enumerate(rows.items()):
        for c, (header, text) in enumerate(values.items()):
            x0, y0, _, _ = box(r, c)
            words += words_at(text, x0, y0)
            cells.append(
                Cell(
                    page=1,
                    row=r,
                    column=c,
                    row_span=1,
                    column_span=1,
                    kind="body",
                    text=text,
                    bbox=box(r, c),
                    row_path=(label,),
                    column_path=(header,),
                    marks=(),
                    unit=None,
                    multiplier=None,
                )
            )
    table = Table(
        id="t1",
        label="1",
        page=1,
        bbox=(0.0, 80.0, 600.0, 600.0),
        continued=(),
        caption=None,
        stub_headers=("Method",),
        cells=tuple(cells),
        notes=(),
    )
    place = Place(page=1, bbox=LINE)
    paragraph = Paragraph(
        id="p1",
        section=None,
        role="body",
        text=sentence,
        places=(place,),
        sentences=(Sentence(id="s1", text=sentence, start=0, end=len(sentence), places=(place,)),),
    )
    document = Document(
        schema_version=1,
        paper_id="bandits",
        title="Bandits",
        language="en",
        coordinates="pdf_points",
        pages=(Page(number=1, width=600.0, height=800.0, content="text"),),
        sections=(),
        paragraphs=(paragraph,),
        tables=(table,),
        figures=(),
        equations=(),
        references=(),
        warnings=(),
    )
    return ReadPaper(document=document, words=(PageWords(page=1, words=tuple(words)),))


def cell_point(
    source: ReadPaper,
    row: str,
    column: str,
    value: str,
    *,
    unit: str = "",
    metric: str = "regret",
    spread: str | None = None,
    n: int | None = 5,
    kind: str = "sd",
    over: str = "seeds",
    dataset: str | None = "ten-armed",
) -> TargetPoint:
    (cell,) = [c for c in source.document.tables[0].cells if c.row_path == (row,) and c.column_path == (column,)]
    number = Decimal(value)
    return TargetPoint(
        value=number,
        unit=unit,
        resolution=Decimal(1).scaleb(int(number.as_tuple().exponent)),
        spread=None if spread is None else Spread(value=Decimal(spread), kind=kind, over=over, n=n),
        metric=metric,
        condition=row,
        dataset=dataset,
        provenance=(
            Provenance(
                kind="table_cell",
                page=1,
                bbox=cell.bbox,
                quote=cell.text,
                table="1",
                row_path=(row,),
                column_path=(column,),
            ),
        ),
    )


def sentence_point(quote: str, value: str, unit: str, metric: str = "regret") -> TargetPoint:
    number = Decimal(value)
    return TargetPoint(
        value=number,
        unit=unit,
        resolution=Decimal(1).scaleb(int(number.as_tuple().exponent)),
        spread=None,
        metric=metric,
        condition="UCB",
        dataset="ten-armed",
        provenance=(Provenance(kind="sentence", page=1, bbox=LINE, quote=quote),),
    )


def condition(role: str, label: str) -> ConditionIdea:
    return ConditionIdea(role=role, source_label=label, switches={"method": label}, description=f"run {label}")


PROTOCOL = Protocol(
    method="UCB",
    dataset="ten-armed bandit",
    evaluation="regret after all steps",
    numbers=(ProtocolNumber(name="steps", value=Decimal(1000), unit="", quote="1000 steps", page=1),),
)


def candidate(points: dict[str, TargetPoint | list[TargetPoint]], **changes: object) -> Candidate:
    """A claim that UCB differs from Greedy in regret, over the given points by role; `changes` replace fields."""
    roles = tuple(
        RolePoint(role=role, point=point)
        for role, given in points.items()
        for point in (given if isinstance(given, list) else [given])
    )
    base = Candidate(
        statement=SENTENCE,
        agent_statement="UCB has less regret than Greedy.",
        title="UCB against Greedy",
        claim_type="method_effect",
        pattern="difference",
        anchors=(Anchor(kind="sentence", page=1, bbox=LINE, quote=SENTENCE),),
        metric=MetricIdea(name="Regret", unit="", kind="count", direction="lower_is_better"),
        points=roles,
        conditions=(condition("treatment", "UCB"), condition("baseline", "Greedy")),
        protocol=PROTOCOL,
        budget_knob="steps",
        requires_training=False,
        requires_gpu=False,
        cost="S",
        importance=10,
        doubts=(),
    )
    return base.model_copy(update=changes)


def ucb_against_greedy(**changes: object) -> tuple[ReadPaper, Candidate]:
    """47.3 ± 0.4 against 60.1 ± 0.6 over five seeds: a difference that every probe can see."""
    source = paper({"UCB": {"Regret": "47.3 ± 0.4"}, "Greedy": {"Regret": "60.1 ± 0.6"}})
    points: dict[str, TargetPoint | list[TargetPoint]] = {
        "treatment": cell_point(source, "UCB", "Regret", "47.3", spread="0.4"),
        "baseline": cell_point(source, "Greedy", "Regret", "60.1", spread="0.6"),
    }
    return source, candidate(points, **changes)
