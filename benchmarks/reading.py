"""The parser and the rules build against PyMuPDF's own Markdown reader: seconds a page, peak memory, right cells."""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pymupdf

from benchmarks.table_scores import Score, score_tables
from benchmarks.timing import Row, command, ended, paired
from reproducegym.pipeline.store import PaperStore

__all__ = ["rows"]

_PEER = "import sys, pymupdf4llm; pymupdf4llm.to_markdown(sys.argv[1])"
_CHILD = (
    "from reproducegym.parsing.guard import Limits, read_in_child; import reproducegym.parsing.pdf.parser, time;"
    "began = time.perf_counter(); read_in_child(lambda _: 0, '', Limits()); print(time.perf_counter() - began)"
)


def rows(papers: Sequence[Path], scratch: Path, gold: Path | None) -> list[Row]:
    """Every paper in a process of its own, ours and the peer in turn; `gold` holds papers whose cells are known."""
    ours, peer, build, sizes = [], [], [], []
    score = Score()
    for paper in papers:
        with pymupdf.open(paper) as document:
            sizes.append(document.page_count)
        out = ["--out", str(scratch), "--paper-id", paper.stem]
        ours.append(ended([sys.executable, "-m", "reproducegym", "parse", "--pdf", str(paper), *out]))
        peer.append(ended([sys.executable, "-c", _PEER, str(paper)]))
        build.append(ended([sys.executable, "-m", "reproducegym", "build", "--paper", str(scratch / paper.stem)]))
        known = gold / f"{paper.stem}.json" if gold is not None else None
        if known is not None and known.is_file():
            score += score_tables(PaperStore(scratch, paper.stem).read_paper().document, known.read_bytes())
    pages = sum(sizes)
    longest, size = max(zip((one.seconds for one in build), sizes, strict=True))
    ours_s, peer_s = sum(one.seconds for one in ours), sum(one.seconds for one in peer)
    ours_mib, peer_mib = max(one.peak_mib for one in ours), max(one.peak_mib for one in peer)
    child = float(subprocess.run([sys.executable, "-c", _CHILD], check=True, capture_output=True, text=True).stdout)
    return [
        Row(
            f"parse {pages} pages of {len(papers)} PDFs (against `pymupdf4llm.to_markdown`)",
            f"{ours_s / pages:.2f} s a page",
            f"{peer_s / pages:.2f} s a page",
            f"{ours_s / peer_s:.2f}",
        ),
        Row("peak memory of that", f"{ours_mib:.0f} MiB", f"{peer_mib:.0f} MiB", f"{ours_mib / peer_mib:.2f}"),
        Row("the child process in which a PDF is read: start and end", f"{1000 * child:.0f} ms", "–", "–"),
        *score.rows(),
        Row("rules build of the same papers", f"{sum(b.seconds for b in build) / len(build):.1f} s a paper", "–", "–"),
        Row(f"the longest of those builds, of {size} pages", f"{longest:.1f} s", "–", "–"),
        _build_again(scratch / papers[-1].stem),
        Row("peak memory of the build", f"{max(b.peak_mib for b in build):.0f} MiB", "–", "–"),
    ]


def _build_again(paper: Path) -> Row:
    """A build that has nothing to do, against an interpreter that loads the command line and no more."""
    again = command([sys.executable, "-m", "reproducegym", "build", "--paper", str(paper)])
    ours, floor, ratio = paired(again, command([sys.executable, "-m", "reproducegym", "--version"]), 9)
    what = "the same build again, with nothing to do (against `reproducegym --version`)"
    return Row(what, f"{1000 * ours:.0f} ms", f"{1000 * floor:.0f} ms", f"{ratio:.1f}")
