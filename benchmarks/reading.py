"""The parser and the rules build: seconds a page and peak memory, against PyMuPDF's own Markdown reader."""

import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pymupdf

from benchmarks.timing import Row, child_peak_mib

__all__ = ["rows"]

_PEER = "import sys, pymupdf4llm; [pymupdf4llm.to_markdown(p) for p in sys.argv[1:]]"


def rows(papers: Sequence[Path], scratch: Path) -> list[Row]:
    """Every paper in a process of its own, ours and the peer in turn."""
    pages, ours, peer, build = 0, 0.0, 0.0, 0.0
    for paper in papers:
        with pymupdf.open(paper) as document:
            pages += document.page_count
        out = ["--out", str(scratch), "--paper-id", paper.stem]
        ours += _seconds([sys.executable, "-m", "reproducegym", "parse", "--pdf", str(paper), *out])
        build += _seconds([sys.executable, "-m", "reproducegym", "build", "--paper", str(scratch / paper.stem)])
    peak = child_peak_mib()
    for paper in papers:
        peer += _seconds([sys.executable, "-c", _PEER, str(paper)])
    return [
        Row(
            f"parse {len(papers)} papers, {pages} pages (against `pymupdf4llm.to_markdown`)",
            f"{ours / pages:.2f} s a page",
            f"{peer / pages:.2f} s a page",
            f"{ours / peer:.2f}",
        ),
        Row("rules build of the same papers", f"{build / len(papers):.1f} s a paper", "–", "–"),
        Row("peak memory of parse and build", f"{peak:.0f} MiB", "–", "–"),
    ]


def _seconds(argv: list[str]) -> float:
    began = time.perf_counter()
    subprocess.run(argv, check=True, capture_output=True)
    return time.perf_counter() - began
