"""Draws Figure 1 as a vector PDF whose text stays text."""

import io
from collections.abc import Sequence

import matplotlib as mpl
from matplotlib.figure import Figure
from results import Results

__all__ = ["draw_curves"]

STYLE = {
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
COLOURS = ("#888888", "#8c564b", "#1f77b4", "#d62728", "#2ca02c")
NO_DATES = {"CreationDate": None, "ModDate": None, "Creator": None, "Producer": None}


def draw_curves(results: Results, methods: Sequence[str]) -> bytes:
    """Two panels: optimal pulls over steps, and return over episodes."""
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(6.9, 2.25), layout="constrained")
        bandit, chain = figure.subplots(1, 2)
        for axes, environment in ((bandit, "bandit"), (chain, "chain")):
            for method, colour in zip(methods, COLOURS, strict=True):
                xs, ys = zip(*results[environment][method].curve, strict=True)
                axes.plot(xs, ys, label=method, color=colour)
        bandit.set(
            title="(a) Ten-armed bandit", xlabel="Step", ylabel="Optimal pulls (%)", xlim=(0, 505), ylim=(0, 100)
        )
        chain.set(title="(b) Chain", xlabel="Episode", ylabel="Return", xlim=(0, 101), ylim=(0, 5.5))
        chain.legend(loc="center left", bbox_to_anchor=(1.01, 0.5))
        out = io.BytesIO()
        figure.savefig(out, format="pdf", metadata=NO_DATES)
    return out.getvalue()
