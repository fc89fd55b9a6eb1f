"""Safe edits of findings as one diff, and applied to files."""

import difflib
from collections.abc import Iterable, Mapping
from pathlib import Path

from ml_audit.rules.rule import Edit, Finding

__all__ = ["apply_edits", "edited", "unified_diff"]


def edited(files: Mapping[str, bytes], findings: Iterable[Finding]) -> dict[str, tuple[str, str]]:
    """Path → text before and after, for every file with safe edits; a line that is not as expected stays."""
    by_file: dict[str, list[Edit]] = {}
    for finding in findings:
        if finding.edit is not None and finding.edit.file in files:
            by_file.setdefault(finding.edit.file, []).append(finding.edit)
    changed = {}
    for path, edits in sorted(by_file.items()):
        try:
            before = files[path].decode("utf-8")
        except UnicodeDecodeError:
            continue
        lines = before.splitlines(keepends=True)
        for edit in edits:
            if edit.line <= len(lines) and lines[edit.line - 1].rstrip("\r\n") == edit.before:
                ending = lines[edit.line - 1][len(edit.before) :]
                lines[edit.line - 1] = edit.after + ending
        after = "".join(lines)
        if after != before:
            changed[path] = (before, after)
    return changed


def unified_diff(changed: Mapping[str, tuple[str, str]]) -> str:
    """The changes as a diff that `git apply` takes."""
    parts: list[str] = []
    for path, (before, after) in changed.items():
        old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
        parts += difflib.unified_diff(old, new, f"a/{path}", f"b/{path}")
    return "".join(part if part.endswith("\n") else f"{part}\n\\ No newline at end of file\n" for part in parts)


def apply_edits(root: Path, changed: Mapping[str, tuple[str, str]]) -> None:
    """Write the changed files below a directory.

    Raises:
        OSError: a file cannot be written; those before it are.
    """
    for path, (_, after) in changed.items():
        (root / path).write_bytes(after.encode("utf-8"))
