"""Reads written sources, LaTeX and Markdown, in a child process: none stalls the program or takes all memory."""

from functools import partial

from reproducegym.parsing.guard import Limits, Progress, read_in_child
from reproducegym.ports import Parser
from reproducegym.schema.paper import Parsed, Source

__all__ = ["TEXT_ADVICE", "BoundedParser"]

TEXT_ADVICE = "give the paper's text alone, or its PDF"
_LIMITS = Limits()


class BoundedParser:
    """Another parser, held to limits."""

    def __init__(self, parser: Parser, limits: Limits = _LIMITS) -> None:
        self.name = parser.name
        self._parser = parser
        self._limits = limits

    def parse(self, source: Source, paper_id: str) -> Parsed:
        """What the parser reads.

        Raises:
            UnreadablePaperError: it cannot be read, or not within the limits.
        """
        return read_in_child(partial(self._read, source, paper_id), source.origin, self._limits, advice=TEXT_ADVICE)

    def _read(self, source: Source, paper_id: str, progress: Progress) -> Parsed:
        progress.at_whole()
        return self._parser.parse(source, paper_id)
