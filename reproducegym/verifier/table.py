"""Reads one metrics.csv strictly: whatever bytes come, the result is rows of numbers or one named problem."""

import codecs
import re
import sys
from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from operator import lt

from reproducegym.verifier.contract import Contract

__all__ = ["Problem", "Rows", "Sample", "Table", "read_table"]

MAX_LINE = 4096
MAX_COMMENT = 200
_BLOCK = 1 << 16
"""So many bytes, and the rest of the line, are taken at once."""
_TEXT = rb'([^,"\r\n]{0,%d})'
_NUMBER = rb"([+-]?(?:[0-9]{1,40}(?:\.[0-9]{0,40})?|\.[0-9]{1,40})(?:[eE][+-]?[0-9]{1,3})?)"
_SEED = rb"([0-9]{1,18})"


@dataclass(frozen=True)
class Problem:
    """Why a submission is no measurement: a stable code, and the place where it was seen."""

    code: str
    place: str

    def __str__(self) -> str:
        return f"{self.code}:{self.place}" if self.place else self.code

    def within(self, place: str) -> "Problem":
        """The same problem, seen from outside."""
        return Problem(self.code, f"{place}, {self.place}" if self.place else place)


@dataclass(frozen=True)
class Rows:
    """The rows of one condition under one seed, in order of step; `steps` is empty where the contract has none."""

    steps: "array[float]"
    columns: Mapping[str, "array[float]"]


Sample = Mapping[str, Rows]
"""Canonical condition label → its rows, under one seed."""

Table = Mapping[int, Sample]
"""Seed → sample, seeds in ascending order."""


class _TableError(Exception):
    """Carries a problem from where it is found to `read_table`, and no further."""

    def __init__(self, code: str, place: str = "") -> None:
        super().__init__(code)
        self.problem = Problem(code, place)


@dataclass(frozen=True)
class _Field:
    """A numeric column of the file: its place in a row, and its inclusive bounds."""

    name: str
    index: int
    low: float
    high: float


def read_table(data: bytes, contract: Contract, labels: Mapping[str, str], *, seed: int | None) -> Table | Problem:
    """Read a metrics.csv.

    `labels` maps each label that the file must use to its condition. With `seed` the file is one run's, and a seed
    column is refused; without, the file has a seed column and `contract.seeds` distinct seeds. Order of columns and
    of rows means nothing. Lines end in LF or CRLF. A free-text column `comment` is allowed and ignored.
    """
    try:
        start = _check_bytes(data, contract)
        header = _header(data[: start or len(data)], contract, seed_column=seed is None)
        return _Reader(contract, labels, seed, header).read(data, start or len(data))
    except _TableError as error:
        return error.problem


def _check_bytes(data: bytes, contract: Contract) -> int:
    """Refuse what is no text of bounded size; returns where the second line starts, 0 if there is none."""
    if not data:
        raise _TableError("empty_file")
    if len(data) > contract.limits.max_bytes:
        raise _TableError("too_large", f"{len(data)} bytes")
    if data.startswith(codecs.BOM_UTF8):
        raise _TableError("byte_order_mark")
    if b"\0" in data:
        raise _TableError("nul_byte", f"byte {data.index(0)}")
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        for start in range(0, len(data), 1 << 20):
            decoder.decode(data[start : start + (1 << 20)])
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        raise _TableError("not_utf8") from None
    if data.count(b"\n") - data.endswith(b"\n") > contract.limits.max_rows:
        raise _TableError("too_many_rows")
    return data.find(b"\n") + 1


def _header(line: bytes, contract: Contract, *, seed_column: bool) -> list[str]:
    """The column names in order of the file."""
    if len(line) > MAX_LINE:
        raise _TableError("line_too_long", "header")
    names = line.decode().removesuffix("\n").removesuffix("\r").split(",")
    wanted = ["condition", *["step"] * contract.step_column, *["seed"] * seed_column]
    wanted += [column.name for column in contract.columns]
    for name in names:
        if name == "seed" and not seed_column:
            raise _TableError("seed_column")
        if name not in wanted and name != "comment":
            raise _TableError("unknown_column", ascii(name[:40]))
        if names.count(name) > 1:
            raise _TableError("duplicate_column", name)
    for name in wanted:
        if name not in names:
            raise _TableError("missing_column", name)
    return names


