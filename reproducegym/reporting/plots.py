"""Rewards as small pictures inside the page: no script, no style of their own."""

from collections.abc import Sequence

from markupsafe import Markup

from reproducegym.schema.statistics import TaskStatistics

__all__ = ["TONES", "gap_plot", "histogram", "strip"]

_WIDE, _HIGH = 480.0, 170.0
_SIDE, _TOP, _BOTTOM = 12.0, 16.0, 24.0
_BINS = 10
_STRIP_WIDE, _STRIP_EDGE = 160.0, 5.0
_LANE, _NAME, _BETWEEN = 8.0, 16.0, 8.0
_MOST_NAME = 70
TONES = {"reference": "good", "lazy": "mid", "cheat": "bad", "other": "note"}
MOST_ROWS = 60
"""Tasks that the plot of gaps shows, those with the smallest gap first."""


def histogram(rewards: Sequence[float]) -> Markup:
    """How many attempts earned how much, in ten bins of one tenth; the last one holds 1."""
    counts = [0] * _BINS
    for reward in rewards:
        counts[min(_BINS - 1, int(reward * _BINS))] += 1
    most = max(1, *counts)
    step = (_WIDE - 2 * _SIDE) / _BINS
    floor = _HIGH - _BOTTOM
    parts = []
    for number, count in enumerate(counts):
        high = count / most * (floor - _TOP)
        x, y = _SIDE + number * step, floor - high
        parts.append(f'<rect class="bin" x="{x + 2:.1f}" y="{y:.1f}" width="{step - 4:.1f}" height="{high:.1f}"/>')
        if count:
            parts.append(f'<text x="{x + step / 2:.1f}" y="{y - 4:.1f}" text-anchor="middle">{count}</text>')
    parts += [
        f'<text x="{_SIDE + number * step:.1f}" y="{_HIGH - 6:g}" text-anchor="middle">{number / _BINS:g}</text>'
        for number in range(0, _BINS + 1, 2)
    ]
    parts.append(f'<line x1="{_SIDE:g}" x2="{_WIDE - _SIDE:g}" y1="{floor:g}" y2="{floor:g}"/>')
    return _picture(parts, _WIDE, _HIGH, f"{len(rewards)} rewards in ten bins: {', '.join(map(str, counts))}")


def strip(task: TaskStatistics) -> Markup:
    """The mean of each kind of agent on a line from 0 to 1, with its least and most."""
    high = _LANE * max(1, len(task.groups)) + 4
    parts = _lanes(task, _STRIP_EDGE, _STRIP_WIDE - 2 * _STRIP_EDGE, 2)
    told = "; ".join(f"{one.group} {one.mean:.2f}" for one in task.groups) or "no scored attempts"
    return _picture(parts, _STRIP_WIDE, high, told, "strip")


def gap_plot(tasks: Sequence[TaskStatistics]) -> Markup:
    """Each task with a reference and something to tell it from: where their rewards lie, the smallest gap first."""
    gaps = [(one.discrimination, one) for one in tasks if one.discrimination is not None]
    shown = [one for _, one in sorted(gaps, key=lambda pair: (pair[0], pair[1].task_id))[:MOST_ROWS]]
    parts, y = list[str](), 0.0
    for task in shown:
        name = task.claim_id if len(task.claim_id) <= _MOST_NAME else f"{task.claim_id[: _MOST_NAME - 1]}…"
        parts.append(f'<text x="{_SIDE - 5:g}" y="{y + 11:.1f}">{Markup.escape(name)}</text>')
        parts += _lanes(task, _SIDE, _WIDE - 2 * _SIDE, y + _NAME)
        y += _NAME + _LANE * len(task.groups) + _BETWEEN
    parts += [
        f'<text x="{_SIDE + (_WIDE - 2 * _SIDE) * part:.1f}" y="{y + 10:g}" text-anchor="middle">{part:g}</text>'
        for part in (0, 0.25, 0.5, 0.75, 1)
    ]
    return _picture(parts, _WIDE, y + _BOTTOM - 8, f"rewards of reference, lazy and cheat at {len(shown)} tasks")


def _lanes(task: TaskStatistics, left: float, wide: float, top: float) -> list[str]:
    """A line from 0 to 1 for each kind of agent, with its mean as a dot and a bar from its least to its most."""
    parts = []
    for number, one in enumerate(task.groups):
        y = top + _LANE * (number + 0.5)
        tone, at = TONES[one.group], left + wide * one.mean
        low, high = left + wide * one.least, left + wide * one.most
        parts.append(f'<line x1="{left:g}" x2="{left + wide:g}" y1="{y:.1f}" y2="{y:.1f}"/>')
        parts.append(f'<line class="range {tone}" x1="{low:.1f}" x2="{high:.1f}" y1="{y:.1f}" y2="{y:.1f}"/>')
        parts.append(
            f'<circle class="{tone}" cx="{at:.1f}" cy="{y:.1f}" r="4"><title>{one.group}: {one.mean:.2f} on average, '
            f"{one.least:.2f} to {one.most:.2f}, {one.scored} attempts</title></circle>"
        )
    return parts


def _picture(parts: Sequence[str], wide: float, high: float, label: str, kind: str = "chart") -> Markup:
    told = f'viewBox="0 0 {wide:g} {high:g}" role="img" aria-label="{Markup.escape(label)}"'
    return Markup(f'<svg class="{kind}" {told}>{"".join(parts)}</svg>')  # noqa: S704 - numbers and escaped words alone
