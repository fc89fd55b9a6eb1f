"""A badge: a small picture with the score."""

from ml_audit.outputs.number import tenths
from ml_audit.report import Report
from ml_audit.scoring import Risk

__all__ = ["badge"]

_COLOURS: dict[Risk, str] = {"LOW": "#2b7a3d", "MEDIUM": "#946300", "HIGH": "#b3261e"}
_LABEL = "reproducibility"
_WIDE = 6.6
"""Pixels of one character, at most, in the sans-serif fonts of browsers at 11 pixels."""

_SVG = """\
<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="20" role="img" aria-label="{title}">
<title>{title}</title>
<clipPath id="r"><rect width="{width}" height="20" rx="3"/></clipPath>
<g clip-path="url(#r)"><rect width="{left}" height="20" fill="#444c56"/>\
<rect x="{left}" width="{right}" height="20" fill="{colour}"/></g>
<g fill="#fff" text-anchor="middle" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">\
<text x="{label_at}" y="14">{label}</text><text x="{value_at}" y="14">{value}</text></g>
</svg>
"""


def badge(report: Report) -> str:
    """The score as an SVG picture, 20 pixels high. Names nothing of the repository."""
    value = f"{tenths(report.score)}/10"
    left, right = (round(len(text) * _WIDE) + 12 for text in (_LABEL, value))
    return _SVG.format(
        width=left + right,
        left=left,
        right=right,
        label=_LABEL,
        value=value,
        label_at=left / 2,
        value_at=left + right / 2,
        colour=_COLOURS[report.risk],
        title=f"{_LABEL}: {value}, {report.badge}",
    )
