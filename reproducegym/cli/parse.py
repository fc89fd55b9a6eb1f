"""`reproducegym parse`: a PDF, Markdown file, URL or arXiv id becomes `runs/<paper_id>/00-parse/`."""

import re
from pathlib import Path, PurePosixPath
from typing import Annotated
from urllib.parse import urlsplit

import typer

from reproducegym.cli import wiring
from reproducegym.cli.options import AsJson
from reproducegym.cli.voice import answer, counted, say, warn
from reproducegym.errors import MisuseError
from reproducegym.pipeline.parse import parse as parse_into
from reproducegym.pipeline.store import PaperStore
from reproducegym.schema.paper import Source

__all__ = ["parse"]


def parse(
    pdf: Annotated[Path | None, typer.Option("--pdf", help="A PDF file.", readable=False, show_default=False)] = None,
    md: Annotated[
        Path | None, typer.Option("--md", help="A Markdown file.", readable=False, show_default=False)
    ] = None,
    url: Annotated[str | None, typer.Option("--url", help="Where a PDF can be fetched.", show_default=False)] = None,
    arxiv: Annotated[str | None, typer.Option("--arxiv", help="An arXiv id.", show_default=False)] = None,
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
    as_json: AsJson = False,
) -> None:
    """Read a paper: sections, sentences, tables and figures, each with its page and box.

    Example: reproducegym parse --pdf examples/papers/optimism-small-budgets/paper.pdf
    """
    given = [name for name, value in (("--pdf", pdf), ("--md", md), ("--url", url), ("--arxiv", arxiv)) if value]
    if len(given) != 1:
        raise MisuseError(f"give one of --pdf, --md, --url, --arxiv; given: {', '.join(given) or 'none'}")
    store = PaperStore(out, paper_id if paper_id is not None else _default_id(pdf or md, url or arxiv or ""))
    source = _source(pdf, md, url, arxiv)
    document = parse_into(store, wiring.parser(source), source, licence=licence)
    record = store.parse_record()
    for warning in document.warnings:
        warn(warning)
    if as_json:
        answer(
            {
                "paper_id": store.paper_id,
                "paper_dir": str(store.root),
                "title": document.title,
                "sha256": record.sha256,
                "licence": record.licence,
                "pages": record.pages,
                "tables": record.tables,
                "figures": record.figures,
                "warnings": list(document.warnings),
            }
        )
    counts = ((record.pages, "page"), (record.tables, "table"), (record.figures, "figure"))
    named = f"“{document.title}”" if document.title else "a paper without a title"
    say(f"parsed {named}: {', '.join(counted(*one) for one in counts)}")
    say(f"next: reproducegym build --paper {store.root}")


def _source(pdf: Path | None, md: Path | None, url: str | None, arxiv: str | None) -> Source:
    from reproducegym.parsing.sources import fetch_arxiv, fetch_url, read_file

    if pdf is not None:
        return Source(kind="pdf", origin=pdf.name, content=read_file(pdf).content)
    if md is not None:
        return Source(kind="markdown", origin=md.name, content=read_file(md).content)
    return fetch_url(url) if url is not None else fetch_arxiv(arxiv or "")


def _default_id(path: Path | None, address: str) -> str:
    """A directory name from the file's name (its directory's for `paper.pdf`), the URL's last part or the arXiv id.

    Raises:
        MisuseError: nothing usable is in it.
    """
    if path is not None:
        resolved = path.resolve()
        stem = resolved.parent.name if resolved.stem == "paper" else resolved.stem
    else:
        stem = PurePosixPath(urlsplit(address).path).name.removesuffix(".pdf").removesuffix(".md")
    slug = re.sub(r"[^a-z0-9.]+", "-", stem.lower()).strip("-.")[:80]
    if not slug:
        raise MisuseError(f"no paper id can be made from {stem!r}; give one with --paper-id")
    return slug
