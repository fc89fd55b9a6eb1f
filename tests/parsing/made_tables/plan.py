"""What a made paper shows: each trait is a change of a plain plan; an index draws traits, fonts, gaps and sizes."""

import random
from dataclasses import dataclass, field, replace

FONTS = ("New Computer Modern", "Libertinus Serif", "STIXGeneral", "DejaVu Serif", "DejaVu Sans")


@dataclass(frozen=True, slots=True)
class Plan:
    """Every choice about one paper and its tables."""

    paper: str = "us-letter"
    columns: int = 1
    wide: bool = False
    font: str = FONTS[0]
    size: float = 10.0
    table_size: float = 9.0
    caption_side: str = "top"
    caption_form: str = "Table {}:"
    label: str = "1"
    line_numbers: bool = False
    rules: str = "booktabs"
    shading: str = "none"
    levels: int = 1
    cmidrules: str = "none"
    lone_column: bool = False
    groups: str = "none"
    stub: int = 1
    merge: str = "rowspan"
    turned: str = "none"
    names: str = "words"
    wrap: str = "none"
    pair: str = ""
    spread: str = "none"
    emphasis: frozenset[str] = frozenset()
    blanks: bool = False
    values: str = "decimal"
    units: str = "none"
    arrangement: str = "single"
    notes: bool = False
    width: str = "usual"
    length: str = "usual"
    gap: float = 6.0
    lead: float = 2.5
    align: str = "center"
    corner: str = "named"
    figure: bool = False
    caption_length: int = 1
    flow: str = "inline"
    labels: str = "methods"
    checks: bool = False
    last: str = "none"
    header_style: str = "plain"
    running: bool = False
    stretched: bool = False


