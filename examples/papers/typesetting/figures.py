"""The style of the papers' figures: vector PDFs whose text stays text, the same bytes every time."""

import io
from collections.abc import Iterator
from contextlib import contextmanager

import matplotlib as mpl
from matplotlib.figure import Figure

__all__ = ["COLOURS", "WIDE", "figure_style", "vector_pdf"]

COLOURS = ("#888888", "#8c564b", "#1f77b4", "#d62728", "#2ca02c")
WIDE = 6.9
"""Inches between the margins of a page, over both columns; a figure in one column is 3.3 wide."""
_STYLE = {
    "font.family": "STIXGeneral",
    "font.size": 8,
    "mathtext.fontset": "stix",
    "axes.linewidth": 0.6,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "lines.linewidth": 1.1,
    "legend.frameon": False,
    "pdf.fonttype": 42,
    "pdf.compression": 0,  # the same bytes with every zlib
}
_NO_DATES = {"CreationDate": None, "ModDate": None, "Creator": None, "Producer": None}


@contextmanager
def figure_style() -> Iterator[None]:
    """Everything about a figure, its saving too, happens inside."""
    with mpl.rc_context(_STYLE):
        yield


def vector_pdf(figure: Figure) -> bytes:
    """A figure as PDF, without dates."""
    out = io.BytesIO()
    figure.savefig(out, format="pdf", metadata=_NO_DATES)
    return out.getvalue()
