"""Puts made tables on the page: alone, beside each other, in parts, beside text or figures, sideways, over pages."""

import random
from collections.abc import Callable, Sequence
from dataclasses import replace

from .plan import Plan
from .prose import caption_text, paragraph
from .setting import SetTable, set_table
from .sheets import Sheet, sheet_of
from .truth import TrueTable
from .values import quoted

__all__ = ["floats_of"]

Floats = tuple[str, tuple[TrueTable, ...]]


def floats_of(draw: random.Random, plan: Plan, *, linked: bool) -> Floats:
    """Markup of the tables with their captions, and what is true of them."""
    arranged: Callable[[random.Random, Plan, bool], Floats] = {
        "beside": _beside,
        "below": _below,
        "parts beside": _in_parts,
        "parts above": _in_parts,
        "beside text": _beside_text,
        "beside figure": _beside_figure,
        "continued": _continued,
    }.get(plan.arrangement, _alone)
    markup, tables = arranged(draw, plan, linked)
    if plan.figure:
        figure = _figure(draw, plan, draw.randint(1, 6))
        markup = "\n\n".join([figure, markup] if draw.random() < 0.5 else [markup, figure])
    return markup, tables


def _alone(draw: random.Random, plan: Plan, linked: bool) -> Floats:
    block, table = _table(draw, plan, "t", linked)
    if plan.arrangement == "sideways":
        turn = draw.choice((-90, 90))
        turned = f"#rotate({turn}deg, reflow: true)[#block(width: 8.4in)[{block}]]"
        return f"#pagebreak()\n#align(center + horizon)[{turned}]\n#pagebreak()", (table,)
    if plan.arrangement == "landscape":
        return f"#page(flipped: true, columns: 1)[{block}]", (table,)
    if plan.flow == "float" and plan.arrangement != "split":
        scope = ', scope: "parent"' if plan.wide else ""
        side = draw.choice(("top", "top", "bottom", "auto"))
        return f"#place({side}, float: true{scope}, clearance: 14pt)[{block}]", (table,)
    return block, (table,)


def _table(draw: random.Random, plan: Plan, prefix: str, linked: bool) -> tuple[str, TrueTable]:
    """One table with its caption, as wide as there is room."""
    made = set_table(sheet_of(draw, plan), plan, prefix, linked=linked)
    text = caption_text(draw, plan)
    return _block(draw, plan, _room(plan, made), text), TrueTable(plan.label, f"{_label(plan)} {text}", 1, made.cells)


def _room(plan: Plan, made: SetTable) -> str:
    """The table, set smaller where it is too wide, as authors do."""
    return f"#{made.markup}" if plan.stretched or plan.arrangement == "split" else f"#fitted({made.markup})"


def _beside(draw: random.Random, plan: Plan, linked: bool) -> Floats:
    one, other = _two(draw, plan, linked)
    gap = draw.choice(("14pt", "20pt", "30pt"))
    aligned = draw.choice(("top", "bottom"))
    markup = f"#grid(columns: (1fr, 1fr), align: {aligned}, column-gutter: {gap}, [{one[0]}], [{other[0]}])"
    return markup, (one[1], other[1])


def _below(draw: random.Random, plan: Plan, linked: bool) -> Floats:
    one, other = _two(draw, plan, linked)
    return f"{one[0]}\n{other[0]}", (one[1], other[1])


def _two(draw: random.Random, plan: Plan, linked: bool) -> list[tuple[str, TrueTable]]:
    shorter = replace(plan, caption_length=min(plan.caption_length, 1))
    return [_table(draw, replace(shorter, label=_after(plan.label, i)), f"t{i}", linked) for i in range(2)]


def _after(label: str, steps: int) -> str:
    if label.isdigit():
        return str(int(label) + steps)
    return label if not steps else label + "I" if label.isalpha() else f"A{int(label[1:]) + steps}"


