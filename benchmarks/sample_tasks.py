"""Tasks of sample papers, straight from a PDF: parsed, extracted by the rules, compiled, none rendered."""

from dataclasses import dataclass
from pathlib import Path

from reproducegym.extraction.rules import RulesExtractor
from reproducegym.parsing.pdf.parser import PymupdfParser
from reproducegym.pipeline.compiling.spec import compile_claim, contract_of
from reproducegym.pipeline.config_file import load_config
from reproducegym.pipeline.proving.rehearsal import resists_memory
from reproducegym.pipeline.task import brief
from reproducegym.ports import ReadPaper
from reproducegym.schema.contract import Contract
from reproducegym.schema.paper import Source
from reproducegym.schema.spec import ClaimSpec

__all__ = ["SAMPLES", "SampleTask", "tasks_of"]

SAMPLES = Path(__file__).resolve().parent.parent / "examples" / "papers"
_CONFIG = load_config(None)


@dataclass(frozen=True)
class SampleTask:
    """One claim as its submissions meet it. `resistant` is what the manifest says: memory alone earns nothing."""

    spec: ClaimSpec
    contract: Contract
    input_files: dict[str, bytes]
    resistant: bool


def tasks_of(pdf: bytes, paper_id: str) -> tuple[SampleTask, ...]:
    """Every claim of a paper that compiles, in the order of the text."""
    parsed = PymupdfParser().parse(Source(kind="pdf", origin="paper.pdf", content=pdf), paper_id)
    paper = ReadPaper(parsed.document, parsed.words, parsed.figures, parsed.charts)
    outcomes = [compile_claim(paper, one, _CONFIG) for one in RulesExtractor().extract(paper)]
    return tuple(_task(one, paper) for one in outcomes if isinstance(one, ClaimSpec))


def _task(spec: ClaimSpec, paper: ReadPaper) -> SampleTask:
    contract = contract_of(spec)
    files = brief(spec, paper, "none", float(_CONFIG.verification.max_hours))
    return SampleTask(spec, contract, files, resists_memory(spec, contract))
