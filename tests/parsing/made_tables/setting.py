"""Sets a logical table as Typst markup, and says which cells are then on the page."""

from dataclasses import dataclass, field, replace

from .plan import Plan
from .sheets import Column, Row, Sheet
from .truth import TrueCell
from .values import Value, quoted

_HEAVY, _LIGHT, _GROUP = "0.9pt", "0.45pt", "0.4pt"


@dataclass(slots=True)
class Grid:
    """Markup of a table under way: its cells so far, and what is true of them."""

    plan: Plan
    prefix: str
    linked: bool
    width: int
    part: str | None = None
    header: list[str] = field(default_factory=list)
    body: list[str] = field(default_factory=list)
    cells: list[TrueCell] = field(default_factory=list)

    def printed(self, cell: TrueCell, markup: str) -> str:
        """Markup of a cell's content; a linked paper tells by its links where each cell stands."""
        self.cells.append(cell)
        return f'#link("cell:{cell.id}")[{markup}]' if self.linked else markup

    def next_id(self) -> str:
        return f"{self.prefix}-{len(self.cells)}"


@dataclass(frozen=True, slots=True)
class SetTable:
    """Markup of a `table(...)` call and its true cells."""

    markup: str
    cells: tuple[TrueCell, ...]


def set_table(sheet: Sheet, plan: Plan, prefix: str, *, linked: bool, part: str | None = None) -> SetTable:
    """The Typst markup of one grid."""
    grid = Grid(plan, prefix, linked, len(sheet.corners) + len(sheet.columns), part)
    _rule(grid, grid.header, _HEAVY)
    _headers(grid, sheet, grid.header)
    _rule(grid, grid.header, _LIGHT)
    _rows(grid, sheet)
    if sheet.then is not None:
        _rule(grid, grid.body, _LIGHT)
        _headers(grid, sheet.then, grid.body)
        _rule(grid, grid.body, _LIGHT)
        _rows(grid, sheet.then)
    _rule(grid, grid.body, _HEAVY)
    repeated = ", ".join(grid.header)
    inner = ", ".join(grid.body)
    head = f"table.header(repeat: true, {repeated})" if plan.arrangement == "split" else repeated
    return SetTable(f"table({_layout(sheet, plan)}, {head}, {inner})", tuple(grid.cells))


def _layout(sheet: Sheet, plan: Plan) -> str:
    stub, count = len(sheet.corners), len(sheet.columns)
    first = {"label": "8.5em"}.get(plan.wrap, "auto")
    value = {"header": "6.2em"}.get(plan.wrap, "auto")
    if plan.stretched:
        value = "1fr"
    widths = ", ".join([first if i == stub - 1 else "auto" for i in range(stub)] + [value] * count)
    side = {"decimal": "right"}.get(plan.align, plan.align)
    down = "horizon" if plan.wrap == "none" else "top"
    aligns = ", ".join([f"left + {down}"] * stub + [f"{side} + {down}"] * count)
    stroke = {"grid": "0.5pt", "vertical": "(x, y) => (left: if x > 0 { 0.5pt })"}.get(plan.rules, "none")
    if plan.rules == "mixed":
        stroke = "(x, y) => (left: if x == 1 or x == 0 { 0.5pt }, right: 0.5pt)"
    fill = {
        "stripes": "(x, y) => if calc.odd(y) { luma(233) }",
        "header": f"(x, y) => if y < {_header_rows(sheet, plan)} {{ rgb(214, 226, 240) }}",
    }.get(plan.shading, "none")
    return (
        f"columns: ({widths}), align: ({aligns}), stroke: {stroke}, fill: {fill}, "
        f"inset: (x: {plan.gap}pt, y: {plan.lead}pt)"
    )


def _header_rows(sheet: Sheet, plan: Plan) -> int:
    depth = max(len(column.path) for column in sheet.columns)
    return depth + (plan.cmidrules == "trimmed" and depth > 1) * (depth - 1) + (plan.units == "below")


