"""`reproducegym parse`: a PDF, Markdown, LaTeX source, URL or arXiv id becomes `runs/<paper_id>/00-parse/`."""

import time
from pathlib import Path
from typing import Annotated

import typer

from reproducegym.cli import wiring
from reproducegym.cli.gather import Named, gather, paper_name
from reproducegym.cli.options import AsJson, ParserChoice
from reproducegym.cli.voice import answer, counted, say, warn
from reproducegym.pipeline.laps import Laps
from reproducegym.pipeline.parse import parse as parse_into
from reproducegym.pipeline.store import PaperStore

__all__ = ["parse"]


def parse(
    pdf: Annotated[Path | None, typer.Option("--pdf", help="A PDF file.", readable=False, show_default=False)] = None,
    md: Annotated[
        Path | None, typer.Option("--md", help="A Markdown file.", readable=False, show_default=False)
    ] = None,
    latex: Annotated[
        Path | None,
        typer.Option(
            "--latex", help="A LaTeX source: directory, .tar.gz, .zip or .tex.", readable=False, show_default=False
        ),
    ] = None,
    url: Annotated[str | None, typer.Option("--url", help="Where a PDF can be fetched.", show_default=False)] = None,
    arxiv: Annotated[
        str | None, typer.Option("--arxiv", help="An arXiv id, or a link to its page.", show_default=False)
    ] = None,
    parser: Annotated[
        ParserChoice, typer.Option("--parser", help="What reads the paper; auto goes by its kind.")
    ] = ParserChoice.AUTO,
    paper_id: Annotated[
        str | None, typer.Option("--paper-id", help="Name of the paper's directory.", show_default=False)
    ] = None,
    licence: Annotated[
        str | None,
        typer.Option(
            "--licence", help="Terms of the paper's text, e.g. CC-BY-4.0; the manifest tells them.", show_default=False
        ),
    ] = None,
    out: Annotated[Path, typer.Option("--out", help="Where papers are kept.", readable=False)] = Path("runs"),
    overlay: Annotated[bool, typer.Option("--overlay", help="Draw what was read on images of the pages.")] = False,
    as_json: AsJson = False,
) -> None:
    """Read a paper: sections, sentences, tables and figures, each with its page and box.

    Example: reproducegym parse --pdf examples/papers/optimism-small-budgets/paper.pdf
    """
    named = Named.of({"--pdf": pdf, "--md": md, "--latex": latex, "--url": url, "--arxiv": arxiv})
    store = PaperStore(out, paper_id if paper_id is not None else paper_name(named))
    gathered = gather(named)
    backend = wiring.parser(gathered.source, parser)
    draw = wiring.overlay(gathered.source) if overlay else None
    laps = Laps(time.perf_counter)
    with laps.step("parse"):
        document = parse_into(store, backend, gathered.source, licence=licence, warnings=gathered.warnings, draw=draw)
    for step, seconds in laps.seconds().items():
        store.add_timing({"stage": "parse", "step": step, "seconds": seconds})
    record = store.parse_record()
    if overlay:
        say(f"drawn: {store.root}/overlay")
    for warning in document.warnings:
        warn(warning)
    if as_json:
        answer(
            {
                "paper_id": store.paper_id,
                "paper_dir": str(store.root),
                "title": document.title,
                "sha256": record.sha256,
                "parser": record.parser,
                "licence": record.licence,
                "pages": record.pages,
                "tables": record.tables,
                "figures": record.figures,
                "warnings": list(document.warnings),
            }
        )
    counts = ((record.pages, "page"), (record.tables, "table"), (record.figures, "figure"))
    title = f"“{document.title}”" if document.title else "a paper without a title"
    say(f"parsed {title}: {', '.join(counted(*one) for one in counts)}")
    say(f"next: reproducegym build --paper {store.root}")
