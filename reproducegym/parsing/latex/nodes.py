"""Parses LaTeX into a tree of typed nodes; the only module that knows pylatexenc."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from pylatexenc.latex2text import get_default_latex_context_db as symbol_specs
from pylatexenc.latexwalker import (
    LatexCharsNode,
    LatexEnvironmentNode,
    LatexGroupNode,
    LatexMacroNode,
    LatexMathNode,
    LatexSpecialsNode,
    LatexWalker,
    LatexWalkerError,
    get_default_latex_context_db,
)
from pylatexenc.macrospec import std_environment, std_macro
from pylatexenc.version import version_str

__all__ = ["LIBRARY_VERSION", "Node", "inner", "parsed_nodes", "plain_text", "symbol"]

LIBRARY_VERSION: str = version_str
_MACROS = {
    "multicolumn": "{{{", "multirow": "[{[{[{", "multirowcell": "{[[{", "cmidrule": "{", "cline": "{",
    "makecell": "*[{", "thead": "*[{", "shortstack": "[{", "rotatebox": "[{{", "rot": "{", "resizebox": "*{{{",
    "scalebox": "{[{", "textcolor": "[{{", "colorbox": "[{{", "fcolorbox": "[{{{", "cellcolor": "[{", "rowcolor": "[{",
    "color": "[{", "columncolor": "[{", "num": "[{", "SI": "[{[{", "qty": "[{{", "si": "[{", "unit": "[{", "ang": "[{",
    "adjustbox": "{{", "raisebox": "{[[{", "parbox": "[[[{{", "makebox": "[[{", "framebox": "[[{", "underline": "{",
    "ul": "{", "uline": "{", "uuline": "{", "dashuline": "{", "st": "{", "hl": "{", "textbf": "{", "textit": "{",
    "emph": "{", "textsc": "{", "texttt": "{", "textsf": "{", "textrm": "{", "textsl": "{", "textmd": "{",
    "textup": "{",
    "textnormal": "{", "textsuperscript": "{", "textsubscript": "{", "mathbf": "{", "boldsymbol": "{", "bm": "{",
    "mathrm": "{", "mathit": "{", "mathsf": "{", "mathtt": "{", "mathcal": "{", "mathbb": "{", "mathscr": "{",
    "mathfrak": "{", "operatorname": "*{", "text": "{", "mbox": "{", "hbox": "{", "fbox": "{", "ensuremath": "{",
    "phantom": "{", "hphantom": "{", "vphantom": "{", "hspace": "*{", "vspace": "*{", "kern": "", "href": "{{",
    "url": "{", "nolinkurl": "{", "label": "{", "ref": "*{", "eqref": "{", "cref": "*{", "Cref": "*{", "autoref": "*{",
    "nameref": "*{", "pageref": "*{", "hyperref": "[{", "cite": "*[[{", "citet": "*[[{", "citep": "*[[{",
    "citealt": "*[[{", "citealp": "*[[{", "citeauthor": "*{", "citeyear": "{", "citeyearpar": "{", "textcite": "[[{",
    "parencite": "*[[{", "autocite": "*[[{", "Citet": "*[[{", "Citep": "*[[{", "footnote": "[{", "footnotetext": "[{",
    "footnotemark": "[", "tablefootnote": "[{", "thanks": "{", "caption": "*[{", "captionof": "{[{",
    "subcaption": "[{", "subfloat": "[[{", "subfigure": "[[{", "subtable": "[[{", "part": "*[{", "chapter": "*[{",
    "section": "*[{", "subsection": "*[{", "subsubsection": "*[{", "paragraph": "*[{", "subparagraph": "*[{",
    "title": "[{", "icmltitle": "{", "author": "[{", "date": "{", "bibitem": "[{", "item": "[", "tag": "*{",
    "setcounter": "{{", "addtocounter": "{{", "counterwithin": "*{{", "counterwithout": "*{{", "numberwithin": "[{{",
    "renewcommand": "{{", "includegraphics": "*[[{", "bibliography": "{", "bibliographystyle": "{", "frac": "{{",
    "tfrac": "{{", "dfrac": "{{", "nicefrac": "{{", "sqrt": "[{", "overline": "{", "widehat": "{", "widetilde": "{",
    "setlength": "{{", "addtolength": "{{", "addcontentsline": "{{{", "definecolor": "{{{", "pagestyle": "{",
    "thispagestyle": "{", "fontsize": "{{", "selectfont": "", "newline": "", "ding": "{", "symbol": "{", "tnote": "{",
    "textsmaller": "[{", "stackrel": "{{", "overset": "{{", "underset": "{{", "underbrace": "{", "overbrace": "{",
    "specialrule": "{{{", "addlinespace": "[", "toprule": "[", "midrule": "[", "bottomrule": "[", "hhline": "{",
    "arrayrulecolor": "{", "rowcolors": "*[{{{", "tablehead": "{", "captionsetup": "[{", "acksection": "",
    "twocolumn": "[", "abstract": "{", "documentclass": "[{[", "documentstyle": "[{", "usepackage": "[{[",
    "RequirePackage": "[{[", "graphicspath": "{", "bibpunct": "[{{{{{{", "geometry": "{", "hypersetup": "{",
    "lstset": "{", "sisetup": "{",
}  # fmt: skip
_ENVIRONMENTS = {
    "tabular": "[{", "tabular*": "{[{", "tabularx": "{[{", "tabulary": "{[{", "tabu": "{", "longtable": "[{",
    "NiceTabular": "[{", "array": "[{", "table": "[", "table*": "[", "figure": "[", "figure*": "[", "wraptable": "[{[{",
    "wrapfigure": "[{[{", "sidewaystable": "[", "sidewaysfigure": "[", "minipage": "[[[{", "subtable": "[{",
    "subfigure": "[{", "adjustbox": "{", "threeparttable": "[", "tablenotes": "[", "itemize": "[", "enumerate": "[",
    "description": "[", "thebibliography": "{", "multicols": "{", "xtabular": "{", "supertabular": "{",
    "subequations": "", "resizebox": "{{", "alignat": "{", "alignat*": "{", "longtable*": "[{", "SCtable": "[[",
    "floatrow": "[", "appendices": "",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Node:
    """A piece of LaTeX between two offsets. `name` is the text of `chars` and `special`, the name of the others.

    `arguments` are those of a macro or environment (None where an optional one is not given); `children` the inside
    of a group, an environment or mathematics (`name` "display" or "inline").
    """

    kind: Literal["chars", "special", "macro", "group", "environment", "math"]
    name: str
    start: int
    end: int
    arguments: tuple["Node | None", ...]
    children: tuple["Node", ...]

    def last_argument(self) -> "Node | None":
        """The argument that holds the text of a macro."""
        return self.arguments[-1] if self.arguments else None


def _walker(text: str) -> LatexWalker:
    known = get_default_latex_context_db()
    known.add_context_category(
        "papers",
        macros=[std_macro(name, shape) for name, shape in _MACROS.items()],
        environments=[
            std_environment(name, shape, is_math_mode=name == "array") for name, shape in _ENVIRONMENTS.items()
        ],
        prepend=True,
    )
    return LatexWalker(text, latex_context=known, tolerant_parsing=True)


def parsed_nodes(text: str, offset: int = 0) -> tuple[Node, ...]:
    """The nodes of a balanced text. Positions start at `offset`."""
    walker = _walker(text)
    nodes: list[Node] = []
    position = 0
    while position < len(text):
        try:
            found, start, length = walker.get_latex_nodes(position)
        except (LatexWalkerError, RecursionError, IndexError, ValueError, TypeError, AttributeError):
            following = text.find("\n\n", position + 1)  # the library's tolerance has gaps: go on with a new paragraph
            position = following if following >= 0 else len(text)
            continue
        nodes += _converted(found, offset)
        position = max(start + length, position + 1)
    return tuple(nodes)


def _converted(found: Sequence[object] | None, offset: int) -> Iterator[Node]:
    for node in found or ():
        made = _node(node, offset)
        if made is not None:
            yield made


def _node(node: object, offset: int) -> Node | None:
    if isinstance(node, LatexCharsNode):
        return _made(node, "chars", node.chars, offset)
    if isinstance(node, LatexSpecialsNode):
        return _made(node, "special", node.specials_chars, offset)
    if isinstance(node, LatexGroupNode):
        return _made(node, "group", node.delimiters[0], offset, children=node.nodelist)
    if isinstance(node, LatexMathNode):
        return _made(node, "math", node.displaytype, offset, children=node.nodelist)
    if isinstance(node, LatexEnvironmentNode):
        return _made(node, "environment", node.environmentname, offset, node.nodeargd, node.nodelist)
    if isinstance(node, LatexMacroNode):
        return _made(node, "macro", node.macroname, offset, node.nodeargd)
    return None


def _made(
    node: LatexCharsNode,
    kind: Literal["chars", "special", "macro", "group", "environment", "math"],
    name: str,
    offset: int,
    given: object = None,
    children: Sequence[object] | None = None,
) -> Node:
    listed = getattr(given, "argnlist", None) or ()
    arguments = tuple(None if one is None else _node(one, offset) for one in listed)
    start = int(node.pos) + offset
    return Node(kind, str(name), start, start + int(node.len), arguments, tuple(_converted(children, offset)))


def inner(node: Node | None) -> tuple[Node, ...]:
    """What stands inside a group; a lone node is itself its inside."""
    if node is None:
        return ()
    return node.children if node.kind == "group" else (node,)


def plain_text(node: Node | None) -> str:
    """The bare characters of an argument such as a label or a file name."""
    if node is None:
        return ""
    if node.kind in ("chars", "special"):
        return node.name
    if node.kind == "macro":
        return "_" if node.name == "_" else f"\\{node.name}" + "".join(f"{{{plain_text(a)}}}" for a in node.arguments)
    return "".join(
        f"{{{plain_text(child)}}}" if child.kind == "group" else plain_text(child) for child in node.children
    )


_SYMBOLS = symbol_specs()
_OWN_SYMBOLS = {
    "checkmark": "✓", "cmark": "✓", "xmark": "✗", "S": "§", "P": "¶", "uparrow": "↑", "downarrow": "↓", "%": "%",
    "textasciitilde": "~", "textbackslash": "\\", "textpm": "±", "textendash": "–", "textemdash": "—", "quad": " ",
    "qquad": " ", ",": " ", ":": " ", ";": " ", "!": "", " ": " ", "\n": " ", "enspace": " ", "thinspace": " ",
    "medspace": " ", "bigstar": "★", "tbd": "TBD", "LaTeX": "LaTeX", "TeX": "TeX", "textdegree": "°", "degree": "°",
    "percent": "%", "ast": "∗", "star": "⋆", "sim": "∼", "eps": "ϵ", "slash": "/", "varnothing": "∅", "tilde": "~",
    "blacksquare": "■", "square": "□", "triangle": "△", "colon": ":", "dots": "…", "ldots": "…", "cdots": "⋯",
    "newline": " ", "/": "", "-": "", "@": "", "left": "", "right": "", "big": "", "Big": "", "bigl": "", "bigr": "",
    "tabularnewline": " ", "\\": " ", "minus": "−", "ddag": "‡", "ddagger": "‡", "dag": "†", "textless": "<",
    "textgreater": ">", "textbar": "|", "textdagger": "†", "textdaggerdbl": "‡", "textasteriskcentered": "*",
    "textbullet": "•", "bullet": "•",
}  # fmt: skip


def symbol(name: str) -> str | None:
    """The sign that a macro without arguments prints; None where it prints none that we know."""
    if name in _OWN_SYMBOLS:
        return _OWN_SYMBOLS[name]
    found = _SYMBOLS.get_macro_spec(name)
    written: str | Callable[..., str] | None = found.simplify_repl if found is not None else None
    return written if isinstance(written, str) and not re.search(r"%[(s]", written) and len(written) < 12 else None
