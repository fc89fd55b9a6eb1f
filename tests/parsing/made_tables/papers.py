"""Makes whole papers around tables: prose, captions, figures, notes, columns, pages; compiles them; finds the cells."""

import random
from functools import cache
from pathlib import Path

import matplotlib
import pymupdf
import typst

from reproducegym.schema.base import BBox

from .arrangements import floats_of
from .plan import Plan, plan_of
from .prose import heading, paragraph, title
from .truth import MadePaper, TrueTable
from .values import quoted

__all__ = ["made_paper"]

_FONT_FILES = Path(matplotlib.get_data_path()) / "fonts" / "ttf"


@cache
def made_paper(index: int) -> MadePaper:
    """The paper of an index: always the same one."""
    drawn = plan_of(index)
    source, tables = _source(index, drawn.plan, linked=False)
    linked, _ = _source(index, drawn.plan, linked=True)
    places, sizes = _places(_compiled(linked))
    return MadePaper(index, drawn.traits, _compiled(source), tables, places, sizes)


def _compiled(source: str) -> bytes:
    made: bytes = typst.compile(
        source.encode(), font_paths=[str(_FONT_FILES)], ignore_system_fonts=True, timestamp=0, pdf_tags=False
    )
    return made


def _places(pdf: bytes) -> tuple[dict[str, tuple[int, BBox]], tuple[tuple[float, float], ...]]:
    """Where each linked cell stands: of a repeated header the first time."""
    found: dict[str, tuple[int, list[BBox]]] = {}
    with pymupdf.open(stream=pdf, filetype="pdf") as document:
        sizes = tuple((page.rect.width, page.rect.height) for page in document)
        for number, page in enumerate(document, 1):
            for link in page.get_links():
                name = str(link.get("uri", ""))
                if name.startswith("cell:"):
                    at, boxes = found.setdefault(name.removeprefix("cell:"), (number, []))
                    if at == number:
                        boxes.append(tuple(link["from"]))
    return {name: (page, _around(boxes)) for name, (page, boxes) in found.items()}, sizes


def _around(boxes: list[BBox]) -> BBox:
    left, top, right, bottom = zip(*boxes, strict=True)
    return min(left), min(top), max(right), max(bottom)


def _source(index: int, plan: Plan, *, linked: bool) -> tuple[str, tuple[TrueTable, ...]]:
    draw = random.Random(f"table {index}")
    markup, tables = floats_of(draw, plan, linked=linked)
    above = "\n\n".join(paragraph(draw, plan.label) for _ in range(draw.randint(1, 3)))
    below = "\n\n".join(paragraph(draw, plan.label) for _ in range(draw.randint(2, 5)))
    parts = [_preamble(draw, plan), _title(draw), f"= {heading(draw, 0)}", paragraph(draw, plan.label)]
    parts += [f"= {heading(draw, 1)}", above, markup, below, f"= {heading(draw, 2)}", paragraph(draw, plan.label)]
    return "\n\n".join(parts), tables


def _preamble(draw: random.Random, plan: Plan) -> str:
    numbers = "#set par.line(numbering: n => text(size: 6pt, fill: luma(120))[#n])\n" if plan.line_numbers else ""
    margin = "(x: 0.9in, y: 1in)" if plan.columns == 2 else "(x: 1.35in, y: 1.1in)"
    running = draw.choice(
        ("Published as a conference paper", "Under review", "Preprint. Work in progress", "A. Author et al.")
    )
    header = f"[#text(size: 8pt)[{quoted(running)}] #v(-7pt) #line(length: 100%, stroke: 0.4pt)]"
    return (
        f'#set page(paper: "{plan.paper}", margin: {margin}, columns: {plan.columns}, numbering: "1", '
        f"header: {header if plan.running else 'none'})\n"
        f'#set text(font: ("{plan.font}", "New Computer Modern", "DejaVu Sans"), size: {plan.size}pt, lang: "en")\n'
        "#set par(justify: true, leading: 0.55em, spacing: 0.9em)\n"
        '#set heading(numbering: "1")\n'
        "#show heading: set block(above: 1.2em, below: 0.7em)\n"
        "#show heading: set text(hyphenate: false)\n"
        "#let fitted(body) = layout(room => {\n"
        "  let natural = measure(body).width\n"
        "  let share = calc.min(1, room.width / natural)\n"
        "  scale(x: share * 100%, y: share * 100%, reflow: true, block(width: natural, body))\n"
        "})\n" + numbers
    )


def _title(draw: random.Random) -> str:
    return (
        '#place(top + center, float: true, scope: "parent", clearance: 16pt)'
        f'[#text(size: 16pt, weight: "bold", hyphenate: false)[{quoted(title(draw))}]'
        "\\ #v(2pt) A. Author #h(2em) B. Writer]"
    )
