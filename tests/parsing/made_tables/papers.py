"""Makes whole papers around tables: prose, captions, figures, notes, columns, pages; compiles them; finds the cells."""

import random
from dataclasses import replace
from functools import cache
from pathlib import Path

import matplotlib
import pymupdf
import typst

from reproducegym.schema.base import BBox

from .plan import Plan, plan_of
from .prose import caption_text, heading, paragraph, title
from .setting import SetTable, set_table
from .sheets import sheet_of
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
    markup, tables = _floats(draw, plan, linked=linked)
    above = "\n\n".join(paragraph(draw, plan.label) for _ in range(draw.randint(1, 3)))
    below = "\n\n".join(paragraph(draw, plan.label) for _ in range(draw.randint(2, 5)))
    figure = _figure(draw, plan) if plan.figure else ""
    parts = [_preamble(plan), _title(draw), f"= {heading(draw, 0)}", paragraph(draw, plan.label)]
    parts += [f"= {heading(draw, 1)}", above]
    parts += [figure, markup] if draw.random() < 0.5 else [markup, figure]
    parts += [below, f"= {heading(draw, 2)}", paragraph(draw, plan.label)]
    return "\n\n".join(parts), tables


def _preamble(plan: Plan) -> str:
    numbers = "#set par.line(numbering: n => text(size: 6pt, fill: luma(120))[#n])\n" if plan.line_numbers else ""
    margin = "(x: 0.9in, y: 1in)" if plan.columns == 2 else "(x: 1.35in, y: 1.1in)"
    return (
        f'#set page(paper: "{plan.paper}", margin: {margin}, columns: {plan.columns}, numbering: "1")\n'
        f'#set text(font: ("{plan.font}", "New Computer Modern", "DejaVu Sans"), size: {plan.size}pt, lang: "en")\n'
        "#set par(justify: true, leading: 0.55em, spacing: 0.9em)\n"
        '#set heading(numbering: "1")\n'
        "#show heading: set block(above: 1.2em, below: 0.7em)\n" + numbers
    )


def _title(draw: random.Random) -> str:
    return (
        '#place(top + center, float: true, scope: "parent", clearance: 16pt)'
        f'[#text(size: 16pt, weight: "bold")[{quoted(title(draw))}]\\ #v(2pt) A. Author #h(2em) B. Writer]'
    )


def _floats(draw: random.Random, plan: Plan, *, linked: bool) -> tuple[str, tuple[TrueTable, ...]]:
    """Markup of the tables with their captions, and what is true of them."""
    if plan.arrangement == "beside":
        return _beside(draw, plan, linked=linked)
    if plan.arrangement in {"parts beside", "parts above"}:
        return _in_parts(draw, plan, linked=linked)
    sheet = sheet_of(draw, plan)
    made = set_table(sheet, plan, "t", linked=linked)
    text = caption_text(draw, plan)
    table = TrueTable(plan.label, _label(plan) + " " + text, 1, made.cells)
    block = _block(draw, plan, f"#{made.markup}", text)
    if plan.arrangement == "sideways":
        turn = draw.choice((-90, 90))
        return (
            "#pagebreak()\n#align(center)"
            f"[#rotate({turn}deg, reflow: true)[#block(width: 8.4in)[{block}]]]\n#pagebreak()",
            (table,),
        )
    if plan.arrangement == "landscape":
        return f"#page(flipped: true, columns: 1)[{block}]", (table,)
    if plan.flow == "float" and plan.arrangement != "split":
        scope = ', scope: "parent"' if plan.wide else ""
        side = draw.choice(("top", "top", "bottom", "auto"))
        return f"#place({side}, float: true{scope}, clearance: 14pt)[{block}]", (table,)
    return block, (table,)


def _beside(draw: random.Random, plan: Plan, *, linked: bool) -> tuple[str, tuple[TrueTable, ...]]:
    halves, tables = [], []
    for i in range(2):
        own = replace(plan, label=_after(plan.label, i), caption_length=min(plan.caption_length, 1))
        made = set_table(sheet_of(draw, own), own, f"t{i}", linked=linked)
        text = caption_text(draw, own)
        tables.append(TrueTable(own.label, _label(own) + " " + text, 1, made.cells))
        halves.append(f"[{_block(draw, own, f'#{made.markup}', text)}]")
    gap = draw.choice(("14pt", "20pt", "30pt"))
    return f"#grid(columns: (1fr, 1fr), column-gutter: {gap}, {', '.join(halves)})", tuple(tables)


