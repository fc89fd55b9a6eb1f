"""Reads papers: PDF and Markdown, from files, URLs and arXiv."""

from reproducegym.parsing.markdown.parser import MarkdownParser
from reproducegym.parsing.pdf.parser import PymupdfParser
from reproducegym.parsing.sources import fetch_arxiv, fetch_url, read_file
from reproducegym.ports import Parser
from reproducegym.schema.paper import Source

__all__ = ["MarkdownParser", "PymupdfParser", "fetch_arxiv", "fetch_url", "parser_for", "read_file"]


def parser_for(source: Source) -> Parser:
    """The parser that reads this kind of source."""
    return MarkdownParser() if source.kind == "markdown" else PymupdfParser()
