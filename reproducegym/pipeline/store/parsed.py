"""`00-parse/` and `overlay/`: a parsed paper as one unit."""

from reproducegym.errors import SchemaError
from reproducegym.pipeline.directories import read_tree, remove_tree, write_tree
from reproducegym.pipeline.parse_files import AGAIN, RECORD, RecordOf, paper_of, parse_files
from reproducegym.pipeline.store.folder import PaperFolder
from reproducegym.ports import Files, ReadPaper
from reproducegym.schema.base import digest
from reproducegym.schema.evidence import FigureIndex
from reproducegym.schema.paper import ParseRecord

__all__ = ["ParsedFiles"]


class ParsedFiles(PaperFolder):
    """What was read of the paper."""

    def write_parse(self, record_of: RecordOf, paper: ReadPaper, paper_md: str, index: FigureIndex) -> None:
        """Keep a parsed paper as one unit, with the digests of its files in the record.

        Raises:
            StorageError: it cannot be written.
        """
        write_tree(self.root / "00-parse", parse_files(record_of, paper, paper_md, index))

    def has_parse(self) -> bool:
        """Whether a whole parse stands here."""
        return (self.root / "00-parse" / RECORD).is_file()

    def parse_record(self) -> ParseRecord:
        """What was parsed, with what.

        Raises:
            NotFoundError: the paper is unknown.
            SchemaError: the file does not fit, or is of another paper.
        """
        record = self._json(ParseRecord, f"00-parse/{RECORD}", AGAIN)
        if record.paper_id != self.paper_id:
            path = self.root / "00-parse" / RECORD
            raise SchemaError(f"{path}: $.paper_id: {record.paper_id!r} is not {self.paper_id!r}; {AGAIN}")
        return record

    def read_paper(self) -> ReadPaper:
        """The parsed paper as later stages want it: document, witness words, images.

        Raises:
            NotFoundError: the paper is unknown.
            TamperedError, SchemaError: a file is not the one that was parsed, or does not fit.
        """
        directory = self.root / "00-parse"
        return paper_of(self.parse_record(), read_tree(directory), str(directory))

    def parse_digest(self) -> str:
        """sha256 of the record of the parse, which holds the digests of all its files.

        Raises:
            NotFoundError: the paper is unknown.
        """
        return digest(self._bytes(f"00-parse/{RECORD}"))

    def has_whole_parse(self) -> bool:
        """Whether every file of the parse is the one that was written.

        Raises:
            NotFoundError, SchemaError: as `parse_record`.
        """
        files = read_tree(self.root / "00-parse")
        return all(
            name in files and digest(files[name]) == written for name, written in self.parse_record().files.items()
        )

    def write_overlay(self, images: Files) -> None:
        """Keep the page images on which it is drawn what was read; outside of `00-parse/`, for people alone.

        Raises:
            StorageError: it cannot be written.
        """
        write_tree(self.root / "overlay", images)

    def remove_overlay(self) -> None:
        """Remove the page images of an earlier parse, which say nothing about the next one.

        Raises:
            StorageError: they cannot be removed.
        """
        remove_tree(self.root / "overlay")