TRAITS: dict[str, dict[str, object]] = {
    "booktabs": {"rules": "booktabs"},
    "full grid": {"rules": "grid"},
    "no rules": {"rules": "none"},
    "vertical rules only": {"rules": "vertical"},
    "rules between rows": {"rules": "horizontal"},
    "outer vertical rules": {"rules": "mixed"},
    "shaded rows": {"shading": "stripes"},
    "shaded header": {"shading": "header"},
    "two header levels": {"levels": 2},
    "two header levels, cmidrules": {"levels": 2, "cmidrules": "trimmed"},
    "two header levels, joined rules": {"levels": 2, "cmidrules": "whole"},
    "three header levels": {"levels": 3, "cmidrules": "trimmed", "width": "wide"},
    "column without parent": {"levels": 2, "cmidrules": "trimmed", "lone_column": True},
    "group rows spanning": {"groups": "span"},
    "group rows bold": {"groups": "bold"},
    "group rows italic": {"groups": "italic"},
    "group rows indented": {"groups": "indent"},
    "group label on the left": {"groups": "left"},
    "group rows shaded": {"groups": "shaded"},
    "two labels, merged": {"stub": 2, "merge": "rowspan"},
    "two labels, as above": {"stub": 2, "merge": "blank"},
    "two labels, repeated": {"stub": 2, "merge": "repeat"},
    "turned labels": {"stub": 2, "merge": "rowspan", "turned": "stub"},
    "turned headers": {"turned": "header"},
    "numeric headers": {"names": "numbers"},
    "numeric headers below a title": {"names": "numbers", "levels": 2, "cmidrules": "trimmed"},
    "years as headers": {"names": "years"},
    "wrapped headers": {"wrap": "header"},
    "wrapped labels": {"wrap": "label", "labels": "long"},
    "two values, slash": {"pair": " / "},
    "two values, tight slash": {"pair": "/"},
    "spread": {"spread": "plain"},
    "spread without spaces": {"spread": "tight"},
    "spread in small font": {"spread": "small"},
    "spread as subscript": {"spread": "sub"},
    "spread in parentheses": {"spread": "paren"},
    "spread up and down": {"spread": "asym"},
    "bold and underline": {"emphasis": frozenset({"bold", "underline"})},
    "daggers": {"emphasis": frozenset({"dagger"})},
    "superscript letters": {"emphasis": frozenset({"letter"}), "notes": True},
    "coloured values": {"emphasis": frozenset({"colour"})},
    "blank marks": {"blanks": True},
    "percent signs": {"values": "percent"},
    "thousands separators": {"values": "thousands"},
    "scientific notation": {"values": "scientific"},
    "minus signs": {"values": "negative"},
    "integers": {"values": "integer"},
    "units in headers": {"units": "header"},
    "units on a line of their own": {"units": "below"},
    "units in the caption": {"units": "caption"},
    "side by side": {"arrangement": "beside"},
    "parts beside each other": {"arrangement": "parts beside"},
    "parts above each other": {"arrangement": "parts above"},
    "split over pages": {"arrangement": "split", "length": "long"},
    "sideways": {"arrangement": "sideways", "width": "wide"},
    "landscape page": {"arrangement": "landscape", "width": "wide"},
    "second header in the middle": {"arrangement": "stacked"},
    "footnotes": {"notes": True, "emphasis": frozenset({"dagger"})},
    "very wide": {"width": "very wide"},
    "very long": {"length": "long"},
    "tiny font": {"table_size": 5.5},
    "below or above a figure": {"figure": True},
    "review copy": {"line_numbers": True},
    "tight gaps": {"gap": 2.2, "width": "wide"},
    "left aligned": {"align": "left"},
    "right aligned": {"align": "right"},
    "decimal aligned": {"align": "decimal"},
    "empty corner": {"corner": "empty"},
    "caption below": {"caption_side": "bottom"},
    "Table 1.": {"caption_form": "Table {}."},
    "TABLE I": {"caption_form": "TABLE {}", "label": "II", "columns": 2},
    "Tab. 2": {"caption_form": "Tab. {}:", "label": "2"},
    "Table A1": {"label": "A1"},
    "long caption": {"caption_length": 3},
    "double rules": {"rules": "double"},
    "dashed rules between groups": {"rules": "dashed", "groups": "bold"},
    "group rows between rules": {"groups": "ruled"},
    "arrows in headers": {"names": "arrows"},
    "headers of two lines": {"wrap": "lines"},
    "labels with parameters": {"labels": "parameters"},
    "numeric labels": {"labels": "counts"},
    "citations in labels": {"labels": "cited"},
    "check columns": {"checks": True},
    "average row": {"last": "average"},
    "highlighted row": {"last": "highlighted"},
    "gains": {"spread": "gain"},
    "spread below the value": {"spread": "below"},
    "empty cells": {"values": "holes"},
    "wide gaps": {"gap": 20.0, "width": "narrow"},
    "stretched to the page": {"stretched": True},
    "one below another": {"arrangement": "below"},
    "beside text": {"arrangement": "beside text"},
    "beside a figure, two captions": {"arrangement": "beside figure"},
    "continued caption": {"arrangement": "continued", "length": "long"},
    "two columns": {"columns": 2},
    "two columns, wide table": {"columns": 2, "wide": True, "width": "wide"},
}
"""Changes of the plain plan by the name of the trait."""

_CLASHES: tuple[frozenset[str], ...] = (
    frozenset(
        {
            "sideways",
            "split over pages",
            "very long",
            "side by side",
            "parts beside each other",
            "landscape page",
            "one below another",
            "beside text",
            "beside a figure, two captions",
            "parts above each other",
            "continued caption",
            "second header in the middle",
        }
    ),
    frozenset(
        {
            "units in headers",
            "units on a line of their own",
            "units in the caption",
            "numeric headers",
            "years as headers",
            "numeric headers below a title",
            "arrows in headers",
            "wrapped headers",
            "headers of two lines",
            "check columns",
        }
    ),
    frozenset(
        {
            "two header levels",
            "check columns",
            "arrows in headers",
            "wrapped headers",
            "headers of two lines",
            "two header levels, cmidrules",
            "two header levels, joined rules",
            "three header levels",
            "column without parent",
        }
    ),
    frozenset(
        {
            "very long",
            "split over pages",
            "continued caption",
            "wrapped labels",
            "labels with parameters",
            "numeric labels",
            "citations in labels",
        }
    ),
)


