"""Reads the records of a directory back, whatever state a killed writer left them in."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from agent_trace.journal import SEGMENT
from agent_trace.record import Blob, Body, Inline, Record
from agent_trace.tree import Json, decoded

__all__ = ["Fault", "TornTail", "Trace", "UnreadableRecord", "read_body", "read_trace"]


@dataclass(frozen=True)
class TornTail:
    """A segment ends in the middle of a line: its writer was killed. The record is lost, all others are whole."""

    path: Path
    line: int


@dataclass(frozen=True)
class UnreadableRecord:
    """A whole line that is no record of this format; `why` says what did not fit, without the content."""

    path: Path
    line: int
    why: str


Fault = TornTail | UnreadableRecord


@dataclass(frozen=True)
class Trace:
    """All records of a directory in the order in which their requests began, and what could not be read."""

    directory: Path
    records: tuple[Record, ...]
    faults: tuple[Fault, ...]


def read_trace(directory: Path) -> Trace:
    """Read a directory of records.

    Raises:
        FileNotFoundError: no such directory, or no segment in it.
    """
    segments = sorted(directory.glob(SEGMENT))
    if not segments:
        raise FileNotFoundError(f"no {SEGMENT} in {directory}")
    records: list[Record] = []
    faults: list[Fault] = []
    for path in segments:
        for one in _read_segment(path):
            if isinstance(one, Record):
                records.append(one)
            else:
                faults.append(one)
    ordered = sorted(records, key=lambda record: (record.began, record.run, record.sequence))
    return Trace(directory, tuple(ordered), tuple(faults))


def read_body(body: Body | None, directory: Path) -> Json:
    """The JSON of a body, from its file where it is large; null for no body and for one that is no JSON."""
    if isinstance(body, Inline):
        value: Json = body.value
        return value
    if isinstance(body, Blob):
        try:
            return decoded((directory / body.path).read_bytes())
        except ValueError:
            return None
    return None


def _read_segment(path: Path) -> Iterator[Record | Fault]:
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            if not line.endswith(b"\n"):
                yield TornTail(path, number)
                continue
            try:
                yield Record.from_json(line)
            except ValidationError as error:
                first = error.errors(include_input=False, include_url=False)[0]
                where = ".".join(str(step) for step in first["loc"])
                yield UnreadableRecord(path, number, f"{where}: {first['msg']}" if where else first["msg"])
