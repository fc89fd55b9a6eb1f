r"""Reads `suggested_fix_code` as edits: a unified diff, blocks of search and replace, or lines that replace one line.

A diff or a block may name several files. Where old lines stand is found by what they say; a diff's line numbers decide
only between several such places.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from reproducegym.families.auditor.nouns import Finding
from reproducegym.planting.edit import Edit, edits_between, lines_of

__all__ = ["UnreadableFixError", "edits_of"]

_HUNK = re.compile(r"^@@ -(\d+)(?:,\d+)? \+\d+(?:,\d+)? @@")
_SEARCH = re.compile(r"^<<<<<<< SEARCH ?(.*)$")
_NONE = "/dev/null"


class UnreadableFixError(Exception):
    """The code is no change of the files as they are; the message says why."""


@dataclass(frozen=True)
class _Change:
    """Old lines of a file become new ones; `near` is the line, from 1, where they are said to begin."""

    file: str
    old: tuple[str, ...]
    new: tuple[str, ...]
    near: int


def edits_of(finding: Finding, files: Mapping[str, str]) -> tuple[Edit, ...]:
    """The edits that a finding's code makes in the files; none where it gives no code.

    Raises:
        UnreadableFixError: the lines that it would change are not there, or it names none.
    """
    code = finding.suggested_fix_code
    if not code.strip():
        return ()
    texts = dict(files)
    for change in _changes(finding, files):
        texts[change.file] = _changed(texts.get(change.file, ""), change)
    touched = sorted(name for name in texts if texts[name] != files.get(name, ""))
    return tuple(edit for name in touched for edit in edits_between(name, files.get(name, ""), texts[name]))


def _changes(finding: Finding, files: Mapping[str, str]) -> list[_Change]:
    lines = lines_of(finding.suggested_fix_code)
    if any(_HUNK.match(line) for line in lines):
        return list(_of_diff(lines, finding.file_name))
    if any(_SEARCH.match(line.rstrip("\n")) for line in lines):
        return list(_of_blocks(lines, finding))
    there = lines_of(files.get(finding.file_name, ""))
    if not 1 <= finding.line_number <= len(there):
        raise UnreadableFixError(
            f"line {finding.line_number} of {finding.file_name} is not there to be replaced; it has {len(there)} lines"
        )
    old = there[finding.line_number - 1]
    return [_Change(finding.file_name, (_plain(old),), tuple(map(_plain, lines)), finding.line_number)]


def _of_diff(lines: list[str], file: str) -> Iterator[_Change]:
    old: list[str] = []
    new: list[str] = []
    near, inside = 0, False
    for line in (*lines, "@@ -0,0 +0,0 @@\n"):
        begins = _HUNK.match(line)
        if begins or (line.startswith(("--- ", "diff ")) and not _in_hunk(inside, line)):
            if inside:
                yield _Change(file, tuple(old), tuple(new), near)
            old, new, inside = [], [], begins is not None
            near = int(begins[1]) if begins else 0
            if line.startswith("--- "):
                file = _named(line) or file
        elif not inside and line.startswith("+++ "):
            file = _named(line) or file
        elif inside and not line.startswith("\\"):
            mark, rest = (line[0], _plain(line[1:])) if line.strip("\n") else (" ", "")
            if mark not in " +-":
                raise UnreadableFixError(f"a line of a diff begins with a blank, + or -, not {line[:20]!r}")
            old += [rest] if mark in " -" else []
            new += [rest] if mark in " +" else []


def _in_hunk(inside: bool, line: str) -> bool:
    """Whether `--- …` is a removed line that begins with `-- `: the header of a file names one."""
    return inside and line.startswith("--- ") and not re.match(r"--- (a/|/dev/null|\S+\.\w+\s*$)", line)


def _named(line: str) -> str:
    name = line[4:].split("\t", maxsplit=1)[0].strip()
    return "" if name == _NONE else re.sub(r"^[ab]/", "", name)


def _of_blocks(lines: list[str], finding: Finding) -> Iterator[_Change]:
    file, old, new, part = "", list[str](), list[str](), ""
    for line in map(_plain, lines):
        begins = _SEARCH.match(line)
        if begins:
            file, old, new, part = begins[1].strip() or finding.file_name, [], [], "old"
        elif part == "old" and line == "=======":
            part = "new"
        elif part == "new" and line.startswith(">>>>>>> REPLACE"):
            yield _Change(file, tuple(old), tuple(new), finding.line_number)
            part = ""
        elif part:
            (old if part == "old" else new).append(line)
    if part:
        raise UnreadableFixError("a block of search and replace ends with >>>>>>> REPLACE")


def _changed(text: str, change: _Change) -> str:
    lines = [_plain(line) for line in lines_of(text)]
    size = len(change.old)
    if not size:
        if lines and not change.near:
            raise UnreadableFixError(f"the change of {change.file} does not say where it goes")
        at = min(change.near, len(lines))
    else:
        places = [n for n in range(len(lines) - size + 1) if tuple(lines[n : n + size]) == change.old]
        if not places:
            raise UnreadableFixError(f"{change.file} does not have the lines {' / '.join(change.old)[:120]!r}")
        at = min(places, key=lambda place: (abs(place + 1 - change.near), place))
    lines[at : at + size] = change.new
    whole = "".join(f"{line}\n" for line in lines)
    return whole if not text or text.endswith("\n") or at + len(change.new) == len(lines) else whole[:-1]


def _plain(line: str) -> str:
    return line.removesuffix("\n")