def _rule(grid: Grid, into: list[str], stroke: str) -> None:
    if grid.plan.rules == "double" and stroke == _HEAVY:
        into += ["table.hline(stroke: 0.4pt)", f"table.cell(colspan: {grid.width}, inset: 0.8pt)[]"]
    if grid.plan.rules == "dashed" and stroke == _GROUP:
        into.append('table.hline(stroke: (thickness: 0.4pt, dash: "dashed"))')
    elif grid.plan.rules in {"booktabs", "horizontal", "mixed", "double", "dashed"}:
        into.append(f"table.hline(stroke: {stroke})")


def _headers(grid: Grid, sheet: Sheet, into: list[str]) -> None:
    """Header rows: spanning cells of the outer levels, with the rules below them, then the leaves."""
    stub, columns = len(sheet.corners), sheet.columns
    depth = max(len(column.path) for column in columns)
    for level in range(depth):
        last = level == depth - 1
        row = [_corner(grid, name) if last else "[]" for name in sheet.corners]
        spans = _spans(columns, level)
        for first, after in spans:
            row.append(_header(grid, columns, first, after, level, last=last))
        into += row
        if not last:
            _below_spans(grid, into, spans, columns, level, stub)
    if grid.plan.units == "below":
        into += ["[]"] * stub + [f"[#text(size: 0.85em)[{quoted(f'({c.printed_unit})')}]]" for c in columns]


def _corner(grid: Grid, name: str) -> str:
    if not name:
        return "[]"
    printed = grid.printed(TrueCell(grid.next_id(), "header", name, part=grid.part), quoted(name))
    return f"table.cell(align: left + bottom)[{printed}]"


def _spans(columns: tuple[Column, ...], level: int) -> list[tuple[int, int]]:
    """Runs of columns below the same header of a level, as first and one past the last."""
    spans: list[tuple[int, int]] = []
    for i, column in enumerate(columns):
        whole = column.path[: level + 1]
        joined = level < len(column.path) - 1
        if spans and joined and columns[spans[-1][0]].path[: level + 1] == whole:
            spans[-1] = (spans[-1][0], i + 1)
        else:
            spans.append((i, i + 1))
    return spans


def _header(grid: Grid, columns: tuple[Column, ...], first: int, after: int, level: int, *, last: bool) -> str:
    column = columns[first]
    ends = len(column.path) - 1
    if level > ends or (level == ends and not last):
        # a column without a parent prints its name in the last header row, level with the other leaves
        if not last:
            return "[]"
        level = ends
    text = column.path[level]
    if last and grid.plan.units == "header":
        text = f"{text} ({column.printed_unit})"
    path = (*column.path[:level], text)
    markup = "\\ ".join(quoted(line) for line in text.split("\n"))
    if grid.plan.header_style == "bold":
        markup = f"#strong[{markup}]"
    printed = grid.printed(
        TrueCell(grid.next_id(), "header", text.replace("\n", " "), column_path=path, part=grid.part), markup
    )
    if last and grid.plan.turned == "header":
        printed = f"#rotate(-90deg, reflow: true)[{printed}]"
    side = "center" if after - first > 1 or grid.plan.align == "decimal" else grid.plan.align
    return f"table.cell(colspan: {after - first}, align: {side} + bottom)[{printed}]"


def _below_spans(
    grid: Grid, into: list[str], spans: list[tuple[int, int]], columns: tuple[Column, ...], level: int, stub: int
) -> None:
    real = [span for span in spans if level < len(columns[span[0]].path) - 1]
    if grid.plan.cmidrules == "whole":
        into += [f"table.hline(start: {stub + a}, end: {stub + b}, stroke: {_LIGHT})" for a, b in real]
    if grid.plan.cmidrules == "trimmed":
        into.append(f"table.cell(colspan: {stub}, inset: 0pt)[]")
        for a, b in spans:
            line = f"#place(line(length: 100%, stroke: {_LIGHT}))" if (a, b) in real else ""
            into.append(f"table.cell(colspan: {b - a}, inset: (x: 3pt, y: 0pt))[{line}]")


def column_path(plan: Plan, column: Column) -> tuple[str, ...]:
    """The column's headers as they are printed, a unit in the last one or below it."""
    if plan.units in {"header", "below"}:
        return (*column.path[:-1], f"{column.path[-1]} ({column.printed_unit})")
    return tuple(name.replace("\n", " ") for name in column.path)


