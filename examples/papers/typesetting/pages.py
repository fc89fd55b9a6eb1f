"""Typesets a paper with Typst: the same bytes for the same results and the locked package versions."""

import json
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path

import typst

__all__ = ["typeset"]

STYLE = Path(__file__).resolve().parent / "style.typ"


def typeset(paper: Path, numbers: Mapping[str, object], figures: Mapping[str, bytes]) -> bytes:
    """The PDF of `paper`/paper.typ with `references.yml`, in the fonts that typst carries.

    The text finds `style.typ`, `numbers.json` (`numbers`) and each of `figures` (by file name) beside itself.
    """
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        for source in (paper / "paper.typ", paper / "references.yml", STYLE):
            shutil.copy(source, work)
        for file, content in figures.items():
            (work / file).write_bytes(content)
        (work / "numbers.json").write_text(json.dumps(numbers), encoding="utf-8")
        return typst.compile(work / "paper.typ", format="pdf", ignore_system_fonts=True)
