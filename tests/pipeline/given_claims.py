"""Claims that are given instead of extracted, built as tasks of the paper that they are of."""

from pathlib import Path

from reproducegym.families.paper_claims import PaperClaims
from reproducegym.pipeline.build import build
from reproducegym.pipeline.config_file import load_config
from reproducegym.pipeline.parse import parse
from reproducegym.pipeline.store import PaperStore
from reproducegym.ports import ReadPaper
from reproducegym.schema.base import Frozen
from reproducegym.schema.claim import Candidate
from reproducegym.schema.paper import Parsed, Source
from reproducegym.schema.task import Manifest


class Given:
    """Proposes the claims that it was given, of a paper that it was given: extractor and parser at once."""

    name = "given"

    def __init__(self, source: ReadPaper, *claims: Candidate) -> None:
        self.source, self.claims = source, claims
        self.prompts: dict[str, str] = {}

    def extract(self, paper: ReadPaper) -> tuple[Candidate, ...]:
        return self.claims

    def records(self) -> dict[str, Frozen]:
        return {}

    def parse(self, source: Source, paper_id: str) -> Parsed:
        return Parsed(
            document=self.source.document,
            words=self.source.words,
            charts=self.source.charts,
            paper_md="# Bandits\n",
            figures={},
            parser=self.name,
            parser_version="1",
        )


def build_given(place: Path, given: Given) -> tuple[PaperStore, Manifest]:
    """Parse and build below a directory."""
    config = load_config(None)
    store = PaperStore(place, given.source.document.paper_id)
    parse(store, given, Source(kind="markdown", origin="paper.md", content=b"# Bandits\n"))
    family = PaperClaims((given,), config)
    asked = {"claim_ids": (), "max_claims": None, "refresh": False, "progress": lambda line: None}
    return store, build(store, family, config, **asked)
