"""The files of `00-parse/`: how a parsed paper is kept, and that what is read back is what was parsed."""

from collections.abc import Callable, Mapping

from pydantic import TypeAdapter, ValidationError

from reproducegym.errors import SchemaError, TamperedError
from reproducegym.ports import Files, ReadPaper
from reproducegym.schema.base import digest
from reproducegym.schema.chart import Charts
from reproducegym.schema.evidence import FigureIndex
from reproducegym.schema.paper import Document, PageWords, ParseRecord
from reproducegym.schema.reading import read_json

__all__ = ["AGAIN", "RECORD", "RecordOf", "paper_of", "parse_files"]

RECORD = "parse.json"
AGAIN = "parse it again"
RecordOf = Callable[[Mapping[str, str]], ParseRecord]
"""Makes the record of a parse from the digests of its files."""
_FIGURES = "figures/"
_WORDS: TypeAdapter[tuple[PageWords, ...]] = TypeAdapter(tuple[PageWords, ...])


def parse_files(record_of: RecordOf, paper: ReadPaper, paper_md: str, index: FigureIndex) -> Files:
    """Every file of a parse, by its name in `00-parse/`; the record holds the digests of the others."""
    files = {
        "document.json": paper.document.to_json().encode(),
        "words.json": _WORDS.dump_json(paper.words) + b"\n",
        "paper.md": paper_md.encode(),
        "figures.index.json": index.to_json().encode(),
        "charts.json": _charts(paper).to_json().encode(),
        **{f"{_FIGURES}{name}": image for name, image in paper.figures.items()},
    }
    record = record_of({name: digest(files[name]) for name in sorted(files)})
    return {**files, RECORD: record.to_json().encode()}


def paper_of(record: ParseRecord, files: Files, directory: str) -> ReadPaper:
    """The parsed paper of the files that its record names; files that it does not name are nobody's evidence.

    Raises:
        TamperedError: a file is missing or is not the one that was written; the message names it.
        SchemaError: a file does not fit.
    """
    for name, written in record.files.items():
        if name not in files:
            raise TamperedError(f"{directory}/{name} is missing; {AGAIN}")
        if digest(files[name]) != written:
            raise TamperedError(f"{directory}/{name} was changed: its digest differs from that in {RECORD}; {AGAIN}")
    try:
        words = _WORDS.validate_json(files["words.json"])
    except ValidationError as error:
        raise SchemaError(f"{directory}/words.json does not fit: {error.errors()[0]['msg']}; {AGAIN}") from error
    return ReadPaper(
        read_json(Document, files["document.json"], f"{directory}/document.json", advice=AGAIN, sealed=True),
        words,
        {name.removeprefix(_FIGURES): files[name] for name in record.files if name.startswith(_FIGURES)},
        read_json(Charts, files["charts.json"], f"{directory}/charts.json", advice=AGAIN, sealed=True).charts,
    )


def _charts(paper: ReadPaper) -> Charts:
    return Charts(schema_version=1, paper_id=paper.document.paper_id, charts=paper.charts)