def _rows(grid: Grid, sheet: Sheet) -> None:
    group: str | None = None
    for i, row in enumerate(sheet.rows):
        if row.group != group:
            group = row.group
            if i:
                _rule(grid, grid.body, _GROUP)
            grid.body += _group_row(grid, group or "", grid.width)
            if grid.plan.groups == "ruled":
                _rule(grid, grid.body, _LIGHT)
        elif i and grid.plan.rules == "horizontal":
            _rule(grid, grid.body, "0.3pt")
        elif i and grid.plan.stub == 2 and row.labels[0] != sheet.rows[i - 1].labels[0]:
            _rule(grid, grid.body, _GROUP)
        elif i and i == len(sheet.rows) - 1 and grid.plan.last == "average":
            _rule(grid, grid.body, _LIGHT)
        fill = "fill: rgb(225, 238, 225)" if i == len(sheet.rows) - 1 and grid.plan.last == "highlighted" else ""
        grid.body += _labels(grid, sheet.rows, i, fill)
        named = replace(row, labels=tuple(map(_said, sheet.corners, row.labels)))
        grid.body += [
            f"table.cell({fill})[{_value(grid, named, column, value)}]"
            for column, value in zip(sheet.columns, row.values, strict=True)
        ]


def _said(corner: str, label: str) -> str:
    """What a label says: a number says nothing without the head of its column."""
    return f"{corner} = {label}" if corner and label.replace(".", "").isdigit() else label


def _group_row(grid: Grid, group: str, width: int) -> list[str]:
    style = grid.plan.groups
    markup = quoted(group)
    if style == "bold":
        markup = f"#strong[{markup}]"
    if style in {"italic", "ruled"}:
        markup = f"#emph[{markup}]"
    printed = grid.printed(TrueCell(grid.next_id(), "group", group, row_path=(group,), part=grid.part), markup)
    if style == "left":
        return [f"[{printed}]"] + ["[]"] * (width - 1)
    side = "center" if style in {"span", "shaded", "ruled"} else "left"
    fill = ", fill: luma(225)" if style == "shaded" else ""
    return [f"table.cell(colspan: {width}, align: {side}{fill})[{printed}]"]


def _labels(grid: Grid, rows: tuple[Row, ...], i: int, fill: str) -> list[str]:
    row = rows[i]
    made: list[str] = []
    outer = row.labels[:-1]
    if outer:
        starts = i == 0 or rows[i - 1].labels[:-1] != outer or rows[i - 1].group != row.group
        if starts or grid.plan.merge == "repeat":
            made.append(_outer_label(grid, rows, i))
        elif grid.plan.merge == "blank":
            made.append("[]")
    indent = "#h(1em)" if grid.plan.groups == "indent" else ""
    path = (*((row.group,) if row.group else ()), *row.labels)
    cell = TrueCell(grid.next_id(), "stub", row.labels[-1], row_path=path, part=grid.part)
    made.append(f"table.cell({fill})[{indent}{grid.printed(cell, quoted(row.labels[-1]))}]")
    return made


def _outer_label(grid: Grid, rows: tuple[Row, ...], i: int) -> str:
    row, name = rows[i], rows[i].labels[0]
    path = (*((row.group,) if row.group else ()), name)
    printed = grid.printed(TrueCell(grid.next_id(), "stub", name, row_path=path, part=grid.part), quoted(name))
    if grid.plan.merge != "rowspan":
        return f"[{printed}]"
    end = next((j for j in range(i, len(rows)) if rows[j].labels[0] != name or rows[j].group != row.group), len(rows))
    if grid.plan.turned == "stub":
        printed = f"#rotate(-90deg, reflow: true)[{printed}]"
    return f"table.cell(rowspan: {end - i}, align: left + horizon)[{printed}]"


def _value(grid: Grid, row: Row, column: Column, value: Value) -> str:
    if not value.text:
        return ""
    cell = TrueCell(
        grid.next_id(),
        "body",
        value.text,
        row_path=(*((row.group,) if row.group else ()), *row.labels),
        column_path=column_path(grid.plan, column),
        spread=value.spread,
        unit="%" if grid.plan.units == "caption" else column.unit,
        multiplier=column.multiplier,
        marks=value.marks,
        part=grid.part,
    )
    return grid.printed(cell, value.markup)
