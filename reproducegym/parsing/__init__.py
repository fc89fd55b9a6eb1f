"""Reads papers: PDF, Markdown and LaTeX, from files, archives, web addresses and arXiv."""

from reproducegym.parsing.backends import BACKENDS, parser_for
from reproducegym.parsing.markdown.parser import MarkdownParser
from reproducegym.parsing.pdf.parser import PymupdfParser

__all__ = ["BACKENDS", "MarkdownParser", "PymupdfParser", "parser_for"]