@dataclass(frozen=True, slots=True)
class Drawn:
    """A plan and the traits it shows."""

    plan: Plan
    traits: tuple[str, ...] = field(default=())


def plan_of(index: int) -> Drawn:
    """The plan of a paper: the first ones show one trait each, the others two to five at once."""
    draw = random.Random(f"plan of table {index}")
    names = list(TRAITS)
    chosen = (names[index],) if index < len(names) else _several(draw, names)
    plan = _usual(draw)
    for name in chosen:
        plan = replace(plan, **TRAITS[name])
    return Drawn(_possible(plan, draw), chosen)


def _several(draw: random.Random, names: list[str]) -> tuple[str, ...]:
    wanted = draw.choice((2, 2, 3, 3, 3, 4, 4, 5))
    chosen: list[str] = []
    for name in draw.sample(names, len(names)):
        changed = {key for other in chosen for key in TRAITS[other]}
        clash = any(name in pair and pair & set(chosen) for pair in _CLASHES)
        if not clash and not changed & TRAITS[name].keys():
            chosen.append(name)
        if len(chosen) == wanted:
            break
    return tuple(chosen)


def _usual(draw: random.Random) -> Plan:
    """A plain plan as venues differ: paper, font, sizes, gaps, captions."""
    size = draw.choice((9.0, 10.0, 10.0, 10.0, 11.0))
    columns = draw.choice((1, 1, 1, 2))
    return Plan(
        paper=draw.choice(("us-letter", "a4")),
        columns=columns,
        wide=columns == 2 and draw.random() < 0.4,
        font=draw.choice((FONTS[0], FONTS[0], FONTS[1], FONTS[2], FONTS[2], FONTS[3], FONTS[4])),
        size=size,
        table_size=size - draw.choice((0.0, 1.0, 1.0, 2.0)),
        caption_side=draw.choice(("top", "top", "top", "bottom")),
        caption_form=draw.choice(("Table {}:", "Table {}:", "Table {}.", "*Table {}:*")),
        label=str(draw.randint(1, 9)),
        gap=draw.choice((4.0, 5.0, 6.0, 6.0, 8.0, 12.0)),
        lead=draw.choice((1.2, 2.0, 2.5, 3.5, 5.0)),
        align=draw.choice(("center", "center", "right", "left")),
        flow=draw.choice(("inline", "inline", "float")),
        caption_length=draw.choice((0, 1, 1, 2)),
        header_style=draw.choice(("plain", "plain", "plain", "bold")),
        running=draw.random() < 0.5,
    )


def _possible(plan: Plan, draw: random.Random) -> Plan:
    """The same plan without what no author could print: a wide table in a narrow column, or text too big for it."""
    if plan.arrangement in {"split", "sideways", "landscape", "continued"}:
        plan = replace(plan, columns=1, wide=False, figure=False)
    if plan.arrangement in {"beside", "parts beside", "beside text", "beside figure"}:
        plan = replace(plan, columns=1, wide=False, width="narrow", stub=1, gap=min(plan.gap, 5.0))
    if plan.columns == 2 and (plan.width != "usual" or plan.levels == 3 or plan.spread != "none" or plan.pair):
        plan = replace(plan, wide=True)
    long_values = plan.values in {"thousands", "scientific"} or plan.spread != "none" or plan.pair
    if plan.width == "very wide" and long_values:
        plan = replace(plan, width="wide")
    if plan.values == "thousands" and plan.spread != "none":
        plan = replace(plan, values="decimal")
    if long_values and (plan.wrap == "header" or plan.stretched):
        plan = replace(plan, width="narrow", stub=1)
    if plan.units in {"header", "below"}:
        plan = replace(plan, names="units")
    if plan.columns == 2 and not plan.wide:
        plan = replace(plan, table_size=min(plan.table_size, 8.0), gap=min(plan.gap, 5.0), width="narrow")
    if plan.font.startswith("DejaVu"):
        plan = replace(plan, size=plan.size - 1.0, table_size=max(plan.table_size - 1.5, 5.5))
    return replace(plan, flow="float" if plan.wide else plan.flow)