class _Reader:
    """Reads the rows below one header."""

    def __init__(self, contract: Contract, labels: Mapping[str, str], seed: int | None, header: Sequence[str]) -> None:
        self._contract = contract
        self._labels = {label.encode(): condition for label, condition in labels.items()}
        self._seed = seed
        self._header = header
        texts = {"condition": _TEXT % 128, "comment": _TEXT % MAX_COMMENT, "seed": _SEED}
        self._cells = [re.compile(texts.get(name, _NUMBER)) for name in header]
        self._row = re.compile(rb"(?m)^" + b",".join(cell.pattern for cell in self._cells) + rb"(?:\r?\n|\r?\Z)")
        top = sys.float_info.max
        self._fields = [_Field("step", header.index("step"), 0, top)] if contract.step_column else []
        for column in contract.columns:
            low, high = column.range
            bounds = (-top if low is None else low, top if high is None else high)
            self._fields.append(_Field(column.name, header.index(column.name), *bounds))
        self._key = [header.index(name) for name in ("condition", "seed") if name in header]
        self._groups: dict[tuple[int, str], list[array[float]]] = {}
        self._arrays: dict[tuple[bytes, ...], list[array[float]]] = {}

    def read(self, data: bytes, start: int) -> Table:
        """All rows, grouped and ordered, complete for every seed and condition."""
        number = 0
        while start < len(data):
            block = data[start : data.find(b"\n", start + _BLOCK) + 1 or len(data)]
            number += self._take(block, number)
            start += len(block)
        return self._complete()

    def _take(self, block: bytes, number: int) -> int:
        """Take all lines of a block at once, after so many rows; returns how many they are."""
        rows = self._row.findall(block)
        if len(rows) != block.count(b"\n") + (not block.endswith(b"\n")):
            raise self._amiss(block, number)
        cells = list(zip(*rows, strict=True))
        columns = [list(map(float, cells[field.index])) for field in self._fields]
        if any(
            min(column) < field.low or max(column) > field.high
            for field, column in zip(self._fields, columns, strict=True)
        ):
            raise self._amiss(block, number)
        labels = [cells[index] for index in self._key]
        if all(column.count(column[0]) == len(rows) for column in labels):
            own = self._arrays_of(tuple(column[0] for column in labels), number + 1)
            for values, column in zip(own, columns, strict=True):
                values.extend(column)
            return len(rows)
        keys = list(zip(*labels, strict=True))
        arrays = {key: self._arrays_of(key, number + 1 + keys.index(key)) for key in dict.fromkeys(keys)}
        for place, column in enumerate(columns):
            append = {key: into[place].append for key, into in arrays.items()}
            for key, value in zip(keys, column, strict=True):
                append[key](value)
        return len(rows)

    def _amiss(self, block: bytes, number: int) -> _TableError:
        """What is wrong with the first bad row of a block, after so many rows."""
        start = 0
        while (match := self._row.match(block, start)) is not None:
            start, number, cells = match.end(), number + 1, match.groups()
            self._arrays_of(tuple([cells[index] for index in self._key]), number)
            for field in self._fields:
                if not field.low <= float(cells[field.index]) <= field.high:
                    return _TableError("out_of_range", self._place(number, field.index))
        return self._explain(block, start, number + 1)

    def _arrays_of(self, key: tuple[bytes, ...], number: int) -> "list[array[float]]":
        """Where the numbers of rows with this label (and seed) go, one array for each field."""
        if key not in self._arrays:
            condition = self._labels.get(key[0])
            if condition is None:
                raise _TableError("unknown_condition", f"row {number}")
            seed = int(key[1]) if self._seed is None else self._seed
            seeds = {known for known, _ in self._groups} | {seed}
            if self._seed is None and len(seeds) > self._contract.seeds:
                raise _TableError("too_many_seeds", f"row {number}")
            self._arrays[key] = self._groups.setdefault((seed, condition), [array("d") for _ in self._fields])
        return self._arrays[key]

    def _place(self, number: int, index: int) -> str:
        return f"row {number}, column {self._header[index]}"

    def _explain(self, data: bytes, start: int, number: int) -> _TableError:
        """What is wrong with the line that starts here."""
        end = data.find(b"\n", start)
        line = data[start : len(data) if end < 0 else end]
        if len(line) > MAX_LINE:
            return _TableError("line_too_long", f"row {number}")
        cells = line.removesuffix(b"\r").split(b",")
        if len(cells) != len(self._cells):
            return _TableError("wrong_cell_count", f"row {number}")
        bad = [index for index, cell in enumerate(cells) if not self._cells[index].fullmatch(cell)]
        return _TableError("bad_cell", self._place(number, bad[0]))

    def _complete(self) -> Table:
        seeds = sorted({seed for seed, _ in self._groups}) if self._seed is None else [self._seed]
        if self._seed is None and len(seeds) < self._contract.seeds:
            raise _TableError("too_few_seeds", f"{len(seeds)} of {self._contract.seeds}")
        return {seed: {name: self._rows(seed, name) for name in sorted(self._labels.values())} for seed in seeds}

    def _rows(self, seed: int, condition: str) -> Rows:
        place = f"condition {condition}" + (f", seed {seed}" if self._seed is None else "")
        arrays = self._groups.get((seed, condition))
        if arrays is None:
            raise _TableError("missing_condition", place)
        names = [field.name for field in self._fields]
        if not self._contract.step_column:
            if len(arrays[0]) > 1:
                raise _TableError("duplicate_row", place)
            return Rows(array("d"), dict(zip(names, arrays, strict=True)))
        if len(arrays[0]) < self._contract.min_rows_per_condition:
            raise _TableError("too_few_rows", place)
        steps, *columns = _by_step(arrays)
        for before, after in pairwise(steps):
            if before == after:
                raise _TableError("duplicate_row", f"{place}, step {before:g}")
        return Rows(steps, dict(zip(names[1:], columns, strict=True)))


def _by_step(arrays: "list[array[float]]") -> "list[array[float]]":
    """The same rows in ascending order of the first array; ties keep their order (they are refused later)."""
    steps = arrays[0]
    if all(map(lt, steps, steps[1:])):
        return arrays
    order = sorted(range(len(steps)), key=steps.__getitem__)
    return [array("d", map(values.__getitem__, order)) for values in arrays]
