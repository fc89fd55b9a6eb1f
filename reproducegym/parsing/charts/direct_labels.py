"""Names that stand at a curve in its own colour instead of in a legend."""

from collections.abc import Mapping, Sequence

from reproducegym.parsing.charts.labels import Label, joined
from reproducegym.parsing.charts.series import Drawn
from reproducegym.parsing.charts.tick_labels import tick_number

__all__ = ["direct_labels"]

_GAP = 0.75
_REACH = 3.0


def direct_labels(series: Sequence[Drawn], names: Sequence[str | None], free: Sequence[Label]) -> Mapping[Drawn, str]:
    """For each series without a name the one text in its colour near its last or first point; none of several."""
    texts = [text for text in joined(free, _GAP) if any(c.isalpha() for c in text.text) and not _is_grey(text.colour)]
    found: dict[Drawn, str] = {}
    for one, name in zip(series, names, strict=True):
        if name is not None:
            continue
        alike = [text for text in texts if text.colour == one.style.colour and tick_number(text.text) is None]
        rivals = sum(other.style.colour == one.style.colour for other in series)
        near = [text for text in alike if _is_near(text, one)]
        if len(near) == 1 and (rivals == 1 or len(alike) == rivals):
            found[one] = near[0].text
    return found


def _is_grey(colour: str) -> bool:
    return colour[1:3] == colour[3:5] == colour[5:7]


def _is_near(text: Label, drawn: Drawn) -> bool:
    reach = _REACH * text.size
    return any(
        text.box[0] - reach <= x <= text.box[2] + reach and text.box[1] - reach <= y <= text.box[3] + reach
        for x, y in (drawn.spots[0], drawn.spots[-1])
    )
