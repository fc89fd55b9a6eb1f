"""Reads a list of findings strictly and matches it with what was to be found: any bytes give a table for the verifier.

As a program (`python3 -I -S findings.py DIRECTORY`) it prints the reward of `output/findings.csv` beside a task's
directory `reward/`, in which it stands with `audit.json`, `contract.json` and `check.py`.
"""

import json
import re
import runpy
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

__all__ = ["COLUMNS", "FINDINGS", "Defect", "Finding", "Place", "main", "measured"]

COLUMNS = ("credit", "surplus", "planted")
"""What findings earned, how many were wrong, how many defects there are."""
FINDINGS = "output/findings.csv"
MOST_BYTES = 200_000
MOST_ROWS = 2_000
_HEADER = b"rule,file,line"
_FINDING = re.compile(rb"([a-z0-9-]{1,64}),([^,\"\r\n\0]{1,400}),([0-9]{1,7})\r?")


class Place(NamedTuple):
    """Lines of a file where a finding is right; line 0 is the file as a whole, file `.` the repository."""

    file: str
    first_line: int
    last_line: int


class Defect(NamedTuple):
    """One thing that is to be found: the rule that is broken, and every place that names it rightly."""

    rule: str
    places: tuple[Place, ...]


class Finding(NamedTuple):
    """One row: which rule is broken, and where."""

    rule: str
    file: str
    line: int


class _FindingsError(Exception):
    """What is wrong with a file of findings, in words that fit a column's name."""


def measured(data: bytes, near: int, defects: Sequence[Defect], excused: Sequence[Defect]) -> bytes:
    """The metrics.csv of a findings file: one row of `COLUMNS` under condition `repository` and seed 0.

    The file is CSV without quotes: the header `rule,file,line`, then a row for each finding; a header alone says that
    nothing was found. Each defect goes with one finding at most, so that the whole earns most: 1 for rule, file and
    line (`near` lines off are near enough), a half for rule and file. Every other finding is surplus, unless it names
    something that is `excused`. Of a file that is no such list the table has one column, whose name says what is wrong.
    """
    try:
        found = list(_rows(data))
    except _FindingsError as error:
        return f"findings: {error}\n".encode()
    credit, used = 0.0, 0
    for rule in sorted({defect.rule for defect in defects}):
        of_kind = [defect for defect in defects if defect.rule == rule]
        earned, matched = _matched([one for one in found if one.rule == rule], of_kind, near)
        credit, used = credit + earned, used + matched
    forgiven = sum(_is_named(one, excused, near) and not _is_named(one, defects, near) for one in found)
    row = f"repository,0,{credit},{len(found) - used - forgiven},{len(defects)}"
    return f"condition,seed,{','.join(COLUMNS)}\n{row}\n".encode()


def _rows(data: bytes) -> Iterator[Finding]:
    if len(data) > MOST_BYTES:
        raise _FindingsError("too large")
    header, *lines = data.removesuffix(b"\n").split(b"\n")
    if header.removesuffix(b"\r") != _HEADER:
        raise _FindingsError("bad header")
    if len(lines) > MOST_ROWS:
        raise _FindingsError("too many rows")
    for number, line in enumerate(lines, 1):
        match = _FINDING.fullmatch(line)
        if match is None:
            raise _FindingsError(f"bad row {number}")
        rule, file, at = match.groups()
        yield Finding(rule.decode(), file.decode("utf-8", "replace"), int(at))


def _matched(found: Sequence[Finding], defects: Sequence[Defect], near: int) -> tuple[float, int]:
    """The most that findings and defects of one rule earn, each used once at most, and how many findings that takes.

    Sets of defects, as bits of a number, are kept with the most that they can earn.
    """
    best = {0: 0.0}
    for finding in found:
        worth = [_worth(finding, defect, near) for defect in defects]
        for taken, earned in list(best.items()):
            for number, value in enumerate(worth):
                if value and not taken >> number & 1:
                    with_it = taken | 1 << number
                    best[with_it] = max(best.get(with_it, 0.0), earned + value)
    taken, earned = max(best.items(), key=lambda one: one[1] + one[0].bit_count())
    return earned, taken.bit_count()


def _is_named(finding: Finding, defects: Sequence[Defect], near: int) -> bool:
    return any(defect.rule == finding.rule and _worth(finding, defect, near) > 0 for defect in defects)


def _worth(finding: Finding, defect: Defect, near: int) -> float:
    there = [place for place in defect.places if place.file == finding.file]
    if any(place.first_line - near <= finding.line <= place.last_line + near for place in there):
        return 1.0
    return 0.5 if there else 0.0


def main(arguments: Sequence[str]) -> int:
    """Print the reward of the findings beside `reward/`, last and alone on its line."""
    reward = Path(arguments[0])
    judge = runpy.run_path(str(reward / "check.py"))
    audit = json.loads((reward / "audit.json").read_text("utf-8"))
    sides = [
        [Defect(one["rule"], tuple(Place(**at) for at in one["places"])) for one in audit[side]] for side in _SIDES
    ]
    data = judge["_read_plain"](str(reward.parent / FINDINGS), MOST_BYTES)
    table = None if data is None else measured(data, audit["near"], *sides)
    contract = judge["load_contract"]((reward / "contract.json").read_bytes())
    sys.stdout.write(f"{judge['score_artifact'](contract, table).reward}\n")
    return 0


_SIDES = ("defects", "excused")

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
