"""Spells LaTeX as it is printed: every shown character with its place, its marks, and what it refers to."""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from reproducegym.parsing.latex.nodes import Node, inner, plain_text, symbol
from reproducegym.parsing.latex.quantities import spelled_number, spelled_unit
from reproducegym.schema.paper import Mark

__all__ = ["Glyph", "Labels", "Style", "Target", "shown_text", "spelled"]

_BOLD = frozenset({"textbf", "mathbf", "boldsymbol", "bm"})
_ITALIC = frozenset({"textit", "emph", "mathit", "textsl"})
_UNDERLINE = frozenset({"underline", "ul", "uline", "uuline", "dashuline"})
_COLOURED = frozenset({"textcolor", "colorbox", "fcolorbox"})
_DECLARED: Mapping[str, Mark] = {
    "bfseries": "bold", "bf": "bold", "boldmath": "bold", "itshape": "italic", "it": "italic", "em": "italic",
    "color": "colour", "cellcolor": "colour",
}  # fmt: skip
_ROMAN = frozenset({"normalfont", "mdseries", "upshape", "rm"})
_SILENT = frozenset({
    "documentclass", "documentstyle", "usepackage", "RequirePackage", "graphicspath", "bibpunct", "geometry",
    "hypersetup", "lstset", "sisetup",
    "label", "hspace", "vspace", "phantom", "hphantom", "vphantom", "rowcolor", "columncolor", "setcounter",
    "addtocounter", "counterwithin", "counterwithout", "numberwithin", "renewcommand", "includegraphics",
    "bibliography", "bibliographystyle", "setlength", "addtolength", "addcontentsline", "definecolor",
    "pagestyle", "thispagestyle", "fontsize", "footnote", "footnotetext", "tablefootnote", "thanks", "caption",
    "captionof", "subcaption", "kern", "date", "pageref", "captionsetup", "arrayrulecolor", "rowcolors",
    "specialrule", "addlinespace", "toprule", "midrule", "bottomrule", "cmidrule", "cline", "hhline", "hline",
    "nonumber", "notag", "limits", "nolimits", "displaystyle", "textstyle", "maketitle", "footnotemark",
    "bibitem", "tag",
})  # fmt: skip
_CITING = frozenset({
    "cite", "citet", "citep", "citealt", "citealp", "citeauthor", "citeyear", "citeyearpar", "textcite",
    "parencite", "autocite", "Citet", "Citep",
})  # fmt: skip
_REFERRING = frozenset({"ref", "eqref", "cref", "Cref", "autoref", "nameref"})
_ACCENTS = {
    "'": "\u0301", "`": "\u0300", "^": "\u0302", '"': "\u0308", "~": "\u0303", "=": "\u0304", ".": "\u0307",
    "c": "\u0327", "v": "\u030c", "u": "\u0306", "H": "\u030b", "k": "\u0328", "r": "\u030a", "d": "\u0323",
    "hat": "\u0302", "bar": "\u0304", "tilde": "\u0303", "vec": "\u20d7", "dot": "\u0307", "ddot": "\u0308",
    "overline": "\u0304", "widehat": "\u0302", "widetilde": "\u0303", "check": "\u030c", "breve": "\u0306",
}  # fmt: skip
_SPECIALS = {"~": " ", "``": "“", "''": "”", "--": "–", "---": "—", "&": " ", "\n\n": "\n\n", "!`": "¡", "?`": "¿"}
_RAISED = str.maketrans("0123456789+-−", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻")
_DINGS = {"51": "✓", "52": "✔", "55": "✗", "56": "✘", "172": "①", "173": "②", "174": "③"}
_SPACED = frozenset({"pm", "mp", "times", "approx", "leq", "geq", "le", "ge"})
_FRACTIONS = frozenset({"frac", "tfrac", "dfrac", "nicefrac"})
_NAMES = {"table": "Table", "figure": "Figure", "section": "Section", "equation": "Equation", "appendix": "Appendix"}
_LETTERED = re.compile(r"[A-Z]")


@dataclass(frozen=True, slots=True)
class Glyph:
    """What is shown for one place of the source; `start:end` are offsets, `key` the label it was made from."""

    text: str
    start: int
    end: int
    marks: frozenset[Mark] = frozenset()
    key: str | None = None


@dataclass(frozen=True, slots=True)
class Target:
    """What a label names: the kind of piece, its printed number, its id and title."""

    kind: Literal["table", "figure", "section", "equation"]
    number: str
    id: str
    title: str = ""


@dataclass(frozen=True, slots=True)
class Labels:
    """What labels and citation keys stand for in the whole paper."""

    targets: Mapping[str, Target] = field(default_factory=dict)
    citations: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Style:
    """How what follows is set."""

    math: bool = False
    raised: bool = False
    marks: frozenset[Mark] = frozenset()

    def marked(self, *marks: Mark) -> "Style":
        """The same with more marks."""
        return replace(self, marks=self.marks | set(marks))


def spelled(nodes: Sequence[Node], labels: Labels, style: Style = Style()) -> list[Glyph]:
    """The shown characters of nodes in order; white space comes as it stands in the source."""
    return list(_spelled(nodes, labels, style))


def shown_text(nodes: Sequence[Node], labels: Labels) -> str:
    """What nodes print, with single spaces."""
    return " ".join("".join(glyph.text for glyph in spelled(nodes, labels)).split())


def _spelled(nodes: Sequence[Node], labels: Labels, style: Style) -> Iterator[Glyph]:
    script: Mark | None = None
    for index, node in enumerate(nodes):
        if node.kind == "macro" and node.name in _DECLARED:
            style = style.marked(_DECLARED[node.name])
            continue
        if node.kind == "macro" and node.name in _ROMAN:
            style = replace(style, marks=style.marks - {"bold", "italic"})
            continue
        if node.kind == "chars" and style.math:
            shown = node.name
            for k, char in enumerate(shown):
                if char in "^_":
                    script = "superscript" if char == "^" else "subscript"
                elif char.isspace():
                    continue
                else:
                    yield from _signs(char, node.start + k, node.start + k + 1, _scripted(style, script))
                    script = None
            continue
        inside = _scripted(style, script) if style.math else style
        plain = style.math and script is None and index > 0 and "superscript" not in style.marks
        script = None
        if plain and node.kind == "macro" and node.name in _SPACED and "subscript" not in style.marks:
            yield Glyph(f" {symbol(node.name) or ''} ", node.start, node.end, inside.marks)
            continue
        if node.kind == "macro" and node.name == "xspace":
            following = nodes[index + 1].name[:1] if index + 1 < len(nodes) and nodes[index + 1].kind == "chars" else ""
            if following.isalnum() or following == "(":
                yield Glyph(" ", node.start, node.end)
            continue
        yield from _one(node, labels, inside)


def _scripted(style: Style, script: Mark | None) -> Style:
    if script is None:
        return style
    return replace(style, raised=script == "superscript", marks=style.marks | {script})


def _signs(text: str, start: int, end: int, style: Style) -> Iterator[Glyph]:
    """Characters of a text that stand at one place, as they are set."""
    if style.math:
        text = text.replace("-", "−").replace("*", "∗").replace("'", "′")
    if style.raised:
        text = text.translate(_RAISED)
    if text:
        yield Glyph(text, start, end, style.marks)


def _one(node: Node, labels: Labels, style: Style) -> Iterator[Glyph]:
    if node.kind == "chars":
        yield from (
            Glyph(char, node.start + k, node.start + k + 1, style.marks) for k, char in enumerate(_quoted(node.name))
        )
    elif node.kind == "special":
        yield Glyph(_SPECIALS.get(node.name, node.name), node.start, node.end, style.marks)
    elif node.kind == "group":
        yield from _spelled(node.children, labels, style)
    elif node.kind == "math":
        yield from _spelled(node.children, labels, replace(style, math=True, raised=False))
    elif node.kind == "environment":
        yield Glyph(" ", node.start, node.start + 1)
        yield from _spelled(node.children, labels, style)
        yield Glyph(" ", node.end - 1, node.end)
    else:
        yield from _macro(node, labels, style)


def _quoted(text: str) -> str:
    return text.replace("`", "‘").replace("'", "’")


def _macro(node: Node, labels: Labels, style: Style) -> Iterator[Glyph]:
    name = node.name
    if name in _REFERRING:
        yield from _referred(node, labels, style)
    elif name in _CITING:
        yield from _cited(node, labels, style)
    elif name in _SILENT:
        if name in ("hspace", "bibitem"):
            yield Glyph(" ", node.start, node.end)
    elif name in ("num", "SI", "qty", "si", "unit", "ang") and node.arguments:
        yield from _quantity(node, style)
    elif name in _FRACTIONS and len(node.arguments) == 2:
        yield from _spelled(inner(node.arguments[0]), labels, style)
        yield Glyph("/", node.start, node.start + 1, style.marks)
        yield from _spelled(inner(node.arguments[1]), labels, style)
    elif name == "sqrt":
        yield Glyph("√", node.start, node.start + 1, style.marks)
        yield from _spelled(inner(node.last_argument()), labels, style)
    elif name in _ACCENTS and node.arguments:
        yield from _accented(node, labels, style)
    elif name == "ding":
        yield Glyph(_DINGS.get(plain_text(node.last_argument()).strip(), "✓"), node.start, node.end, style.marks)
    elif name in ("url", "nolinkurl"):
        yield Glyph(plain_text(node.last_argument()), node.start, node.end, style.marks)
    elif name in ("textsuperscript", "tnote", "textsubscript"):
        script: Mark = "subscript" if name == "textsubscript" else "superscript"
        yield from _spelled_raised(node, labels, style.marked(script), raised=script == "superscript")
    elif name in ("text", "mathrm", "textrm", "mbox", "hbox", "textnormal", "operatorname") and node.arguments:
        yield from _spelled(inner(node.last_argument()), labels, replace(style, math=False))
    elif (sign := symbol(name)) is not None:
        if style.raised:
            sign = sign.translate(_RAISED)
        yield Glyph(sign if sign != "\u2003" else " ", node.start, node.end, style.marks)
    elif name == "stackrel" or name in ("overset", "underset"):
        yield from _spelled(inner(node.last_argument()), labels, style)
    else:
        yield from _spelled(inner(node.last_argument()), labels, _marked(style, name))


def _spelled_raised(node: Node, labels: Labels, style: Style, *, raised: bool) -> Iterator[Glyph]:
    for glyph in _spelled(inner(node.last_argument()), labels, style):
        yield replace(glyph, text=glyph.text.translate(_RAISED)) if raised else glyph


def _marked(style: Style, name: str) -> Style:
    if name in _BOLD:
        return style.marked("bold")
    if name in _ITALIC:
        return style.marked("italic")
    if name in _UNDERLINE:
        return style.marked("underline")
    if name in _COLOURED:
        return style.marked("colour")
    return style


def _accented(node: Node, labels: Labels, style: Style) -> Iterator[Glyph]:
    glyphs = list(_spelled(inner(node.last_argument()), labels, style))
    if not glyphs:
        return
    first = glyphs[0].text.translate(str.maketrans("ıȷ", "ij"))
    yield replace(glyphs[0], text=unicodedata.normalize("NFC", first[:1] + _ACCENTS[node.name] + first[1:]))
    yield from glyphs[1:]


def _quantity(node: Node, style: Style) -> Iterator[Glyph]:
    """siunitx: a number, a number with its unit, or a unit."""
    texts = [plain_text(argument) for argument in node.arguments]
    if node.name in ("si", "unit"):
        shown = spelled_unit(texts[-1])
    elif node.name == "num":
        shown = spelled_number(texts[-1])
    elif node.name == "ang":
        shown = texts[-1] + "°"
    else:
        unit = spelled_unit(texts[-1])
        shown = spelled_number(texts[1]) + ("" if unit in ("%", "°") else " ") + unit
    yield from (Glyph(char, node.start, node.end, style.marks) for char in shown)


def _referred(node: Node, labels: Labels, style: Style) -> Iterator[Glyph]:
    """The printed number of each label; a word before it where the command writes one."""
    keys = [key.strip() for key in plain_text(node.last_argument()).split(",")]
    found = [(key, labels.targets.get(key)) for key in keys]
    clever = node.name in ("cref", "Cref", "autoref")
    for position, (key, target) in enumerate(found):
        if position:
            yield Glyph(", " if position < len(found) - 1 else " and ", node.start, node.end, style.marks)
        elif clever and target is not None:
            yield Glyph(_kind_name(target, plural=len(found) > 1) + " ", node.start, node.end, style.marks)
        number = "??" if target is None else target.title if node.name == "nameref" else target.number
        bracketed = node.name == "eqref" or (clever and target is not None and target.kind == "equation")
        yield Glyph(f"({number})" if bracketed else number, node.start, node.end, style.marks, key if target else None)


def _kind_name(target: Target, *, plural: bool) -> str:
    lettered = target.kind == "section" and _LETTERED.match(target.number)
    name = _NAMES["appendix" if lettered else target.kind]
    return (name[:-2] + "ices" if name.endswith("ix") else name + "s") if plural else name


def _cited(node: Node, labels: Labels, style: Style) -> Iterator[Glyph]:
    """A citation as printed, as far as the list of references tells; "Author (Year)" or "[3]"."""
    keys = [key.strip() for key in plain_text(node.last_argument()).split(",")]
    shown = [labels.citations[key] for key in keys if key in labels.citations]
    if not shown:
        return
    if any(not one.isdigit() for one in shown):
        named = [re.match(r"(.*?)\s*\((.{4,6})\)", one) for one in shown]
        bare = [(m[1], m[2]) if m else (one, "") for m, one in zip(named, shown, strict=True)]
        if node.name in ("citet", "textcite", "Citet", "citeauthor"):
            text = "; ".join(a if node.name == "citeauthor" else f"{a} ({y})" for a, y in bare)
        else:
            text = "(" + "; ".join(f"{a}, {y}" for a, y in bare) + ")"
    else:
        text = "[" + ", ".join(shown) + "]"
    yield from (Glyph(char, node.start, node.end, style.marks) for char in text)