def _after(label: str, steps: int) -> str:
    if label.isdigit():
        return str(int(label) + steps)
    return label if not steps else label + "I" if label.isalpha() else f"A{int(label[1:]) + steps}"


def _in_parts(draw: random.Random, plan: Plan, *, linked: bool) -> tuple[str, tuple[TrueTable, ...]]:
    titles = [f"({'ab'[i]}) {name}" for i, name in enumerate(draw.sample(("CIFAR-10", "ImageNet", "GLUE", "Atari"), 2))]
    made: list[SetTable] = [
        set_table(sheet_of(draw, plan), plan, f"t{i}", linked=linked, part=name) for i, name in enumerate(titles)
    ]
    above = draw.random() < 0.5
    cells = []
    for name, part in zip(titles, made, strict=True):
        both = [f"#text(size: 0.95em)[{quoted(name)}]", f"#{part.markup}"]
        cells.append(f"[#align(center)[{'#v(3pt)'.join(both if above else both[::-1])}]]")
    columns = "(1fr, 1fr)" if plan.arrangement == "parts beside" else "1fr"
    text = caption_text(draw, plan)
    table = TrueTable(plan.label, _label(plan) + " " + text, 2, tuple(cell for part in made for cell in part.cells))
    grid = f"#grid(columns: {columns}, column-gutter: 16pt, row-gutter: 10pt, {', '.join(cells)})"
    return _block(draw, plan, grid, text), (table,)


def _label(plan: Plan) -> str:
    return plan.caption_form.format(plan.label).replace("*", "")


def _block(draw: random.Random, plan: Plan, content: str, text: str) -> str:
    """A table with its caption and notes."""
    label = quoted(_label(plan))
    if plan.caption_form.startswith("*"):
        label = f"#strong[{label}]"
    joint = "\\ " if plan.caption_form.startswith("TABLE") else " "
    size = draw.choice((plan.size, plan.size - 1))
    side = "center" if len(text) < 70 or joint == "\\ " else "left"
    caption = f"#align({side})[#set text(size: {size}pt)\n{label}{joint}{quoted(text)}]"
    body = (
        f"#align(center)[#set text(size: {plan.table_size}pt, hyphenate: false)\n#set par(justify: false)\n{content}]"
    )
    notes = f"#v(2pt)#text(size: {plan.table_size - 1}pt)[{_notes(plan)}]" if plan.notes else ""
    gap = draw.choice((3, 5, 7, 10))
    parts = [caption, f"#v({gap}pt, weak: true)", body + notes]
    whole = "\n".join(parts if plan.caption_side == "top" else parts[::-1])
    breakable = "true" if plan.arrangement == "split" else "false"
    return f"#block(width: 100%, breakable: {breakable}, above: 14pt, below: 14pt)[{whole}]"


def _notes(plan: Plan) -> str:
    if "letter" in plan.emphasis:
        return "#super[a] Results taken from the original publication. #super[b] Our re-run with 5 seeds."
    return quoted("† Uses additional training data. ‡ Evaluated on 500 examples. * Not tuned.")


def _figure(draw: random.Random, plan: Plan) -> str:
    """A small line chart with ticks, legend and a caption of its own."""
    lines = ", ".join(f"curve.line(({x * 12}pt, {draw.randint(6, 66)}pt))" for x in range(1, 12))
    ticks = "".join(f"#place(dx: {x * 24}pt, dy: 78pt)[#text(size: 6pt)[{x * 50}]]" for x in range(6))
    ticks += "".join(f"#place(dx: -16pt, dy: {60 - y * 24}pt)[#text(size: 6pt)[0.{y * 2}]]" for y in range(3))
    curve = f"#place(curve(stroke: 1pt + blue, curve.move((0pt, 70pt)), {lines}))"
    box = f"#box(width: 150pt, height: 92pt)[#place(rect(width: 144pt, height: 74pt, stroke: 0.5pt)){curve}{ticks}]"
    caption = f"Figure {draw.randint(1, 6)}: Learning curves of the methods, smoothed over 10 episodes."
    return f"#align(center)[{box}\\ #text(size: {plan.size - 1}pt)[{quoted(caption)}]]"
