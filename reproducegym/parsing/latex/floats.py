"""Reads what a float holds: captions with their numbers, tabulars, images, titled parts, notes and labels."""

import re
from collections.abc import MutableMapping, Sequence
from typing import Literal

from reproducegym.parsing.latex.drafts import CaptionDraft, FloatDraft, Part, TableSource
from reproducegym.parsing.latex.nodes import Node, inner, plain_text
from reproducegym.parsing.latex.numbering import Counters
from reproducegym.parsing.latex.spelling import Target

__all__ = ["FloatReader", "Kind", "tabular_of"]

_TABULARS = {
    "tabular": 1, "tabular*": 2, "tabularx": 2, "tabulary": 2, "tabu": 0, "longtable": 1, "longtable*": 1,
    "NiceTabular": 1, "array": 1, "xtabular": 0, "supertabular": 0,
}  # fmt: skip
_SUBFLOATS = frozenset({"subtable", "subfigure", "subcaptionblock", "subcaptiongroup"})
Kind = Literal["table", "figure"]


def tabular_of(node: Node) -> TableSource | None:
    """The tabular that an environment is, if it is one."""
    at = _TABULARS.get(node.name)
    if node.kind != "environment" or at is None or (node.name == "array" and len(node.arguments) <= at):
        return None
    return TableSource(node, node.arguments[at] if at < len(node.arguments) else None)


class FloatReader:
    """Reads floats in order; gives numbers to captions and to the labels behind them."""

    def __init__(self, counters: Counters, targets: MutableMapping[str, Target]) -> None:
        self._counters = counters
        self._targets = targets
        self._read = 0

    def read(self, node: Node, kind: Kind, children: Sequence[Node]) -> list[FloatDraft]:
        """The floats of one environment: one for each numbered caption, or one without a caption."""
        reading = _Reading(self._counters, kind, node, f"float {self._read}")
        self._read += 1
        reading.walk(children)
        for key, letter, holder in reading.labels:
            number = (holder.caption.number if holder.caption else None) or ""
            self._targets.setdefault(key, Target(holder.kind, number + letter, holder.name))
        return [one for one in reading.floats if one.holds()]


class _Reading:
    """One float environment."""

    def __init__(self, counters: Counters, kind: Kind, node: Node, name: str) -> None:
        self._name = name
        self.floats = [FloatDraft(name, kind, node)]
        self.labels: list[tuple[str, str, FloatDraft]] = []
        self._counters = counters
        self._kind = kind
        self._node = node
        self._letter = ""

    def _open(self, kind: Kind, node: Node) -> FloatDraft:
        """Begin another float of this environment."""
        self.floats.append(FloatDraft(f"{self._name}.{len(self.floats)}", kind, node))
        return self.floats[-1]

    def walk(self, nodes: Sequence[Node]) -> None:
        for node in nodes:
            if node.kind == "macro":
                self._macro(node)
            elif node.kind == "environment":
                self._environment(node)
            elif node.kind in ("group", "math"):
                self.walk(node.children)

    def _macro(self, node: Node) -> None:
        one = self.floats[-1]
        if node.name in ("caption", "captionof", "subcaption") and node.arguments:
            self._caption(node)
        elif node.name == "label":
            self.labels.append((plain_text(node.last_argument()).strip(), self._letter, one))
        elif node.name == "includegraphics":
            one.parts[-1].images.append(plain_text(node.last_argument()).strip())
        elif node.name in ("subfloat", "subfigure", "subtable") and node.arguments:
            self._part([node.last_argument()], inner(node.arguments[0]))
        elif node.name == "footnotetext":
            one.parts[-1].notes.append(inner(node.last_argument()))
        else:
            for argument in node.arguments:
                if argument is not None:
                    self.walk(inner(argument))

    def _environment(self, node: Node) -> None:
        table = tabular_of(node)
        if table is not None:
            if node.name == "array" or not _only_wraps(node):
                self.floats[-1].parts[-1].tables.append(table)
            if node.name.startswith("longtable") or _only_wraps(node):
                self.walk([one for one in _flat(node.children) if one.name in ("caption", "label", *_wrapped(node))])
        elif node.name in _SUBFLOATS:
            self._part(node.children, ())
        elif node.name == "tablenotes":
            self.floats[-1].parts[-1].notes.append(node.children)
        elif node.name in ("minipage", "floatrow", "ffigbox", "ttabbox") and _captions(node):
            if self.floats[-1].holds():
                self._open(self._kind, node)
            self.walk(node.children)
            self._open(self._kind, self._node)
        else:
            self.walk(node.children)

    def _caption(self, node: Node) -> None:
        one = self.floats[-1]
        text = inner(node.last_argument())
        if self._letter or node.name == "subcaption":
            one.parts[-1].title = text
            return
        kind = self._kind
        if node.name == "captionof":
            kind = "table" if plain_text(node.arguments[0]).strip() == "table" else "figure"
        starred = node.name == "caption" and node.arguments[0] is not None
        number = None if starred else self._counters.step(kind)
        if one.caption is not None:
            one = self._open(kind, node)
        one.kind = kind
        one.caption = CaptionDraft(kind, number, node, text)

    def _part(self, nodes: Sequence[Node | None], title: Sequence[Node]) -> None:
        one = self.floats[-1]
        letters = sum(bool(part.letter) for part in one.parts)
        letter = chr(ord("a") + min(letters, 25))
        one.parts.append(Part(tuple(title), letter))
        self._letter = letter
        for node in nodes:
            if node is not None:
                self.walk(inner(node))
        self._letter = ""
        one.parts.append(Part())


def _flat(nodes: Sequence[Node]) -> list[Node]:
    return [one for node in nodes for one in ((node, *_flat(node.children)) if node.kind == "group" else (node,))]


def _captions(node: Node) -> bool:
    """Whether a numbered caption stands inside, not one of a titled part."""
    for child in (*node.children, *(one for one in node.arguments if one is not None)):
        if child.kind == "macro" and child.name in ("caption", "captionof"):
            return True
        if child.name not in _SUBFLOATS and _captions(child):
            return True
    return False


def _wrapped(node: Node) -> tuple[str, ...]:
    return tuple(_TABULARS) + tuple(_SUBFLOATS) + ("minipage", "includegraphics", "resizebox", "scalebox")


def _only_wraps(node: Node) -> bool:
    """Whether a tabular only sets other tabulars or images side by side."""
    cells: list[list[Node]] = [[]]
    for child in node.children:
        if (child.kind == "special" and child.name == "&") or (child.kind == "macro" and child.name == "\\"):
            cells.append([])
        elif child.kind != "chars" or child.name.strip():
            cells[-1].append(child)
    held = [cell for cell in cells if cell]
    return bool(held) and all(
        any(one.name in ("includegraphics", *_TABULARS) and one.name != "array" and _is_large(one) for one in cell)
        for cell in held
    )


def _is_large(node: Node) -> bool:
    if node.kind == "macro":
        return node.name == "includegraphics"
    text = "".join(plain_text(child) for child in node.children)
    return len(re.findall(r"&", text)) >= 2
