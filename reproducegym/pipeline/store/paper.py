"""Everything kept about one paper; writers own a lock, and what a killed writer left is removed by the next one."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from reproducegym.errors import NotFoundError
from reproducegym.pipeline.directories import names, sweep
from reproducegym.pipeline.files import is_file
from reproducegym.pipeline.locks import locked
from reproducegym.pipeline.paper_id import is_paper_id
from reproducegym.pipeline.parse_files import RECORD
from reproducegym.pipeline.store.attempts import AttemptFiles
from reproducegym.pipeline.store.claims import ClaimFiles
from reproducegym.pipeline.store.parsed import ParsedFiles
from reproducegym.pipeline.store.tasks import TaskFiles

__all__ = ["PaperStore", "open_paper", "open_task", "papers"]


class PaperStore(ParsedFiles, ClaimFiles, TaskFiles, AttemptFiles):
    """Everything kept about one paper, below `<out>/<paper_id>`."""

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Own parse and build of this paper, with leftovers of killed runs removed.

        Raises:
            BusyError: another process owns it.
        """
        with locked(self._lock("build"), f"paper {self.paper_id}", wait=False):
            for directory in (self.root, *self._unit_directories()):
                sweep(directory)
            yield

    def _unit_directories(self) -> Iterator[Path]:
        extract = self.root / "01-extract"
        yield from (extract, extract / "claim_evidence", extract / "target_points", self.root / "02-spec")
        yield from (self.root / "03-task" / claim for claim in self.claims())


def papers(out: Path) -> tuple[str, ...]:
    """Ids of all parsed papers below a directory."""
    return tuple(name for name in names(out) if is_file(out / name / "00-parse" / RECORD))


def open_paper(path: Path) -> PaperStore:
    """The store of a parsed paper at `runs/<paper_id>`.

    Raises:
        NotFoundError: no parsed paper stands there; the message lists those beside it.
    """
    resolved = path.resolve()
    if not is_paper_id(resolved.name) or not is_file(resolved / "00-parse" / RECORD):
        inside = papers(resolved)
        if inside:
            raise NotFoundError(f"{path} holds papers and is none itself; name one of: {', '.join(inside)}")
        known = ", ".join(papers(resolved.parent)) or "none"
        raise NotFoundError(f"{path} is not a parsed paper (known there: {known}); run parse_paper.py first")
    return PaperStore(resolved.parent, resolved.name)


def open_task(directory: Path) -> tuple[PaperStore, str, str]:
    """Store, claim id and spec hash of a task directory `runs/<paper>/03-task/<claim_id>/<spec_hash>`.

    Raises:
        NotFoundError: it is not the task directory of a parsed paper.
    """
    resolved = directory.resolve()
    if not is_file(resolved / "data_entry.json") or len(resolved.parts) < 5 or resolved.parts[-3] != "03-task":
        raise NotFoundError(f"{directory} is not a task directory (runs/<paper>/03-task/<claim_id>/<spec_hash>)")
    return open_paper(resolved.parents[2]), resolved.parts[-2], resolved.parts[-1]
