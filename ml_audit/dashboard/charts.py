"""Scores over time as small pictures, inside the page: no script, no style of their own."""

from collections.abc import Sequence
from datetime import datetime

from markupsafe import Markup

from ml_audit.dashboard.kept import Summary
from ml_audit.outputs.number import tenths

__all__ = ["history_chart", "moment", "sparkline"]

_SPARK_WIDE, _SPARK_HIGH = 120.0, 28.0
_WIDE, _HIGH = 720.0, 220.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 44.0, 16.0, 14.0, 34.0
_BANDS = ((0.0, 4.5, "bad"), (4.5, 8.0, "mid"), (8.0, 10.0, "good"))
MOST_POINTS = 60
"""Latest audits that a chart shows."""


def sparkline(scores: Sequence[float]) -> Markup:
    """Scores, oldest first, as a line and a dot at the latest; its height shows their range, or two points at least."""
    step = (_SPARK_WIDE - 8) / max(1, len(scores) - 1)
    middle, span = (max(scores) + min(scores)) / 2, max(2.0, max(scores) - min(scores))
    levels = [_SPARK_HIGH / 2 - (score - middle) / span * (_SPARK_HIGH - 10) for score in scores]
    points = [(4 + n * step if len(scores) > 1 else _SPARK_WIDE - 4, level) for n, level in enumerate(levels)]
    x, y = points[-1]
    label = f"scores: {', '.join(map(tenths, scores))}"
    return Markup(  # noqa: S704 -- numbers alone
        f'<svg class="spark" viewBox="0 0 {_SPARK_WIDE:g} {_SPARK_HIGH:g}" role="img" aria-label="{label}">'
        f'<polyline points="{_joined(points)}"/><circle cx="{x:.1f}" cy="{y:.1f}" r="3"/></svg>'
    )


def history_chart(audits: Sequence[Summary]) -> Markup:
    """Scores of audits, oldest first, over the bands of risk, with the date of the first and the last."""
    shown = list(audits)[-MOST_POINTS:]
    step = (_WIDE - _LEFT - _RIGHT) / max(1, len(shown) - 1)
    at = [(_LEFT + n * step if len(shown) > 1 else _WIDE / 2, _level(a.score)) for n, a in enumerate(shown)]
    parts = [
        f'<rect class="zone {tone}" x="{_LEFT:g}" width="{_WIDE - _LEFT - _RIGHT:g}" y="{_level(high):.1f}"'
        f' height="{_level(low) - _level(high):.1f}"/>'
        for low, high, tone in _BANDS
    ]
    parts += [
        f'<line x1="{_LEFT:g}" x2="{_WIDE - _RIGHT:g}" y1="{_level(v):.1f}" y2="{_level(v):.1f}"/>'
        f'<text x="{_LEFT - 8:g}" y="{_level(v) + 4:.1f}" text-anchor="end">{v:g}</text>'
        for v in (0.0, 4.5, 8.0, 10.0)
    ]
    parts.append(f'<polyline points="{_joined(at)}"/>')
    parts += [
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4.5"><title>{tenths(a.score)} on {moment(a.at)}</title></circle>'
        for (x, y), a in zip(at, shown, strict=True)
    ]
    ends = [(_LEFT, "start", shown[0]), (_WIDE - _RIGHT, "end", shown[-1])] if len(shown) > 1 else []
    ends = ends or [(_WIDE / 2, "middle", shown[0])]
    parts += [
        f'<text x="{x:g}" y="{_HIGH - 6:g}" text-anchor="{anchor}">{moment(a.at)[:-6]}</text>' for x, anchor, a in ends
    ]
    label = f"{len(shown)} audits, from {tenths(shown[0].score)} to {tenths(shown[-1].score)}"
    body = "".join(parts)
    return Markup(  # noqa: S704 -- numbers and dates alone
        f'<svg class="chart" viewBox="0 0 {_WIDE:g} {_HIGH:g}" role="img" aria-label="{label}">{body}</svg>'
    )


def moment(at: str) -> str:
    """`30 Nov 2026 16:20`, in UTC."""
    told = datetime.fromisoformat(at)
    return f"{told.day} {told:%b %Y %H:%M}"


def _level(score: float) -> float:
    return _TOP + (10 - score) / 10 * (_HIGH - _TOP - _BOTTOM)


def _joined(points: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
