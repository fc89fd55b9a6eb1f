"""Walks through the nodes of a paper: headings, paragraphs, equations and floats in order, with their numbers."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from reproducegym.parsing.latex.drafts import Draft, EquationDraft, Heading, ParagraphDraft
from reproducegym.parsing.latex.floats import FloatReader, Kind, tabular_of
from reproducegym.parsing.latex.nodes import Node, inner, plain_text
from reproducegym.parsing.latex.numbering import Counters
from reproducegym.parsing.latex.spelling import Target
from reproducegym.parsing.text.paragraphs import Role

__all__ = ["Walk"]

_LEVELS = {
    "part": 0, "chapter": 1, "section": 1, "subsection": 2, "subsubsection": 3, "paragraph": 4, "subparagraph": 5,
}  # fmt: skip
_DEEPEST_NUMBERED = 3
_EQUATIONS = frozenset({"equation", "align", "gather", "multline", "eqnarray", "flalign", "alignat", "displaymath"})
_MULTIPLE = frozenset({"align", "gather", "eqnarray", "flalign", "alignat"})
_LISTS = frozenset({"itemize", "enumerate", "description", "compactitem", "compactenum", "inparaenum", "checklist"})
_UNREAD = frozenset({"tikzpicture", "pgfpicture", "filecontents", "filecontents*", "verbatim", "lstlisting", "minted"})
_INSIDE_MATHS = frozenset({
    "array", "matrix", "pmatrix", "bmatrix", "vmatrix", "cases", "aligned", "split", "gathered", "smallmatrix",
})  # fmt: skip
_BREAKS = frozenset({
    "par", "bigskip", "medskip", "smallskip", "newpage", "clearpage", "maketitle", "noindent", "vspace",
    "pagebreak",
})  # fmt: skip
_COUNTING = frozenset({
    "setcounter", "addtocounter", "numberwithin", "counterwithin", "counterwithout", "renewcommand", "appendix",
})  # fmt: skip
_BLOCKS = frozenset(_LEVELS) | _BREAKS | _COUNTING | {"item", "bibitem", "includegraphics", "abstract", "twocolumn"}
_FLOATS: Mapping[str, Kind] = {
    "table": "table", "wraptable": "table", "sidewaystable": "table", "longtable": "table", "SCtable": "table",
    "figure": "figure", "wrapfigure": "figure", "sidewaysfigure": "figure", "SCfigure": "figure",
    "teaserfigure": "figure",
}  # fmt: skip


class Walk:
    """One pass over the nodes of a paper, in order."""

    def __init__(self, counters: Counters) -> None:
        self.drafts: list[Draft] = []
        self.targets: dict[str, Target] = {}
        self.citations: dict[str, str] = {}
        self._counters = counters
        self._current = Target("section", "", "")
        self._role: Role = "front"
        self._lists = 0
        self._pending: list[Node] = []
        self._notes: list[tuple[Node, ...]] = []
        self._sections = 0
        self._equations = 0
        self._floats = FloatReader(counters, self.targets)

    def read(self, nodes: Sequence[Node]) -> None:
        """Go through more nodes of the paper."""
        self._walk(nodes)
        self._flush()

    def front(self, nodes: Sequence[Node]) -> None:
        """Text before the paper proper, such as the authors."""
        self.drafts.append(ParagraphDraft("front", tuple(nodes)))

    def abstract(self, nodes: Sequence[Node]) -> None:
        """The abstract."""
        self._flush()
        role, self._role = self._role, "abstract"
        self._walk(nodes)
        self._flush()
        self._role = role

    def count(self, node: Node) -> bool:
        """Follow a command that changes how pieces are counted."""
        texts = [plain_text(argument).strip() for argument in node.arguments]
        if node.name == "appendix":
            self._counters.appendix()
            return True
        if node.name not in _COUNTING or len(texts) < 2:
            return False
        first, second = texts[-2], texts[-1]
        number = int(second) if re.fullmatch(r"-?\d{1,4}", second) else None
        if node.name == "setcounter" and number is not None:
            self._counters.set(first, number)
        elif node.name == "addtocounter" and number is not None:
            self._counters.add(first, number)
        elif node.name in ("numberwithin", "counterwithin"):
            self._counters.within(first, second)
        elif node.name == "counterwithout":
            self._counters.without(first, second)
        elif node.name == "renewcommand" and first.startswith("\\the"):
            self._counters.spell_as(first[4:], second)
        return True

    def _walk(self, nodes: Sequence[Node]) -> None:
        for node in nodes:
            if node.kind == "chars":
                self._characters(node)
            elif node.kind == "special" and node.name == "\n\n":
                self._flush()
            elif node.kind == "group" and _holds_blocks(node):
                self._walk(node.children)
            elif node.kind == "math" and node.name == "display":
                self._display(node.children, numbered=False, several=False)
            elif node.kind == "environment":
                self._environment(node)
            elif node.kind == "macro":
                self._macro(node)
            else:
                self._pending.append(node)

    def _characters(self, node: Node) -> None:
        position = 0
        for match in re.finditer(r"\n[ \t]*\n\s*", node.name):
            self._pending.append(_cut(node, position, match.start()))
            self._flush()
            position = match.end()
        if position < len(node.name):
            self._pending.append(_cut(node, position, len(node.name)))

    def _flush(self) -> None:
        nodes, self._pending = tuple(self._pending), []
        if any(node.kind != "chars" or node.name.strip() for node in nodes):
            role: Role = "list" if self._lists and self._role in ("body", "front") else self._role
            self.drafts.append(ParagraphDraft(role, nodes))
        notes, self._notes = self._notes, []
        self.drafts += [ParagraphDraft("footnote", note) for note in notes]

    def _macro(self, node: Node) -> None:
        if node.name in _LEVELS:
            self._heading(node)
        elif node.name == "label":
            self.targets.setdefault(plain_text(node.last_argument()).strip(), self._current)
        elif node.name in ("footnote", "footnotetext", "tablefootnote"):
            self._pending.append(node)
            self._notes.append(inner(node.last_argument()))
        elif node.name == "abstract":
            self.abstract(inner(node.last_argument()))
        elif node.name == "bibitem":
            self._bibitem(node)
        elif node.name == "item":
            self._flush()
            self._pending += inner(node.arguments[0]) if node.arguments and node.arguments[0] else ()
        elif self.count(node):
            self._flush()
        elif node.name == "includegraphics":
            self._flush()
            found = self._floats.read(node, "figure", (node,))
            self.drafts += found
        elif node.name in _BREAKS:
            self._flush()
        elif node.name not in ("title", "icmltitle", "author", "date"):
            holder = node.last_argument()
            if holder is not None and _holds_blocks(holder):
                self._walk(inner(holder))
            else:
                self._pending.append(node)

    def _heading(self, node: Node) -> None:
        self._flush()
        starred = bool(node.arguments) and node.arguments[0] is not None
        title = inner(node.last_argument())
        level = _LEVELS[node.name]
        words = re.sub(r"[^a-z ]", "", "".join(plain_text(one) for one in title).lower()).strip()
        number = None
        if not starred and level <= _DEEPEST_NUMBERED and node.name != "part":
            number = self._counters.step(node.name)
        if not any(plain_text(one).strip() for one in title):
            return
        self._sections += 1
        self._current = Target("section", number or "", f"section {self._sections}", " ".join(words.split()))
        self.drafts.append(Heading(self._current.id, max(level, 1), number, node, title))
        self._role = _role_after(words)

    def _environment(self, node: Node) -> None:
        name = node.name.rstrip("*")
        if name in _UNREAD or name == "comment":
            self._flush()
        elif name == "abstract":
            self.abstract(node.children)
        elif name in _EQUATIONS:
            starred = node.name.endswith("*") or name == "displaymath"
            self._display(node.children, numbered=not starred, several=name in _MULTIPLE)
        elif name in _INSIDE_MATHS:
            self._pending.append(node)
        elif name in _FLOATS or tabular_of(node) is not None:
            self._flush()
            self.drafts += self._floats.read(
                node, _FLOATS.get(name, "table"), (node,) if tabular_of(node) else node.children
            )
        elif name == "thebibliography":
            self._bibliography(node)
        else:
            self._flush()
            if name in _LISTS:
                self._lists += 1
            if name == "appendices":
                self._counters.appendix()
            if any(one.kind == "macro" and one.name == "captionof" for one in _descendants(node)):
                self.drafts += self._floats.read(node, "figure", node.children)
            else:
                self._walk(node.children)
            self._flush()
            self._lists -= name in _LISTS

    def _bibliography(self, node: Node) -> None:
        self._flush()
        self._sections += 1
        title = Node("chars", "References", node.start, node.start + 10, (), ())
        self.drafts.append(Heading(f"section {self._sections}", 1, None, node, (title,)))
        self._role = "reference"
        self._walk(node.children)
        self._flush()
        self._role = "body"

    def _bibitem(self, node: Node) -> None:
        self._flush()
        key = plain_text(node.last_argument()).strip()
        optional = node.arguments[0] if len(node.arguments) > 1 else None
        printed = re.sub(r"[{}]|\\[A-Za-z]+\s*|~", lambda m: " " if m[0] == "~" else "", plain_text(optional))
        named = re.match(r"(.+?)\((\d{4}[a-z]?)\)", printed.strip())
        number = str(len(self.citations) + 1)
        self.citations.setdefault(key, f"{named[1].strip()} ({named[2]})" if named else printed.strip() or number)
        self._role = "reference"

    def _display(self, nodes: Sequence[Node], *, numbered: bool, several: bool) -> None:
        """An equation, or the rows of several; each that is numbered counts."""
        self._flush()
        rows: list[list[Node]] = [[]]
        for node in nodes:
            if several and node.kind == "macro" and node.name == "\\":
                rows.append([])
            else:
                rows[-1].append(node)
        for row in rows:
            inside = [one for node in row for one in (node, *_descendants(node))]
            if not any(one.kind != "chars" or one.name.strip() for one in row):
                continue
            names = {one.name for one in inside if one.kind == "macro"}
            tag = next((one for one in inside if one.kind == "macro" and one.name == "tag"), None)
            number = " ".join(plain_text(tag.last_argument()).split()) or None if tag else None
            if tag is None and numbered and not names & {"nonumber", "notag"}:
                number = self._counters.step("equation")
            self._equations += 1
            target = Target("equation", number or "", f"equation {self._equations}")
            for one in inside:
                if one.kind == "macro" and one.name == "label":
                    self.targets.setdefault(plain_text(one.last_argument()).strip(), target)
            self.drafts.append(EquationDraft(target.id, number, tuple(row)))


def _cut(node: Node, start: int, end: int) -> Node:
    return replace(node, name=node.name[start:end], start=node.start + start, end=node.start + end)


def _descendants(node: Node) -> Iterator[Node]:
    for child in (*node.children, *(one for one in node.arguments if one is not None)):
        yield child
        yield from _descendants(child)


def _holds_blocks(node: Node) -> bool:
    """Whether anything inside starts a new block of the paper."""
    return any(
        (one.kind == "environment" and one.name not in _INSIDE_MATHS)
        or (one.kind == "macro" and one.name in _BLOCKS)
        or (one.kind == "math" and one.name == "display")
        or (one.kind == "chars" and re.search(r"\n[ \t]*\n", one.name) is not None)
        for one in (node, *_descendants(node))
    )


def _role_after(title: str) -> Role:
    if title == "abstract":
        return "abstract"
    return "reference" if title in ("references", "bibliography") else "body"
