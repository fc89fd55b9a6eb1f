"""What an agent hands in as a fix: edits of the damaged files, bounded before anything runs."""

import ast
import json
import tomllib
from collections.abc import Callable, Iterable, Mapping
from fnmatch import fnmatchcase
from pathlib import PurePosixPath
from typing import Literal

import yaml

from reproducegym.errors import ReproduceGymError
from reproducegym.pipeline.judging.transfer import check_name
from reproducegym.planting.edit import Edit, applied, lines_of
from reproducegym.planting.operator import Planted
from reproducegym.planting.plant import Damaged
from reproducegym.schema.base import Frozen

__all__ = ["Fault", "Fix", "clash", "ended_lines", "fault_of", "lines_changed"]

MORE_LINES = 12
"""Lines that a fix may change beyond those that undo the defect: room for another way, not for another program."""
MORE_BYTES = 1500
_READERS: Mapping[str, Callable[[str], object]] = {
    ".py": ast.parse,
    ".ipynb": json.loads,
    ".json": json.loads,
    ".toml": tomllib.loads,
    ".yaml": yaml.safe_load,
    ".yml": yaml.safe_load,
}


class Fix(Frozen):
    """A fix of one planted defect, by its place in `Damaged.planted`; lines count in the damaged files."""

    planted: int
    edits: tuple[Edit, ...]


class Fault(Frozen):
    """Why a fix is not even tried."""

    reason: Literal["malformed", "not_allowed", "too_large", "unchanged", "broken"]
    detail: str


def ended_lines(fix: Fix) -> Fix:
    """The same fix with a newline at the end of each text that puts lines somewhere."""
    edits = [
        e if not e.text or e.text.endswith("\n") else e.model_copy(update={"text": f"{e.text}\n"}) for e in fix.edits
    ]
    return Fix(planted=fix.planted, edits=tuple(edits))


def fault_of(damaged: Damaged, fix: Fix) -> Fault | None:
    """What is wrong with a fix by itself; None where it may be tried."""
    planted = damaged.planted[fix.planted]
    for edit in fix.edits:
        wrong = _misplaced(damaged.files, edit)
        if wrong:
            return Fault(reason="malformed", detail=wrong)
        if not _editable(damaged, planted, edit.file):
            return Fault(reason="not_allowed", detail=f"{edit.file} may not be changed by this fix")
    if any(clash(one, two) for n, one in enumerate(fix.edits) for two in fix.edits[:n]):
        return Fault(reason="malformed", detail="two edits of the fix change the same lines")
    if all(_same(damaged.files, edit) for edit in fix.edits):
        return Fault(reason="unchanged", detail="the fix changes nothing")
    lines, allowed = lines_changed(fix.edits), lines_changed(planted.fix) + MORE_LINES
    size, most = _bytes(fix.edits), 2 * _bytes(planted.fix) + MORE_BYTES
    if lines > allowed or size > most:
        return Fault(
            reason="too_large", detail=f"{lines} lines ({size} bytes) change; a fix here has {allowed} at most"
        )
    return _broken(damaged.files, fix)


def _broken(before: Mapping[str, str], fix: Fix) -> Fault | None:
    """A file that can no longer be read after a fix: no rule finds anything in it, and no run may need it."""
    after = applied(before, fix.edits)
    for path in sorted({edit.file for edit in fix.edits} & after.keys()):
        if _reads(path, before.get(path, "")) and not _reads(path, after[path]):
            return Fault(reason="broken", detail=f"{path} can no longer be read as what its name says")
    return None


def _reads(path: str, text: str) -> bool:
    try:
        _READERS.get(PurePosixPath(path).suffix, str)(text)
    except (ValueError, SyntaxError, RecursionError, MemoryError, yaml.YAMLError):
        return False
    return True


def lines_changed(edits: Iterable[Edit]) -> int:
    """Lines removed and lines added."""
    return sum(edit.last_line - edit.first_line + 1 + len(lines_of(edit.text)) for edit in edits)


def clash(one: Edit, two: Edit) -> bool:
    """Whether two edits cannot both be made: both replace a line, or one inserts inside what the other replaces."""
    if one.file != two.file:
        return False
    if max(one.first_line, two.first_line) <= min(one.last_line, two.last_line):
        return True
    return _inside(one, two) or _inside(two, one)


def _inside(insertion: Edit, other: Edit) -> bool:
    return insertion.last_line < insertion.first_line and other.first_line < insertion.first_line <= other.last_line


def _misplaced(files: Mapping[str, str], edit: Edit) -> str:
    try:
        check_name(edit.file)
    except ReproduceGymError as error:
        return str(error)
    count = len(lines_of(files.get(edit.file, "")))
    if 1 <= edit.first_line <= count + 1 and edit.first_line - 1 <= edit.last_line <= count:
        return ""
    return f"{edit.file} has {count} lines; lines {edit.first_line} to {edit.last_line} cannot be replaced"


def _editable(damaged: Damaged, planted: Planted, path: str) -> bool:
    if path in {planted.file, *(edit.file for edit in planted.fix)}:
        return True
    return any(
        fnmatchcase(path, pattern) and ("**" in pattern or path.count("/") == pattern.count("/"))
        for pattern in damaged.project.editable
    )


def _same(files: Mapping[str, str], edit: Edit) -> bool:
    lines = lines_of(files.get(edit.file, ""))
    return "".join(lines[edit.first_line - 1 : edit.last_line]) == edit.text


def _bytes(edits: Iterable[Edit]) -> int:
    return sum(len(edit.text.encode()) for edit in edits)
