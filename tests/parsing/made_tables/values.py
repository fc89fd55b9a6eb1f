"""The printed values of made tables: what each says, and the Typst markup that prints it."""

import random
from dataclasses import dataclass

from reproducegym.schema.paper import Mark

from .plan import Plan

MINUS = "−"
_RAISED = str.maketrans("0123456789-−", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁻")


@dataclass(frozen=True, slots=True)
class Value:
    """A value as a reader would type it, its Typst markup, the parts of its spread, its marks."""

    text: str
    markup: str
    spread: tuple[str, ...] = ()
    marks: tuple[Mark, ...] = ()


@dataclass(frozen=True, slots=True)
class Scale:
    """What numbers of a column look like: range and printed decimals."""

    low: float
    high: float
    decimals: int


def quoted(text: str) -> str:
    """Typst markup that prints a text as it is."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'#"{escaped}";'


def number(draw: random.Random, plan: Plan, scale: Scale) -> Value:
    """One value in the style of the plan, without emphasis."""
    if plan.blanks and draw.random() < 0.22:
        blank = draw.choice(("–", "–", "N/A", "✓", "—", "✗", "-"))
        return Value(blank, quoted(blank))
    if plan.values == "holes" and draw.random() < 0.2:
        return Value("", "")
    if plan.values == "scientific":
        return _scientific(draw)
    text = _printed(draw, plan, scale)
    if plan.pair:
        other = _printed(draw, plan, scale)
        return Value(text + plan.pair + other, quoted(text + plan.pair + other))
    if plan.spread == "none":
        return Value(text, quoted(text))
    return _with_spread(draw, plan, text, scale)


def _printed(draw: random.Random, plan: Plan, scale: Scale) -> str:
    amount = draw.uniform(scale.low, scale.high)
    if plan.values == "percent":
        return f"{draw.uniform(0.5, 99.5):.1f}%"
    if plan.values == "thousands":
        return f"{draw.choice((draw.randint(1_000, 99_999), draw.randint(200_000, 8_900_000))):,}"
    if plan.values == "integer":
        return str(draw.randint(2, 980))
    if plan.values == "negative" and draw.random() < 0.5:
        return f"{MINUS}{amount:.{scale.decimals}f}"
    return f"{amount:.{scale.decimals}f}"


def _scientific(draw: random.Random) -> Value:
    digits, power = f"{draw.uniform(1, 9.9):.1f}", draw.choice((-5, -4, -3, -2, 3, 6, 18, 20))
    if draw.random() < 0.15:
        return Value(f"{digits}e{power}", quoted(f"{digits}e{power}"))
    sign, symbol = draw.choice((("×", "times"), ("×", "times"), ("·", "dot")))
    raised = str(power).translate(_RAISED)
    return Value(f"{digits} {sign} 10{raised}", f"${digits} {symbol} 10^({power})$")


def _with_spread(draw: random.Random, plan: Plan, text: str, scale: Scale) -> Value:
    width = (scale.high - scale.low) * 0.03
    low = f"{draw.uniform(width * 0.2, width):.{scale.decimals}f}"
    if plan.spread == "paren":
        return Value(f"{text} ({low})", quoted(f"{text} ({low})"), (low,))
    if plan.spread == "asym":
        high = f"{draw.uniform(width * 0.2, width):.{scale.decimals}f}"
        markup = f'$#text(number-type: "lining")[{quoted(text)}]^(+{high})_({MINUS}{low})$'
        return Value(f"{text} +{high} {MINUS}{low}", markup, (high, low))
    if plan.spread == "gain":
        gain = draw.choice((f"(+{low})", f"({MINUS}{low})", f"↑{low}"))
        colour = "rgb(200, 30, 30)" if MINUS in gain else "rgb(0, 130, 60)"
        return Value(f"{text} {gain}", f"{quoted(text)} #text(size: 0.8em, fill: {colour})[{quoted(gain)}]")
    if plan.spread == "below":
        low = f"±{low}"
        return Value(f"{text} {low}", f"{quoted(text)}\\ #text(size: 0.8em)[{quoted(low)}]", (low[1:],))
    joint = "±" if plan.spread in {"tight", "sub"} else " ± "
    whole = f"{text}{joint}{low}"
    if plan.spread == "small":
        return Value(f"{text} ± {low}", f"{quoted(text)} #text(size: 0.72em)[{quoted('± ' + low)}]", (low,))
    if plan.spread == "sub":
        return Value(whole, f"${quoted(text)}_({quoted('±' + low)})$", (low,))
    return Value(whole, quoted(whole), (low,))


def emphasised(draw: random.Random, plan: Plan, value: Value, rank: int) -> Value:
    """A value with the marks of its rank in its column: 0 the best, 1 the second, others by chance."""
    text, markup, marks = value.text, value.markup, list(value.marks)
    if not any(c.isdigit() for c in text):
        return value
    if "bold" in plan.emphasis and rank == 0:
        markup, marks = f"#strong[{markup}]", [*marks, "bold"]
    if "underline" in plan.emphasis and rank == 1:
        markup, marks = f"#underline[{markup}]", [*marks, "underline"]
    if "colour" in plan.emphasis and draw.random() < 0.3:
        colour = draw.choice(("blue", "rgb(180, 30, 30)", "rgb(0, 120, 60)"))
        markup, marks = f"#text(fill: {colour})[{markup}]", [*marks, "colour"]
    if "dagger" in plan.emphasis and draw.random() < 0.25:
        sign = draw.choice(("†", "‡", "*"))
        text, markup, marks = text + sign, f"{markup}#super[{quoted(sign)}]", [*marks, "dagger"]
    if "letter" in plan.emphasis and draw.random() < 0.25:
        sign = draw.choice("ab")
        text, markup, marks = text + {"a": "ᵃ", "b": "ᵇ"}[sign], f"{markup}#super[{sign}]", [*marks, "superscript"]
    return Value(text, markup, value.spread, tuple(marks))
