"""Where papers come from: files, directories, archives, web addresses and arXiv."""

from reproducegym.parsing.sources.arxiv import ARXIV_BASE, ArxivId, arxiv_id, arxiv_link, fetch_arxiv
from reproducegym.parsing.sources.file import read_markdown, read_pdf
from reproducegym.parsing.sources.gathered import Gathered
from reproducegym.parsing.sources.latex import read_latex
from reproducegym.parsing.sources.manners import Manners
from reproducegym.parsing.sources.web import fetch_url

__all__ = [
    "ARXIV_BASE",
    "ArxivId",
    "Gathered",
    "Manners",
    "arxiv_id",
    "arxiv_link",
    "fetch_arxiv",
    "fetch_url",
    "read_latex",
    "read_markdown",
    "read_pdf",
]
