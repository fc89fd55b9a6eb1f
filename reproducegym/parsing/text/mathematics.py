"""Tells pieces of formulas from words."""

import re

from reproducegym.parsing.pages.page_text import Piece

__all__ = ["is_mathematical"]

_MATH_FONT = re.compile(
    r"math|symbol|cmmi|cmsy|cmex|cmbsy|cmmib|msam|msbm|mtmi|mtsy|mtex|txmi|txsy|txex|pxmi|pxsy|pxex|eufm|eurm|euex|rsfs|"
    r"esint|wasy|bbm|dsrom|stmary|zplm|newtxmi|ntxmi|ntxsy|lmmi|lmsy|lmex",
    re.IGNORECASE,
)


def is_mathematical(piece: Piece) -> bool:
    """Whether a piece is set in a font of formulas."""
    return _MATH_FONT.search(piece.font) is not None
