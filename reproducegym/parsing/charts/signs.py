"""Minus signs of tick labels that are drawn where no reader of text finds them: mended where certain, else refused."""

from collections.abc import Sequence
from dataclasses import replace

from reproducegym.parsing.charts.calibration import Scale, fit_scale
from reproducegym.parsing.charts.tick_labels import LabelledTick

__all__ = ["fit_with_signs"]

_Fit = tuple[Scale, tuple[LabelledTick, ...]]


def fit_with_signs(
    rises: int,
    ticks: Sequence[LabelledTick],
    minor: Sequence[float],
    ends: tuple[float, float],
    *,
    signs_seen: bool,
) -> _Fit | None:
    """The scale of the ticks; None where a minus that was lost would give another one just as well.

    Numbers that fall to zero and rise again have lost the signs of their first half. Numbers of one sign that fall may
    be a reversed axis or a negative one without its signs: only `signs_seen`, that signs are seen where there are some,
    tells. `rises` is the sign of a scale that is not reversed.
    """
    fit = fit_scale(ticks, minor, ends)
    if fit is not None:
        scale, used = fit
        return fit if scale.slope * rises > 0 or signs_seen or _has_both_signs(used) else None
    if any(tick.value < 0 or (tick.power and tick.value < 1) for tick in ticks):
        return None
    ordered = sorted(ticks, key=lambda tick: rises * tick.at)
    for count in range(1, len(ordered) - 1):
        mended = fit_scale([*map(_mended, ordered[:count]), *ordered[count:]], minor, ends)
        if mended is not None and len(mended[1]) > 2 and mended[0].slope * rises > 0:
            return mended
    return None


def _has_both_signs(ticks: Sequence[LabelledTick]) -> bool:
    """Whether numbers, or the exponents of powers, are partly negative and partly positive."""
    signs = [(tick.value < 1, tick.value > 1) if tick.power else (tick.value < 0, tick.value > 0) for tick in ticks]
    return any(below for below, _ in signs) and any(above for _, above in signs)


def _mended(tick: LabelledTick) -> LabelledTick:
    """With the minus put back, into the exponent of a power."""
    return replace(tick, value=1 / tick.value if tick.power else -tick.value)
