"""Rewards as small pictures inside the page: no script, no style of their own."""

from collections.abc import Sequence

from markupsafe import Markup

from reproducegym.schema.statistics import TaskStatistics

__all__ = ["gap_plot", "histogram", "strip"]

_WIDE, _HIGH = 720.0, 200.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 44.0, 16.0, 12.0, 34.0
_BINS = 10
_STRIP_WIDE, _STRIP_HIGH = 160.0, 22.0
_ROW = 22.0
_NAMES = 250.0
_TONES = {"reference": "good", "lazy": "mid", "cheat": "bad", "other": "note"}
MOST_ROWS = 60
"""Tasks that the plot of gaps shows, those with the smallest gap first."""


def histogram(rewards: Sequence[float]) -> Markup:
    """How many attempts earned how much, in ten bins of one tenth; the last one holds 1."""
    counts = [0] * _BINS
    for reward in rewards:
        counts[min(_BINS - 1, int(reward * _BINS))] += 1
    most = max(1, *counts)
    step = (_WIDE - _LEFT - _RIGHT) / _BINS
    parts = []
    for number, count in enumerate(counts):
        high = count / most * (_HIGH - _TOP - _BOTTOM)
        x, y = _LEFT + number * step, _HIGH - _BOTTOM - high
        parts.append(f'<rect class="bin" x="{x + 2:.1f}" y="{y:.1f}" width="{step - 4:.1f}" height="{high:.1f}"/>')
        if count:
            parts.append(f'<text x="{x + step / 2:.1f}" y="{max(10, y - 3):.1f}" text-anchor="middle">{count}</text>')
    parts += [
        f'<text x="{_LEFT + number * step:.1f}" y="{_HIGH - 14:g}" text-anchor="middle">{number / _BINS:g}</text>'
        for number in range(0, _BINS + 1, 2)
    ]
    floor = _HIGH - _BOTTOM
    parts.append(f'<line x1="{_LEFT:g}" x2="{_WIDE - _RIGHT:g}" y1="{floor:g}" y2="{floor:g}"/>')
    return _picture(parts, _WIDE, _HIGH, f"{len(rewards)} rewards in ten bins: {', '.join(map(str, counts))}")


def strip(task: TaskStatistics) -> Markup:
    """The mean of each kind of agent on a line from 0 to 1, with its least and most."""
    middle = _STRIP_HIGH / 2
    parts = [f'<line x1="4" x2="{_STRIP_WIDE - 4:g}" y1="{middle:g}" y2="{middle:g}"/>']
    parts += _marks(task, 4, _STRIP_WIDE - 8, middle)
    told = "; ".join(f"{one.group} {one.mean:.2f}" for one in task.groups) or "no scored attempts"
    return _picture(parts, _STRIP_WIDE, _STRIP_HIGH, told, "strip")


def gap_plot(tasks: Sequence[TaskStatistics]) -> Markup:
    """Each task with a reference and something to tell it from: where their rewards lie, the smallest gap first."""
    gaps = [(one.discrimination, one) for one in tasks if one.discrimination is not None]
    shown = [one for _, one in sorted(gaps, key=lambda pair: (pair[0], pair[1].task_id))[:MOST_ROWS]]
    high = _ROW * len(shown) + _BOTTOM
    wide = _WIDE - _NAMES - _RIGHT
    parts = []
    for number, task in enumerate(shown):
        y = _ROW * number + _ROW / 2
        name = task.claim_id if len(task.claim_id) <= 34 else f"{task.claim_id[:33]}…"
        parts.append(f'<text x="{_NAMES - 12:g}" y="{y + 4:.1f}" text-anchor="end">{Markup.escape(name)}</text>')
        parts.append(f'<line x1="{_NAMES:g}" x2="{_NAMES + wide:g}" y1="{y:.1f}" y2="{y:.1f}"/>')
        parts += _marks(task, _NAMES, wide, y)
    parts += [
        f'<text x="{_NAMES + wide * part:.1f}" y="{high - 14:g}" text-anchor="middle">{part:g}</text>'
        for part in (0, 0.25, 0.5, 0.75, 1)
    ]
    return _picture(parts, _WIDE, high, f"rewards of reference, lazy and cheat at {len(shown)} tasks")


def _marks(task: TaskStatistics, left: float, wide: float, y: float) -> list[str]:
    parts = []
    for one in task.groups:
        tone, at = _TONES[one.group], left + wide * one.mean
        low, high = left + wide * one.least, left + wide * one.most
        parts.append(f'<line class="range {tone}" x1="{low:.1f}" x2="{high:.1f}" y1="{y:.1f}" y2="{y:.1f}"/>')
        parts.append(
            f'<circle class="{tone}" cx="{at:.1f}" cy="{y:.1f}" r="5"><title>{one.group}: {one.mean:.2f} on average, '
            f"{one.least:.2f} to {one.most:.2f}, {one.scored} attempts</title></circle>"
        )
    return parts


def _picture(parts: Sequence[str], wide: float, high: float, label: str, kind: str = "chart") -> Markup:
    told = f'viewBox="0 0 {wide:g} {high:g}" role="img" aria-label="{Markup.escape(label)}"'
    return Markup(f'<svg class="{kind}" {told}>{"".join(parts)}</svg>')  # noqa: S704 - numbers and escaped words alone
