"""Real papers take seconds to read: each is read once in a session, whichever tests look at it."""

import pickle
import resource
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from once import once

from reproducegym.errors import UnreadablePaperError
from reproducegym.parsing import PymupdfParser
from reproducegym.parsing.sources import read_pdf
from reproducegym.schema.paper import Parsed

__all__ = ["ReadOnce", "reader"]


@dataclass(frozen=True)
class ReadOnce:
    """What reading gave, or in words why it was refused; `seconds` of a processor that it took."""

    parsed: Parsed | None
    refused: str
    seconds: float


def reader(directory: Path) -> Callable[[Path], ReadOnce]:
    """Reads PDFs by the file's stem as their id, and keeps what came of it below a directory."""

    def read(path: Path) -> ReadOnce:
        kept = once(directory, f"{path.parent.name}-{path.name}", lambda place: _keep(path, place / "read"))
        read: ReadOnce = pickle.loads((kept / "read").read_bytes())
        return read

    return read


def _keep(path: Path, place: Path) -> None:
    parsed, refused, before = None, "", _processor_s()
    try:
        parsed = PymupdfParser().parse(read_pdf(path), path.stem)
    except UnreadablePaperError as error:
        refused = str(error)
    place.write_bytes(pickle.dumps(ReadOnce(parsed, refused, _processor_s() - before)))


def _processor_s() -> float:
    """Of this process and the children that it has seen end."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)
