"""What of a paper a claim can stand on: the figures as files, the index of everything, and the part for one claim."""

from typing import Literal

from reproducegym.schema.base import BBox, Frozen, PageNumber
from reproducegym.schema.chart import ChartPoint, ReferenceLine
from reproducegym.schema.claim import Anchor
from reproducegym.schema.paper import Place

__all__ = [
    "BundleCell",
    "BundleChart",
    "BundlePanel",
    "BundleSentence",
    "BundleSeries",
    "BundleTable",
    "ClaimEvidence",
    "EvidenceAxis",
    "EvidenceChart",
    "EvidenceFigure",
    "EvidenceIndex",
    "EvidenceLink",
    "EvidencePanel",
    "EvidenceSection",
    "EvidenceSentence",
    "EvidenceSeries",
    "EvidenceTable",
    "FigureEntry",
    "FigureIndex",
    "SectionRole",
    "Why",
]

SectionRole = Literal["abstract", "introduction", "setup", "results", "conclusion", "aside", "other"]
"""What a section is for; `aside` is what is no work of the paper's own, or no result (related work, limitations)."""

Why = Literal["anchor", "beside", "refers", "protocol"]
"""What brings a sentence into a claim's evidence."""


class FigureEntry(Frozen):
    """One figure: where it stands, and the file in `figures/` that shows it."""

    id: str
    label: str | None
    page: PageNumber
    bbox: BBox
    caption: str | None
    image: str | None
    image_sha256: str | None


class FigureIndex(Frozen):
    """`00-parse/figures.index.json`."""

    schema_version: Literal[1]
    paper_id: str
    figures: tuple[FigureEntry, ...]


class EvidenceLink(Frozen):
    """What a sentence or caption refers to. `target` is the id of the piece; None where the paper has no such piece."""

    kind: Literal["table", "figure", "section", "equation"]
    label: str
    panel: str | None
    target: str | None


class EvidenceSection(Frozen):
    """A heading, and what its section is for; a section whose title does not say is for what the one around it is."""

    id: str
    number: str | None
    title: str
    level: int
    parent: str | None
    role: SectionRole
    page: PageNumber


class EvidenceSentence(Frozen):
    """One sentence where it stands. `section` is None in front of the first heading; `page` is that of its start."""

    id: str
    section: str | None
    role: SectionRole
    paragraph: str
    text: str
    page: PageNumber
    places: tuple[Place, ...]
    links: tuple[EvidenceLink, ...]


class EvidenceTable(Frozen):
    """What a table measures, without its values: rows and columns by their paths, outer names first ("A / B")."""

    id: str
    label: str | None
    page: PageNumber
    caption: str | None
    notes: tuple[str, ...]
    stub_headers: tuple[str, ...]
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    links: tuple[EvidenceLink, ...]


class EvidenceAxis(Frozen):
    """What one axis of a chart measures, between which values; `names` are those of a category axis."""

    side: Literal["left", "right", "bottom", "top"]
    title: str | None
    scale: Literal["linear", "log", "category"]
    low: float
    high: float
    names: tuple[str, ...]


class EvidenceSeries(Frozen):
    """A series of a chart, without its points."""

    name: str | None
    kind: Literal["line", "points", "bars", "steps"]
    points: int


class EvidenceChart(Frozen):
    """A plot area that was read: its axes, and the names of what is drawn in it."""

    title: str | None
    axes: tuple[EvidenceAxis, ...]
    series: tuple[EvidenceSeries, ...]
    reference_lines: tuple[str, ...]


class EvidencePanel(Frozen):
    """One panel of a figure, the `number`-th from 0, with the charts that were read in it."""

    number: int
    label: str | None
    title: str | None
    bbox: BBox
    charts: tuple[EvidenceChart, ...]


class EvidenceFigure(Frozen):
    """A figure by what its panels show."""

    id: str
    label: str | None
    page: PageNumber
    bbox: BBox
    caption: str | None
    image: str | None
    panels: tuple[EvidencePanel, ...]
    links: tuple[EvidenceLink, ...]


class EvidenceIndex(Frozen):
    """`01-extract/paper_evidence_index.json`: everything of the paper that a claim can stand on, found by id or word.

    Pieces are in reading order. `keywords` maps the stem of each word ("improv") to the ids of the sentences, tables
    and figures that hold it. References of the bibliography and front matter are left out.
    """

    schema_version: Literal[1]
    paper_id: str
    title: str
    sections: tuple[EvidenceSection, ...]
    sentences: tuple[EvidenceSentence, ...]
    tables: tuple[EvidenceTable, ...]
    figures: tuple[EvidenceFigure, ...]
    keywords: dict[str, tuple[str, ...]]


class BundleSentence(Frozen):
    """A sentence in a claim's evidence, and why it is there.

    `anchor` states the claim, `beside` stands next to such a sentence, `refers` speaks of the table or figure that
    the claim rests on, `protocol` was found by the claim's own words and says how the experiment is run.
    """

    id: str
    why: Why
    section: str | None
    page: PageNumber
    text: str


class BundleCell(Frozen):
    """One cell as printed, by the names of its row and column; `own` says that the claim rests on it."""

    page: PageNumber
    row: int
    column: int
    row_path: tuple[str, ...]
    column_path: tuple[str, ...]
    text: str
    unit: str | None
    multiplier: str | None
    bbox: BBox
    own: bool


class BundleTable(Frozen):
    """The part of a table that a claim compares: its own cells, and those that share a row or a column with them.

    `left_out` counts the cells of the table that are not here.
    """

    id: str
    label: str | None
    page: PageNumber
    caption: str | None
    notes: tuple[str, ...]
    stub_headers: tuple[str, ...]
    cells: tuple[BundleCell, ...]
    left_out: int


class BundleSeries(Frozen):
    """A series with points in data units, as read; `left_out` counts those between that are not here."""

    name: str | None
    kind: Literal["line", "points", "bars", "steps"]
    y_axis: Literal["left", "right"]
    points: tuple[ChartPoint, ...]
    x_error: float
    y_error: float
    left_out: int


class BundleChart(Frozen):
    """One plot area with its series."""

    title: str | None
    axes: tuple[EvidenceAxis, ...]
    series: tuple[BundleSeries, ...]
    reference_lines: tuple[ReferenceLine, ...]
    problems: tuple[str, ...]


class BundlePanel(Frozen):
    """One panel of a figure with the charts that were read in it; panels of one figure never share an entry.

    `number` is None where the figure has no panels. `caption` is the whole figure's.
    """

    figure: str
    figure_label: str | None
    number: int | None
    label: str | None
    title: str | None
    page: PageNumber
    bbox: BBox
    caption: str | None
    charts: tuple[BundleChart, ...]


class ClaimEvidence(Frozen):
    """`01-extract/claim_evidence/<uid>.json`: only what a claim needs of the paper, within a bound.

    `characters` is the length of all sentences, tables and panels, at most the configuration's `evidence_characters`;
    `left_out` counts the pieces that would have passed it.
    """

    schema_version: Literal[1]
    paper_id: str
    claim_uid: str
    statement: str
    anchors: tuple[Anchor, ...]
    sentences: tuple[BundleSentence, ...]
    tables: tuple[BundleTable, ...]
    panels: tuple[BundlePanel, ...]
    characters: int
    left_out: int
