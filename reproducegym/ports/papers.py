"""What reads a paper, and what finds claims in it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from reproducegym.ports.files import Files
from reproducegym.schema.base import Frozen
from reproducegym.schema.chart import Chart
from reproducegym.schema.claim import Candidate
from reproducegym.schema.paper import Document, PageWords, Parsed, Source

__all__ = ["Extractor", "Parser", "ReadPaper"]


class Parser(Protocol):
    """Reads one kind of source."""

    name: str

    def parse(self, source: Source, paper_id: str) -> Parsed:
        """Read a paper.

        Raises:
            UnreadablePaperError: it cannot be read; the message says why and what to do.
        """
        ...


@dataclass(frozen=True)
class ReadPaper:
    """A parsed paper as later stages read it back from `00-parse/`; `figures` holds the image files by name."""

    document: Document
    words: tuple[PageWords, ...]
    figures: Files = field(default_factory=dict)
    charts: tuple[Chart, ...] = ()


class Extractor(Protocol):
    """Proposes claims; what it proposes is trusted only after grounding.

    `prompts` holds the sha256 of each prompt that it asks with, by file name; none without a model.
    """

    name: str
    prompts: Mapping[str, str]

    def extract(self, paper: ReadPaper) -> tuple[Candidate, ...]:
        """All claims found, quantified or not, most important first; deterministic for the rules extractor."""
        ...

    def records(self) -> Mapping[str, Frozen]:
        """What it keeps of the last paper for people, as files of `01-extract/`."""
        ...
