"""What a paper may be called: its id names a directory."""

import re

from reproducegym.errors import MisuseError

__all__ = ["check_paper_id", "is_paper_id"]

_PAPER_ID = re.compile(r"[a-z0-9][a-z0-9._-]{0,99}")
_SHOWN = 40


def is_paper_id(text: str) -> bool:
    """Whether it can name a paper's directory."""
    return _PAPER_ID.fullmatch(text) is not None and ".." not in text


def check_paper_id(paper_id: str) -> str:
    """The same id, when it can name a directory.

    Raises:
        MisuseError: it cannot.
    """
    if not is_paper_id(paper_id):
        shown = paper_id if len(paper_id) <= _SHOWN else f"{paper_id[:_SHOWN]}…"
        raise MisuseError(
            f"{shown!r} is not a paper id: use at most 100 lower-case letters, digits, '.', '_' and '-', "
            "beginning with a letter or digit"
        )
    return paper_id
