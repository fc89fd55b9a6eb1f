"""Chooses the backend that reads a source: by name, or the one made for its kind."""

from reproducegym.errors import MisuseError
from reproducegym.parsing.bounded import BoundedParser
from reproducegym.ports import Parser
from reproducegym.schema.paper import Source

__all__ = ["BACKENDS", "parser_for"]

_READS = {"pymupdf": "pdf", "marker": "pdf", "markdown": "markdown", "latex": "latex"}
BACKENDS = tuple(_READS)
_SHOWN = {"pdf": "PDF", "markdown": "Markdown", "latex": "LaTeX"}


def parser_for(source: Source, backend: str | None = None) -> Parser:
    """The parser of that name; without one the parser for this kind of source.

    Raises:
        MisuseError: there is no such backend, or it reads another kind of source.
    """
    if backend is not None and backend not in _READS:
        raise MisuseError(f"--parser {backend}: unknown; known are auto, {', '.join(BACKENDS)}")
    chosen = backend or ("pymupdf" if source.kind == "pdf" else source.kind)
    if _READS[chosen] != source.kind:
        fitting = " or ".join(["auto", *(name for name, kind in _READS.items() if kind == source.kind)])
        raise MisuseError(
            f"--parser {chosen} reads {_SHOWN[_READS[chosen]]} and {source.origin} is {_SHOWN[source.kind]}; "
            f"use --parser {fitting}"
        )
    return _made(chosen)


def _made(backend: str) -> Parser:
    if backend == "marker":
        from reproducegym.parsing.marker.parser import MarkerParser

        return MarkerParser()
    if backend == "markdown":
        from reproducegym.parsing.markdown.parser import MarkdownParser

        return BoundedParser(MarkdownParser())
    if backend == "latex":
        from reproducegym.parsing.latex.parser import LatexParser

        return BoundedParser(LatexParser())
    from reproducegym.parsing.pdf.parser import PymupdfParser

    return PymupdfParser()
