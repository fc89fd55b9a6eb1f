"""The pieces of a LaTeX paper before they are spelled: numbered, in reading order, with their source."""

from dataclasses import dataclass, field
from typing import Literal

from reproducegym.parsing.latex.nodes import Node
from reproducegym.parsing.text.paragraphs import Role

__all__ = ["CaptionDraft", "Draft", "EquationDraft", "FloatDraft", "Heading", "ParagraphDraft", "Part", "TableSource"]


@dataclass(frozen=True, slots=True)
class Heading:
    """A section; `number` is None for starred ones; `name` tells it from the other drafts."""

    name: str
    level: int
    number: str | None
    node: Node
    title: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class ParagraphDraft:
    """A paragraph."""

    role: Role
    nodes: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class EquationDraft:
    """A displayed equation, or one row of several."""

    name: str
    number: str | None
    nodes: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class CaptionDraft:
    """A caption; `number` is None for starred ones."""

    kind: Literal["table", "figure"]
    number: str | None
    node: Node
    text: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class TableSource:
    """A tabular: its environment, and the offsets of its column specification."""

    node: Node
    specification: Node | None


@dataclass(slots=True)
class Part:
    """What a float, or one of its parts with a title of its own, holds, in order."""

    title: tuple[Node, ...] = ()
    letter: str = ""
    tables: list[TableSource] = field(default_factory=list)
    images: list[str] = field(default_factory=list)
    notes: list[tuple[Node, ...]] = field(default_factory=list)


@dataclass(slots=True)
class FloatDraft:
    """A float, or a part of one with a numbered caption of its own."""

    name: str
    kind: Literal["table", "figure"]
    node: Node
    caption: CaptionDraft | None = None
    parts: list[Part] = field(default_factory=lambda: [Part()])

    def holds(self) -> bool:
        """Whether there is anything to show."""
        return self.caption is not None or any(part.tables or part.images for part in self.parts)


Draft = Heading | ParagraphDraft | EquationDraft | FloatDraft
