"""Writes CLAIMS.md: for people, what was made of every claim, with quote, page, target, tolerance in words, reason."""

from collections.abc import Iterable

from reproducegym.pipeline.templates import render
from reproducegym.schema.claim import Provenance
from reproducegym.schema.spec import Guard, MetricSpec, Target, Tolerance
from reproducegym.schema.task import ClaimReport, ClaimRow

__all__ = ["claims_page"]

_RULES = {
    "prediction_interval": "prediction interval over the printed spread",
    "reported_spread": "the printed spread",
    "rounding": "the last printed digit",
    "granularity": "the number of items in the test set",
    "policy": "the tolerance policy for this kind of metric",
}
_BOTH = "both"
_CONTRADICTION = "inconsistent_with_table"


def claims_page(title: str, report: ClaimReport, no_claims: str) -> str:
    """The page, from the report of all claims; `no_claims` is said where there are none.

    Where the paper contradicts itself stands on top: that is news to its readers.
    """
    rows = [_row(row, several=report.extractor == _BOTH) for row in report.claims]
    return render(
        "CLAIMS.md.j2",
        {
            "title": " ".join(title.split()),
            "no_claims": "" if rows else no_claims,
            "total": len(rows),
            "contradictions": [row for row in rows if row["contradiction"]],
            "accepted": [row for row in rows if row["pool"] == "rlvr"],
            "rejected": [row for row in rows if row["pool"] != "rlvr" and not row["contradiction"]],
        },
    )


def _row(row: ClaimRow, *, several: bool) -> dict[str, object]:
    details = (*row.details, *[""] * (len(row.reasons) - len(row.details)))
    return {
        "pool": row.pool,
        "claim_id": row.claim_id,
        "origin": _origin(row) if several else "",
        "contradiction": _CONTRADICTION in row.reasons,
        "statement": _line(row.statement),
        "anchors": [{"quote": _line(one.quote), "page": one.page} for one in row.anchors],
        "targets": [_target(target) for target in row.targets],
        "guards": [_guard(guard, row.metrics) for guard in row.guards],
        "evidence": [_place(one) for one in row.evidence],
        "reasons": [
            {"code": code, "detail": _line(detail)} for code, detail in zip(row.reasons, details, strict=False)
        ],
    }


def _origin(row: ClaimRow) -> str:
    """Who proposed a claim, and how others read it."""
    said = f"Proposed by {row.proposed_by}."
    if row.disagreement is None:
        return said
    return f"{said} {row.disagreement[0].upper()}{_line(row.disagreement[1:])}."


def _target(target: Target) -> dict[str, str]:
    places = list(target.provenance)
    if target.derivation is not None:
        places += [place for one in target.derivation.inputs for place in one.provenance]
    where = "; ".join(dict.fromkeys(_place(place) for place in places))
    if target.derivation is not None:
        where = f"{target.derivation.formula}: {where}"
    return {
        "metric": target.metric,
        "value": _cell(f"{_short(target.value)} {target.unit}".strip()),
        "where": _cell(where),
        "band": _cell(f"within ±{_short(target.tolerance.abs)} {target.unit}".strip()),
        "rule": _cell(_rule(target.tolerance)),
    }


def _guard(guard: Guard, metrics: Iterable[MetricSpec]) -> dict[str, str]:
    """What must not get worse than a printed reference, and from where on nothing is taken away."""
    direction = next(one.direction for one in metrics if one.name == guard.metric)
    more = direction == "higher_is_better"
    bound = guard.reference - guard.tolerance.abs if more else guard.reference + guard.tolerance.abs
    return {
        "metric": guard.metric,
        "value": _cell(f"{_short(guard.reference)} {guard.unit}".strip()),
        "where": _cell("; ".join(dict.fromkeys(_place(place) for place in guard.provenance))),
        "band": _cell(f"{'at least' if more else 'at most'} {_short(bound)} {guard.unit}".strip()),
        "rule": _cell(_rule(guard.tolerance)),
    }


def _rule(tolerance: Tolerance) -> str:
    inputs = ", ".join(f"{name} {_short(value)}" for name, value in tolerance.inputs.items())
    return f"{_RULES[tolerance.rule]} ({inputs})" if inputs else _RULES[tolerance.rule]


def _place(place: Provenance) -> str:
    coordinates = " / ".join((*place.row_path, *place.column_path))
    holder = f"Table {place.table}" if place.table else f"Figure {place.figure}" if place.figure else place.kind
    named = f"{holder}, {coordinates}" if coordinates else holder
    return f"“{_line(place.quote)}” (page {place.page}, {named})"


def _short(value: object) -> str:
    """At most six significant digits: enough for people, the files hold all."""
    return f"{float(str(value)):.6g}"


def _line(text: str) -> str:
    return " ".join(text.split())


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
