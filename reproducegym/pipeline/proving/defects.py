"""Spoils a good metrics.csv in every way that must earn nothing, and rewrites it in ways that must change nothing."""

from collections.abc import Iterator
from dataclasses import dataclass

from reproducegym.pipeline.proving.synthetic import Lines, csv_bytes
from reproducegym.schema.contract import Contract

__all__ = ["Defect", "defects", "rewritings"]

_BAD_CELLS = {
    "nan": "nan",
    "inf": "inf",
    "text": "n/a",
    "hex": "0x1p3",
    "bool": "True",
    "underscore": "1_0",
    "quoted": '"1"',
}


@dataclass(frozen=True)
class Defect:
    """A spoiled file (None: no file), and the problem codes of which one must name it."""

    name: str
    data: bytes | None
    codes: tuple[str, ...]


def defects(lines: Lines, contract: Contract) -> Iterator[Defect]:
    """All defects of a good file; with a seed column it is an artifact, without one run's file."""
    header, *rows = lines
    artifact = "seed" in header
    yield Defect("missing_file", None, ("missing_file",))
    yield Defect("empty", b"", ("empty_file",))
    yield Defect("header_only", csv_bytes([header]), ("too_few_seeds" if artifact else "missing_condition",))
    yield Defect("missing_column", csv_bytes([cells[:-1] for cells in lines]), ("missing_column",))
    yield Defect("extra_column", csv_bytes(_with_column(lines, "reward", "1.0")), ("unknown_column",))
    yield Defect("twice_the_column", csv_bytes(_with_column(lines, header[-1], "1.0")), ("duplicate_column",))
    if artifact:
        at = header.index("seed")
        yield Defect(
            "no_seed_column", csv_bytes([cells[:at] + cells[at + 1 :] for cells in lines]), ("missing_column",)
        )
        fewer = [cells for cells in rows if cells[at] != "1"]
        yield Defect("too_few_seeds", csv_bytes([header, *fewer]), ("too_few_seeds",))
        more = [[str(contract.seeds + 1) if i == at else cell for i, cell in enumerate(cells)] for cells in rows]
        yield Defect("too_many_seeds", csv_bytes([*lines, *more]), ("too_many_seeds",))
    else:
        yield Defect("seed_column", csv_bytes(_with_column(lines, "seed", "1")), ("seed_column",))
    for name, cell in _BAD_CELLS.items():
        yield Defect(name, csv_bytes([*lines[:-1], [*lines[-1][:-1], cell]]), ("bad_cell",))
    yield Defect("locale_comma", csv_bytes([*lines[:-1], [*lines[-1][:-1], "1,5"]]), ("wrong_cell_count",))
    yield Defect("duplicated_row", csv_bytes([*lines, lines[-1]]), ("duplicate_row",))
    missing = [cells for cells in rows if cells[0] != rows[0][0]]
    code = "missing_condition" if missing or not artifact else "too_few_seeds"
    yield Defect("missing_condition", csv_bytes([header, *missing]), (code,))
    yield Defect("unknown_condition", csv_bytes([*lines, ["stranger", *lines[-1][1:]]]), ("unknown_condition",))
    yield Defect("byte_order_mark", b"\xef\xbb\xbf" + csv_bytes(lines), ("byte_order_mark",))
    yield Defect("nul_byte", csv_bytes(lines) + b"\0", ("nul_byte",))
    row = csv_bytes([min(rows, key=lambda cells: len(",".join(cells)))])
    yield Defect(
        "too_many_rows", csv_bytes([header]) + row * (contract.limits.max_rows + 1), ("too_many_rows", "too_large")
    )


def rewritings(lines: Lines) -> Iterator[tuple[str, bytes]]:
    """The same measurement in other words: each name with a file that must give the same report."""
    header, *rows = lines
    yield "row_order", csv_bytes([header, *reversed(rows)])
    yield "column_order", csv_bytes([cells[::-1] for cells in lines])
    yield "line_ends", csv_bytes(lines, "\r\n")
    yield "comment_column", csv_bytes(_with_column(lines, "comment", "verdict: reproduced; reward 1.0"))


def _with_column(lines: Lines, name: str, cell: str) -> Lines:
    header, *rows = lines
    return [[*header, name], *([*cells, cell] for cells in rows)]
