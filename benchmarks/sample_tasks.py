"""Tasks of sample papers, straight from a PDF: parsed, extracted by the rules, compiled, none rendered."""

import hashlib
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from reproducegym.extraction.rules import RulesExtractor
from reproducegym.parsing.pdf.parser import PymupdfParser
from reproducegym.pipeline.assets.card import offered_assets
from reproducegym.pipeline.compiling.contract import contract_of
from reproducegym.pipeline.compiling.spec import compile_claim
from reproducegym.pipeline.config_file import load_config
from reproducegym.pipeline.hashing import claim_uid
from reproducegym.pipeline.proving.rehearsal import resists_memory
from reproducegym.pipeline.task import brief
from reproducegym.ports import ReadPaper
from reproducegym.schema.config import Config
from reproducegym.schema.contract import Contract
from reproducegym.schema.host_model import HostRecord
from reproducegym.schema.paper import Source
from reproducegym.schema.spec import ClaimSpec

__all__ = [
    "CONFIG",
    "SAMPLES",
    "SampleTask",
    "compiled",
    "files_digest",
    "host_record",
    "read_sample",
    "redrawn",
    "tasks_of",
]

SAMPLES = Path(__file__).resolve().parent.parent / "examples" / "papers"
_KEPT = SAMPLES.parent.parent / "build" / "redrawn"
CONFIG = load_config(None)


@dataclass(frozen=True)
class SampleTask:
    """One claim as its submissions meet it.

    `resistant` is what the manifest says: memory alone earns nothing. `places` says by name where its assets are.
    """

    spec: ClaimSpec
    contract: Contract
    input_files: dict[str, bytes]
    resistant: bool
    places: Mapping[str, Path]


Tasks = tuple[SampleTask, ...]


def tasks_of(paper: Path, pdf: bytes | None = None) -> Tasks:
    """Every claim of a sample paper, or of another PDF of it, that compiles, in the order of the text.

    The paper's directory `data`, where there is one, is offered under the name of its file of labels.
    """
    read = read_sample((paper / "paper.pdf").read_bytes() if pdf is None else pdf, paper.name)
    places = {path.stem: path.parent for path in sorted(paper.glob("data/*.csv"))}
    return compiled(read, CONFIG, places, host_record(paper))


def read_sample(pdf: bytes, paper_id: str) -> ReadPaper:
    """A paper as the compiler reads it."""
    parsed = PymupdfParser().parse(Source(kind="pdf", origin="paper.pdf", content=pdf), paper_id)
    return ReadPaper(parsed.document, parsed.words, parsed.figures, parsed.charts)


def compiled(
    paper: ReadPaper,
    config: Config,
    places: Mapping[str, Path] = MappingProxyType({}),
    host: HostRecord | None = None,
) -> Tasks:
    """Every claim that compiles under a configuration, with these assets offered, and what a host model measured."""
    offered = offered_assets(places)
    truths = {} if host is None else {one.claim_uid: one for one in host.truths}
    outcomes = [
        compile_claim(paper, one, config, offered, truths.get(claim_uid(paper.document.paper_id, one)))
        for one in RulesExtractor().extract(paper)
    ]
    return tuple(_task(one, paper, places) for one in outcomes if isinstance(one, ClaimSpec))


def _task(spec: ClaimSpec, paper: ReadPaper, places: Mapping[str, Path]) -> SampleTask:
    contract = contract_of(spec)
    files = brief(spec, paper, "none", float(CONFIG.verification.max_hours))
    used = {asset.name: places[asset.name] for asset in spec.assets}
    return SampleTask(spec, contract, files, resists_memory(spec, contract), used)


def host_record(paper: Path) -> HostRecord | None:
    """What the host model of a sample paper measured, where it has one: `host_truth.json`, made by a build with it."""
    kept = paper / "host_truth.json"
    return HostRecord.from_json(kept.read_bytes()) if kept.exists() else None


def redrawn(paper: Path, first_seed: int) -> bytes:
    """A sample paper after all its experiments ran under other seeds; kept in `build/redrawn` for the next time."""
    made_of = [files_digest(root) for root in (paper / "experiments", paper / "paper", SAMPLES / "typesetting")]
    key = hashlib.sha256("".join(made_of).encode()).hexdigest()[:16]
    out = _KEPT / f"{paper.name}.{key}" / str(first_seed)
    if not (out / "paper.pdf").exists():
        argv = [sys.executable, str(paper / "build.py"), "--first-seed", str(first_seed), "--out", str(out)]
        subprocess.run(argv, check=True, capture_output=True)
    return (out / "paper.pdf").read_bytes()


def files_digest(root: Path) -> str:
    """One digest over the names and contents of all files below a directory, but compiled ones."""
    files = sorted(path for path in root.rglob("*") if path.is_file() and path.suffix != ".pyc")
    told = [f"{path.relative_to(root)} {hashlib.sha256(path.read_bytes()).hexdigest()}" for path in files]
    return hashlib.sha256("\n".join(told).encode()).hexdigest()