def _in_parts(draw: random.Random, plan: Plan, linked: bool) -> Floats:
    names = draw.sample(("CIFAR-10", "ImageNet", "GLUE", "Atari", "Small models", "Large models"), 2)
    titles = [f"({'ab'[i]}) {name}" for i, name in enumerate(names)]
    made: list[SetTable] = [
        set_table(sheet_of(draw, plan), plan, f"t{i}", linked=linked, part=name) for i, name in enumerate(titles)
    ]
    above = draw.random() < 0.5
    cells = []
    for name, part in zip(titles, made, strict=True):
        both = [f"#text(size: 0.95em)[{quoted(name)}]", _room(plan, part)]
        cells.append(f"[#align(center)[{'#v(3pt)'.join(both if above else both[::-1])}]]")
    columns = "(1fr, 1fr)" if plan.arrangement == "parts beside" else "1fr"
    text = caption_text(draw, plan)
    cell_truth = tuple(cell for part in made for cell in part.cells)
    grid = f"#grid(columns: {columns}, column-gutter: 16pt, row-gutter: 10pt, {', '.join(cells)})"
    return _block(draw, plan, grid, text), (TrueTable(plan.label, f"{_label(plan)} {text}", 2, cell_truth),)


def _beside_text(draw: random.Random, plan: Plan, linked: bool) -> Floats:
    block, table = _table(draw, plan, "t", linked)
    text = " ".join(paragraph(draw, plan.label) for _ in range(2))
    both = [f"[{text}]", f"[{block}]"]
    order = both if draw.random() < 0.7 else both[::-1]
    return f"#grid(columns: (1fr, 1.1fr), column-gutter: 14pt, {', '.join(order)})", (table,)


def _beside_figure(draw: random.Random, plan: Plan, linked: bool) -> Floats:
    block, table = _table(draw, plan, "t", linked)
    both = [f"[{_figure(draw, plan, draw.randint(1, 6))}]", f"[{block}]"]
    order = both if draw.random() < 0.5 else both[::-1]
    return f"#grid(columns: (1fr, 1fr), align: bottom, column-gutter: 16pt, {', '.join(order)})", (table,)


def _continued(draw: random.Random, plan: Plan, linked: bool) -> Floats:
    """A long table set in two halves; the second has a caption that says so."""
    sheet = sheet_of(draw, plan)
    middle = next(
        (i for i in range(len(sheet.rows) // 2, len(sheet.rows)) if _may_break(sheet, i)), len(sheet.rows) - 3
    )
    halves = [replace(sheet, rows=sheet.rows[:middle]), replace(sheet, rows=sheet.rows[middle:])]
    made = [set_table(half, plan, f"t{i}", linked=linked) for i, half in enumerate(halves)]
    text = caption_text(draw, plan)
    blocks = [_block(draw, plan, _room(plan, made[0]), text)]
    blocks += ["#pagebreak()", _block(draw, plan, _room(plan, made[1]), "(continued)")]
    table = TrueTable(plan.label, f"{_label(plan)} {text}", 1, tuple(cell for half in made for cell in half.cells))
    return "\n".join(blocks), (table,)


def _may_break(sheet: Sheet, row: int) -> bool:
    one, other = sheet.rows[row - 1], sheet.rows[row]
    return one.group is None if one.labels[:-1] == other.labels[:-1] == () else one.labels[:-1] != other.labels[:-1]


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
    parts: Sequence[str] = [caption, f"#v({gap}pt, weak: true)", body + notes]
    whole = "\n".join(parts if plan.caption_side == "top" else parts[::-1])
    breakable = "true" if plan.arrangement == "split" else "false"
    return f"#block(width: 100%, breakable: {breakable}, above: 14pt, below: 14pt)[{whole}]"


def _notes(plan: Plan) -> str:
    if "letter" in plan.emphasis:
        return "#super[a] Results taken from the original publication. #super[b] Our re-run with 5 seeds."
    return quoted("† Uses additional training data. ‡ Evaluated on 500 examples. * Not tuned.")


def _figure(draw: random.Random, plan: Plan, number: int) -> str:
    """A small line chart with ticks and a caption of its own."""
    lines = ", ".join(f"curve.line(({x * 12}pt, {draw.randint(6, 66)}pt))" for x in range(1, 12))
    ticks = "".join(f"#place(dx: {x * 24}pt, dy: 78pt)[#text(size: 6pt)[{x * 50}]]" for x in range(6))
    ticks += "".join(f"#place(dx: -16pt, dy: {60 - y * 24}pt)[#text(size: 6pt)[0.{y * 2}]]" for y in range(3))
    curve = f"#place(curve(stroke: 1pt + blue, curve.move((0pt, 70pt)), {lines}))"
    box = f"#box(width: 150pt, height: 92pt)[#place(rect(width: 144pt, height: 74pt, stroke: 0.5pt)){curve}{ticks}]"
    caption = f"Figure {number}: Learning curves of the methods, smoothed over 10 episodes."
    return f"#align(center)[{box}\\ #text(size: {plan.size - 1}pt)[{quoted(caption)}]]"
