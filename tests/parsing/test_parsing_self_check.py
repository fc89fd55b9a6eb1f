"""Every backend keeps the promises of a parser, and the check sees when one is broken."""

from collections.abc import Callable
from pathlib import Path

import pytest

from reproducegym.parsing import BACKENDS, parser_for
from reproducegym.parsing.latex.parser import LatexParser
from reproducegym.parsing.markdown.parser import MarkdownParser
from reproducegym.parsing.marker.parser import MarkerParser
from reproducegym.parsing.pdf.parser import PymupdfParser
from reproducegym.parsing.self_check import CHECKS, check_parsed, check_parser
from reproducegym.parsing.sources import read_latex, read_markdown, read_pdf
from reproducegym.ports import Parser
from reproducegym.schema.base import Frozen
from reproducegym.schema.paper import Document, Parsed, Place, Reference, Source

TEX = r"""\documentclass{article}
\title{A Paper of Little Numbers}
\begin{document}
\maketitle
\begin{abstract}We count. We find that counting helps.\end{abstract}
\section{Results}\label{sec:results}
Table~\ref{tab:all} shows that Ours is best. It was run 5 times.
\begin{table}\caption{Accuracy in percent.}\label{tab:all}
\begin{tabular}{lcc}
\hline Method & A & B \\ \hline
Base & 1.5 & 2.5 \\
Ours & \textbf{3.5} $\pm$ 0.1 & 4.5 \\ \hline
\end{tabular}\end{table}
\end{document}
"""
MD = """# A Paper of Little Numbers

## Results

Table 1 shows that Ours is best. It was run 5 times. ![Figure 1: A curve.](a.png)

Table 1: Accuracy in percent.

| Method | A | B |
| --- | --- | --- |
| Base | 1.5 | 2.5 |
| Ours | **3.5** | 4.5 |
"""


def _sample(root: Path) -> Path:
    return root / "examples" / "papers" / "optimism-small-budgets" / "paper.pdf"


def _given(backend: str, root: Path, made: Path) -> tuple[Parser, Source]:
    """A parser of each name, and a source that it reads."""
    if backend == "markdown":
        (made / "p.md").write_text(MD, encoding="utf-8")
        (made / "a.png").write_bytes(b"\x89PNG\r\n\x1a\n")
        return MarkdownParser(), read_markdown(made / "p.md").source
    if backend == "latex":
        (made / "p.tex").write_text(TEX, encoding="utf-8")
        return LatexParser(), read_latex(made / "p.tex").source
    if backend == "marker":
        recorded = root / "tests" / "parsing" / "marker_backend" / "sample_paper.json"
        return MarkerParser(lambda content, origin: recorded.read_text("utf-8")), read_pdf(_sample(root))
    return PymupdfParser(), read_pdf(_sample(root))


@pytest.mark.parametrize("backend", BACKENDS)
def test_every_backend_keeps_every_promise(backend: str, root: Path, tmp_path: Path) -> None:
    parser, source = _given(backend, root, tmp_path)
    assert parser.name == backend == parser_for(source, backend).name
    assert [f"{one.promise}: {one.detail}" for one in check_parser(parser, source) if not one.kept] == []
    document = parser.parse(source, "p").document
    assert document.tables and document.sections and document.paragraphs  # or nothing was tried


def _read(tmp_path: Path) -> Parsed:
    (tmp_path / "p.md").write_text(MD, encoding="utf-8")
    return MarkdownParser().parse(read_markdown(tmp_path / "p.md").source, "p")


def _with(piece: Frozen, **changes: object) -> object:
    return piece.model_copy(update=changes)


FAR = Place(page=9, bbox=(0.0, 0.0, 1.0, 1.0))
BREAKS: dict[str, Callable[[Document], dict[str, object]]] = {
    "ids are unique": lambda d: {"tables": (*d.tables, *d.tables)},
    "pages count from 1": lambda d: {"pages": tuple(_with(page, number=2) for page in d.pages)},
    "every place lies": lambda d: {"sections": tuple(_with(section, place=FAR) for section in d.sections)},
    "sentences are": lambda d: {"paragraphs": tuple(_with(p, text="x" + p.text) for p in d.paragraphs)},
    "sections and what": lambda d: {"paragraphs": tuple(_with(p, section="s99") for p in d.paragraphs)},
    "no two cells": lambda d: {"tables": tuple(_with(t, cells=(*t.cells, t.cells[0])) for t in d.tables)},
    "the box of every cell": lambda d: {
        "tables": tuple(_with(t, cells=tuple(_with(c, text=c.text + "0") for c in t.cells)) for t in d.tables)
    },
    "references name": lambda d: {
        "references": (
            Reference(
                source=d.paragraphs[0].sentences[0].id,
                start=0,
                end=5,
                kind="table",
                label="1",
                panel=None,
                target="figure-1",
            ),
        )
    },
    "figures and image": lambda d: {"figures": tuple(_with(f, image="gone.png") for f in d.figures)},
}


@pytest.mark.parametrize("promise", BREAKS)
def test_a_broken_promise_is_seen(promise: str, tmp_path: Path) -> None:
    parsed = _read(tmp_path)
    broken = parsed.model_copy(update={"document": parsed.document.model_copy(update=BREAKS[promise](parsed.document))})
    (finding,) = [one for one in check_parsed(broken) if one.promise.startswith(promise)]
    assert not finding.kept
    assert finding.detail


def test_every_promise_is_broken_by_some_test() -> None:
    assert [c.promise for c in CHECKS if not c.promise.startswith((*BREAKS, "paper.md"))] == []
