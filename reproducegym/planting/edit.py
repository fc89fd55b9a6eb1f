"""Changes of files by lines: what an operator does to a clean file, and what undoes it."""

from collections.abc import Iterable, Mapping
from difflib import SequenceMatcher
from typing import Annotated

from pydantic import Field

from reproducegym.schema.base import Frozen

__all__ = ["Edit", "Place", "Texts", "applied", "edits_between", "lines_of"]

Texts = Mapping[str, str]
"""Relative POSIX path → text of a file."""

Line = Annotated[int, Field(ge=0)]


class Edit(Frozen):
    """Lines `first_line` to `last_line` of a file become `text`.

    Lines count from 1 and end with their newline. `last_line` is `first_line - 1` where text is inserted before a line;
    an edit of a file that is not there makes it, one that leaves nothing removes the file.
    """

    file: str
    first_line: Line
    last_line: Line
    text: str


class Place(Frozen):
    """Lines of a file where a defect may be pointed at; line 0 is the file, or with `.` the repository, as a whole."""

    file: str
    first_line: Line
    last_line: Line


def lines_of(text: str) -> list[str]:
    """The lines of a text with their newlines; only `\\n` ends a line."""
    lines = text.split("\n")
    return [f"{line}\n" for line in lines[:-1]] + ([lines[-1]] if lines[-1] else [])


def applied(files: Texts, edits: Iterable[Edit]) -> dict[str, str]:
    """The files after edits that do not overlap, each counting lines of the files as they were given."""
    changed = dict(files)
    by_file: dict[str, list[Edit]] = {}
    for edit in edits:
        by_file.setdefault(edit.file, []).append(edit)
    for path, told in by_file.items():
        lines = lines_of(changed.get(path, ""))
        for edit in sorted(told, key=lambda e: (e.first_line, e.last_line), reverse=True):
            lines[edit.first_line - 1 : edit.last_line] = [edit.text]
        text = "".join(lines)
        if text:
            changed[path] = text
        else:
            changed.pop(path, None)
    return dict(sorted(changed.items()))


def edits_between(path: str, before: str, after: str) -> tuple[Edit, ...]:
    """The smallest runs of lines that turn one text of a file into another."""
    old, new = lines_of(before), lines_of(after)
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    return tuple(
        Edit(file=path, first_line=start + 1, last_line=stop, text="".join(new[from_line:to_line]))
        for kind, start, stop, from_line, to_line in matcher.get_opcodes()
        if kind != "equal"
    )
