"""Spells the drafts of a LaTeX paper: sections, paragraphs, tables, figures and equations with their places."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from reproducegym.parsing.boxes import union
from reproducegym.parsing.latex.columns import columns_of
from reproducegym.parsing.latex.drafts import (
    CaptionDraft,
    Draft,
    EquationDraft,
    FloatDraft,
    Heading,
    ParagraphDraft,
    Part,
)
from reproducegym.parsing.latex.grid import grid_of
from reproducegym.parsing.latex.images import found_image
from reproducegym.parsing.latex.nodes import Node
from reproducegym.parsing.latex.source_text import LineTable, SourceText
from reproducegym.parsing.latex.spelling import Glyph, Labels, Style, spelled
from reproducegym.parsing.latex.tables import read_tabular
from reproducegym.parsing.latex.words import MarkedWord, Typesetter
from reproducegym.parsing.tables.parts import PartTitle, stacked_cells
from reproducegym.parsing.tables.units import measured
from reproducegym.parsing.written.words import offsets_of, paragraph_of, place_of, text_of
from reproducegym.schema.base import BBox
from reproducegym.schema.paper import (
    Caption,
    Equation,
    Figure,
    Panel,
    Paragraph,
    Reference,
    Section,
    Table,
)

__all__ = ["Builder", "Spot"]

Block = Section | Paragraph | Table | Figure | Equation


@dataclass(frozen=True, slots=True)
class Spot:
    """A printed number that a \\ref made: where in the text of which piece, and the label it names."""

    source: str
    start: int
    end: int
    key: str


class Builder:
    """Makes the pieces of a document from drafts, in order."""

    def __init__(self, source: SourceText, lines: LineTable, labels: Labels, files: Mapping[str, bytes]) -> None:
        self.blocks: list[Block] = []
        self.words: list[MarkedWord] = []
        self.ids: dict[str, str] = {}
        self.spots: list[Spot] = []
        self.images: dict[str, bytes] = {}
        self.warnings: list[str] = []
        self._setter = Typesetter(source, lines)
        self._source = source
        self._lines = lines
        self._labels = labels
        self._files = files
        self._section: str | None = None
        self._counts: dict[str, int] = {}

    def build(self, drafts: Sequence[Draft]) -> None:
        """Add the pieces of all drafts."""
        for draft in drafts:
            if isinstance(draft, Heading):
                self._heading(draft)
            elif isinstance(draft, ParagraphDraft):
                self._paragraph(draft)
            elif isinstance(draft, EquationDraft):
                self._equation(draft)
            elif draft.kind == "table":
                self._table(draft)
            else:
                self._figure(draft)

    def of(self, kind: type[Block]) -> list[Block]:
        """All pieces of one kind."""
        return [block for block in self.blocks if isinstance(block, kind)]

    def _next(self, kind: str) -> int:
        self._counts[kind] = self._counts.get(kind, 0) + 1
        return self._counts[kind]

    def spell(self, nodes: Sequence[Node], prefix: Sequence[Glyph] = ()) -> list[MarkedWord]:
        """The words of nodes, which become words of the page."""
        words = self._setter.words([*prefix, *spelled(nodes, self._labels)])
        self.words += words
        return words

    def _area(self, node: Node) -> BBox:
        """The lines of the source from the start of a node to its end."""
        first, last = self._setter.at(node.start)[0], self._setter.at(max(node.start, node.end - 1))[0]
        first, last = min(first, last), max(first, last)
        longest = max(len(line) for line in self._lines.lines[first : last + 1])
        return (0.0, float(first), float(max(longest, 1)), float(last + 1))

    def _heading(self, draft: Heading) -> None:
        words = self.spell(draft.title)
        if not words:
            return
        sections = [block for block in self.blocks if isinstance(block, Section)]
        parent = next((one.id for one in reversed(sections) if one.level < draft.level), None)
        made = Section(
            id=f"s{self._next('section')}",
            number=draft.number,
            title=text_of(words),
            level=draft.level,
            parent=parent,
            place=place_of(words),
        )
        self.ids[draft.name] = self._section = made.id
        self.blocks.append(made)

    def _paragraph(self, draft: ParagraphDraft) -> None:
        words = self.spell(draft.nodes)
        if not words:
            return
        made = paragraph_of(f"p{self._next('paragraph')}", words, self._section, draft.role)
        self.blocks.append(made)
        for (start, end), word in zip(offsets_of(words), words, strict=True):
            if not word.keys:
                continue
            holder = next((one for one in made.sentences if one.start <= start and end <= one.end), None)
            if holder is not None:
                self._refer(holder.id, start - holder.start, word)

    def _refer(self, source: str, start: int, word: MarkedWord) -> None:
        self.spots += [Spot(source, start, start + len(word.text), key) for key in word.keys]

    def _equation(self, draft: EquationDraft) -> None:
        words = self._setter.words(spelled(draft.nodes, self._labels, Style(math=True)))
        if not words:
            return
        self.words += words
        name = f"equation-{self._next('equation')}"
        self.ids[draft.name] = name
        self.blocks.append(Equation(id=name, label=draft.number, text=text_of(words), place=place_of(words)))

    def _caption(self, draft: CaptionDraft | None, source: str) -> Caption | None:
        if draft is None:
            return None
        named = {"table": "Table", "figure": "Figure"}[draft.kind]
        start = f"{named} {draft.number}: " if draft.number else ""
        end = min(draft.node.start + len("\\caption"), draft.node.end)
        words = self.spell(draft.text, [Glyph(char, draft.node.start, end) for char in start])
        if not words:
            return None
        for (at, _), word in zip(offsets_of(words), words, strict=True):
            self._refer(source, at, word)
        return Caption(text=text_of(words), place=place_of(words))

    def _table(self, draft: FloatDraft) -> None:
        name = f"table-{self._next('table')}"
        read: list[tuple[PartTitle | None, Table]] = []
        for part in draft.parts:
            title = self._part_title(part) if part.tables else None
            for source in part.tables:
                columns = columns_of(self._plain(source.specification))
                found = read_tabular(
                    grid_of(source.node.children, columns), columns, self._labels, self._setter, self._area(draft.node)
                )
                if found is not None:
                    self.words += found[1]
                    read.append((title, found[0]))
                    title = None
        label = draft.caption.number if draft.caption else None
        if not read:
            self._counts["table"] -= 1
            if draft.caption is not None:
                self.spell(draft.caption.text)
                self.warnings.append(f"table {label or 'without a number'} has a caption but no tabular was found")
            return
        self.ids[draft.name] = name
        caption = self._caption(draft.caption, name)
        notes = tuple(text for part in draft.parts for nodes in part.notes if (text := text_of(self.spell(nodes))))
        tables = [table for _, table in read]
        several = len(read) > 1 or read[0][0] is not None
        cells = stacked_cells([(title, table.cells) for title, table in read]) if several else tables[0].cells
        own = tuple(note for table in tables for note in table.notes)
        self.blocks.append(
            tables[0].model_copy(
                update={
                    "id": name,
                    "label": label,
                    "caption": caption,
                    "cells": measured(cells, caption.text if caption else ""),
                    "notes": own + notes,
                }
            )
        )

    def _plain(self, node: Node | None) -> str:
        """The source inside a group."""
        return "" if node is None else self._source.text[node.start + 1 : node.end - 1]

    def _part_title(self, part: Part) -> PartTitle | None:
        if not part.letter or not part.title:
            return None
        at = part.title[0].start
        words = self.spell(part.title, [Glyph(char, at, at + 1) for char in f"({part.letter}) "])
        return PartTitle(text_of(words), union(word.box for word in words))

    def _figure(self, draft: FloatDraft) -> None:
        name = f"figure-{self._next('figure')}"
        self.ids[draft.name] = name
        area = self._area(draft.node)
        caption = self._caption(draft.caption, name)
        label = draft.caption.number if draft.caption else None
        panels = []
        for part in draft.parts:
            if part.letter:
                words = self.spell(part.title)
                box = union(word.box for word in words) if words else area
                panels.append(Panel(label=part.letter, title=text_of(words) or None, bbox=box, words=()))
        wanted = [image for part in draft.parts for image in part.images]
        found = [one for image in wanted if (one := found_image(image, self._files)) is not None]
        shown = next((one for one in found if one.shows), None)
        file = f"{name}{shown.suffix}" if shown else None
        if shown is not None and file is not None:
            self.images[file] = shown.content
        elif wanted:
            which = f"figure {label}" if label else name
            state = "is in a format that is not shown" if found else "is missing"
            self.warnings.append(f"{which}: its image {wanted[0]} {state}")
        self.blocks.append(
            Figure(
                id=name,
                label=label,
                page=1,
                bbox=area,
                caption=caption,
                image=file,
                source="vector" if found and not any(one.shows for one in found) else "raster",
                panels=tuple(panels),
            )
        )

    def references(self, known: Sequence[Reference]) -> tuple[Reference, ...]:
        """References told by words, and those that only a \\ref makes, in the order of their sources."""
        made = list(known)
        for spot in self.spots:
            target = self._labels.targets[spot.key]
            taken = any(one.source == spot.source and one.start < spot.end and spot.start < one.end for one in known)
            if not taken and target.number:
                made.append(
                    Reference(
                        source=spot.source,
                        start=spot.start,
                        end=spot.end,
                        kind=target.kind,
                        label=target.number,
                        panel=None,
                        target=self.ids.get(target.id),
                    )
                )
        return tuple(made)
