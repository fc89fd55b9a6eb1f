"""Tells which file of a LaTeX source is the paper itself."""

import re
from collections.abc import Mapping
from pathlib import PurePosixPath

__all__ = ["main_file"]

_COMMENT = re.compile(rb"(?<!\\)(?:\\\\)*%[^\r\n]*")
_CLASS = re.compile(rb"\\document(?:class|style)\s*(?:\[[^\]]*\])?\s*\{\s*([^}\s]*)")
_BEGIN = re.compile(rb"\\begin\s*\{document\}")
_README = "00README"
_USUAL = ("main", "paper", "ms", "article", "manuscript", "root", "arxiv")
_NO_PAPERS = (b"standalone", b"beamer", b"letter", b"minimal", b"subfiles")


def main_file(files: Mapping[str, bytes]) -> str | None:
    r"""The name of the file that holds both `\documentclass` and `\begin{document}`, comments aside; None without one.

    Among several: one that arXiv's `00README` calls `toplevel`, then one whose class makes a paper (no slides, no
    single picture), then the one nearest to the top, then one with a usual name, then the longest.
    """
    told = b"\n".join(content for name, content in files.items() if name.split(".")[0] == _README)
    ranked = sorted(
        (_rank(name, content, told), name)
        for name, content in files.items()
        if PurePosixPath(name).suffix.lower() in (".tex", ".ltx", ".latex") and _is_whole(content)
    )
    return ranked[0][1] if ranked else None


def _is_whole(content: bytes) -> bool:
    bare = _COMMENT.sub(b"", content)
    return _CLASS.search(bare) is not None and _BEGIN.search(bare) is not None


def _rank(name: str, content: bytes, told: bytes) -> tuple[bool, bool, int, int, int]:
    """Sorts the likeliest first."""
    path = PurePosixPath(name)
    document_class = _CLASS.search(_COMMENT.sub(b"", content))
    listed = re.search(rb"(?<![\w/.-])" + re.escape(name.encode()) + rb"(?![\w/-])[^\n}]*toplevel", told) is not None
    other = document_class is None or document_class[1].lower().startswith(_NO_PAPERS)
    stem = path.stem.lower()
    usual = _USUAL.index(stem) if stem in _USUAL else len(_USUAL)
    return not listed, other, len(path.parts), usual, -len(content)
