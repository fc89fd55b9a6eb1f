"""Writes pieces of a paper as lines that a model reads: a section for step 1, the evidence of one claim for step 3."""

from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal

from reproducegym.extraction.llm.addressed import is_addressed
from reproducegym.schema.evidence import (
    BundlePanel,
    BundleTable,
    ClaimEvidence,
    EvidenceFigure,
    EvidenceTable,
)

__all__ = ["evidence_lines", "figure_lines", "safe_text", "sentence_line", "table_lines"]

_WITHHELD = "(withheld: it speaks to a program, not to readers)"
_MOST_NAMES = 60
"""Rows or columns of a table that step 1 is shown by name."""


def sentence_line(identity: str, text: str) -> str:
    """A sentence with its id; what gives orders to a program is withheld."""
    return f"[{identity}] {safe_text(text)}"


def table_lines(table: EvidenceTable) -> Iterator[str]:
    """What a table is about: caption, notes, and the names of rows and columns, without values."""
    yield f"[table {table.label or table.id}] {safe_text(table.caption or '(no caption)')}"
    yield from (f"  note: {safe_text(note)}" for note in table.notes)
    yield f"  rows: {_names(table.rows)}"
    yield f"  columns: {_names(table.columns)}"


def figure_lines(figure: EvidenceFigure) -> Iterator[str]:
    """What a figure shows: caption, and each panel with its axes and series."""
    yield f"[figure {figure.label or figure.id}] {safe_text(figure.caption or '(no caption)')}"
    for panel in figure.panels:
        name = panel.label or str(panel.number + 1)
        yield f"  panel {name}: {safe_text(panel.title or '(no title)')}"
        for chart in panel.charts:
            axes = "; ".join(f"{axis.side} axis {safe_text(axis.title or '(no title)')}" for axis in chart.axes)
            series = " | ".join(one.name for one in chart.series if one.name is not None)
            yield f"    {axes}; series: {safe_text(series) or '(unnamed)'}"


def evidence_lines(evidence: ClaimEvidence) -> Iterator[str]:
    """A claim's bundle: sentences in the paper's order, cells with their numbers, panels with their series."""
    yield from (sentence_line(one.id, one.text) for one in evidence.sentences)
    for table in evidence.tables:
        yield from _table_with_values(table)
    for panel in evidence.panels:
        yield from _panel(panel)


def _table_with_values(table: BundleTable) -> Iterator[str]:
    yield f"[table {table.label or table.id}] {safe_text(table.caption or '(no caption)')}"
    yield from (f"  note: {safe_text(note)}" for note in table.notes)
    for cell in table.cells:
        unit = f" (unit {cell.unit})" if cell.unit else ""
        yield f"  row {_path(cell.row_path)}; column {_path(cell.column_path)}: {safe_text(cell.text)}{unit}"


def _panel(panel: BundlePanel) -> Iterator[str]:
    name = panel.label or ("the only one" if panel.number is None else str(panel.number + 1))
    words = " ".join(safe_text(text) for text in (panel.title, panel.caption) if text)
    yield f"[figure {panel.figure_label or panel.figure}, panel {name}] {words}"
    if not panel.charts:
        yield "  its drawing could not be read"
    for chart in panel.charts:
        for axis in chart.axes:
            title = safe_text(axis.title or "(no title)")
            yield f"  {axis.side} axis: {title}, {axis.scale}, {axis.low:g} to {axis.high:g}"
        for series in chart.series:
            points = ", ".join(f"({point.name or _plain(point.x)}, {_plain(point.y)})" for point in series.points)
            yield f"  series {safe_text(series.name or '(unnamed)')} ({series.kind}): {points}"


def _plain(value: float) -> str:
    return format(Decimal(f"{value:.6g}"), "f")


def _path(path: Sequence[str]) -> str:
    return " / ".join(f'"{safe_text(part)}"' for part in path) or "(unnamed)"


def _names(names: Iterable[str]) -> str:
    every = tuple(names)
    more = "" if len(every) <= _MOST_NAMES else f" | and {len(every) - _MOST_NAMES} more"
    return " | ".join(safe_text(name) for name in every[:_MOST_NAMES]) + more if every else "(unnamed)"


def safe_text(text: str) -> str:
    """A text of the paper as a model may see it: what gives orders to a program is withheld."""
    return _WITHHELD if is_addressed(text) else text
