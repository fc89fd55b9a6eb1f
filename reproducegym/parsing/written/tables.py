"""Tells which columns of a table that is given as source hold labels."""

from collections.abc import Sequence

from reproducegym.parsing.cell_text import is_value
from reproducegym.parsing.tables.paths import RawCell

__all__ = ["label_columns"]

_MOST = 3


def label_columns(cells: Sequence[RawCell], width: int) -> int:
    """How many leading columns label the rows: the first, and those that hold text before the first numbers.

    `cells` are those of the body, without header and group rows.
    """
    stubs = 1
    for column in range(1, min(_MOST, width - 1)):
        here = [cell.text for cell in cells if cell.column == column and cell.column_span == 1]
        later = [cell.text for cell in cells if cell.column > column]
        if here and sum(map(is_value, here)) * 2 < len(here) and sum(map(is_value, later)) * 2 > len(later):
            stubs = column + 1
        else:
            break
    return stubs
