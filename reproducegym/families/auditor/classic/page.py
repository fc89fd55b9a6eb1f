"""The page that lists all classic kinds: `python -m …classic.page > docs/auditor-violations.md`."""

import sys

from reproducegym.families.auditor.classic.drawing import KINDS, SNIPPETS
from reproducegym.families.auditor.classic.kind import Kind

__all__ = ["page"]

_HEAD = """# The violations of classic mode

Written by `python -m reproducegym.families.auditor.classic.page`. A file stands here by the first of the names that
it may have in an episode. A keyword counts in `violation_type` and `suggested_fix_code`, without regard to case.

| id | level | category | files | keywords |
| --- | --- | --- | --- | --- |
"""


def page() -> str:
    """The whole page, in Markdown."""
    return _HEAD + "".join(_row(kind) for kind in KINDS)


def _row(kind: Kind) -> str:
    files = ", ".join(f"`{SNIPPETS[kind.level].names[role][0]}`" for role in kind.files)
    words = ", ".join(f"`{word}`" for word in kind.keywords)
    return f"| `{kind.id}` | {kind.level} | `{kind.category}` | {files} | {words} |\n"


if __name__ == "__main__":
    sys.stdout.write(page())
