"""Reads a paper written in Markdown; places are columns and lines of the source."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from markdown_it import MarkdownIt
from markdown_it import __version__ as markdown_it_version

from reproducegym.errors import UnreadablePaperError
from reproducegym.parsing.markdown.tables import (
    FoundMarkdownTable,
    html_table_ranges,
    pipe_columns,
    read_html_table,
    read_pipe_table,
)
from reproducegym.parsing.markdown.words import words_of_lines
from reproducegym.parsing.source_words import SourceWord, paragraph_of, place_of, text_of
from reproducegym.parsing.text.paragraphs import Role
from reproducegym.schema.paper import (
    Caption,
    Document,
    Figure,
    Page,
    PageWords,
    Paragraph,
    Parsed,
    Place,
    Section,
    Source,
    Table,
)

__all__ = ["MarkdownParser"]

_CAPTION = re.compile(r"(?P<word>Table|Tab\.|Figure|Fig\.)\s*(?P<label>[A-Z]?\.?\d+[a-z]?|[IVXL]+)\s*(?:[:.|–—-]|$)")
_NUMBER = re.compile(r"(?P<number>\d+(?:\.\d+)*|[A-Z](?:\.\d+)*(?=[.\s]\s*\S))\.?\s+(?P<title>\S.*)")
_IMAGE = re.compile(
    r"(?P<link>\[)?!\[(?P<alt>(?:[^\[\]]|\[[^\[\]]*\])*)\]\([^)\s]*(?:\s[^)]*)?\)(?(link)\]\([^)\s]*\))"
)


class MarkdownParser:
    """Reads Markdown."""

    name = "markdown"

    def parse(self, source: Source, paper_id: str) -> Parsed:
        """Read Markdown (CommonMark with pipe tables and HTML tables).

        Raises:
            UnreadablePaperError: it is not UTF-8 text, or holds no text.
        """
        text = _decoded(source)
        lines = text.split("\n")
        reading = _Reading(lines)
        document = Document(
            schema_version=1,
            paper_id=paper_id,
            title=reading.title,
            language=None,
            coordinates="markdown_lines",
            pages=(
                Page(number=1, width=float(max(len(line) for line in lines)), height=float(len(lines)), content="text"),
            ),
            sections=tuple(reading.sections),
            paragraphs=tuple(reading.paragraphs),
            tables=tuple(reading.tables),
            figures=tuple(reading.figures),
            equations=(),
            references=(),
            warnings=() if reading.title else ("no title was found",),
        )
        words = PageWords(page=1, words=tuple(word.word() for word in reading.words))
        return Parsed(
            document=document,
            words=(words,),
            charts=(),
            paper_md=text if text.endswith("\n") else text + "\n",
            figures={},
            parser=self.name,
            parser_version=markdown_it_version,
        )


def _decoded(source: Source) -> str:
    if source.content.startswith(b"%PDF-"):
        raise UnreadablePaperError(f"{source.origin} is a PDF; give it with --pdf")
    try:
        text = source.content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UnreadablePaperError(
            f"{source.origin} is not UTF-8 text (byte {error.start}); save it as UTF-8"
        ) from error
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if "\0" in text:
        raise UnreadablePaperError(f"{source.origin} holds NUL bytes; it is not a text file")
    if not any(char.isalpha() for char in text):
        raise UnreadablePaperError(f"{source.origin} holds no text; give the Markdown of a paper")
    return text


@dataclass(frozen=True, slots=True)
class _Block:
    """A heading (depth > 0) or a paragraph of lines `first`..`last` (exclusive)."""

    first: int
    last: int
    depth: int
    listed: bool


class _Reading:
    """One pass over the blocks of the source."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.title = ""
        self.sections: list[Section] = []
        self.paragraphs: list[Paragraph] = []
        self.tables: list[Table] = []
        self.figures: list[Figure] = []
        self._lines = lines
        html_tables = html_table_ranges(lines)
        blocks, pipe_tables = _blocks(_masked(lines, html_tables))
        separators = {n: pipe_columns(lines[n]) for a, b in pipe_tables for n in range(a, b)}
        rulers = {first + 1 for first, _ in pipe_tables}
        self.words = [word for word in words_of_lines(lines, separators) if word.line not in rulers]
        found = [read_html_table(lines, a, b, self.words) for a, b in html_tables]
        found += [read_pipe_table(lines, a, b, self.words) for a, b in pipe_tables]
        captions = self._read_blocks(blocks)
        tables = sorted((table for table in found if table is not None), key=lambda table: table.first)
        self.tables = [_captioned(table, i, captions) for i, table in enumerate(tables, 1)]

    def _read_blocks(self, blocks: Sequence[_Block]) -> list[tuple[int, int, str, Caption]]:
        """Make sections, paragraphs and figures; give back the table captions with their lines and labels."""
        captions: list[tuple[int, int, str, Caption]] = []
        title = next((b for b in blocks if b.depth == 1), None)
        depths = sorted({b.depth for b in blocks if b.depth and b is not title})
        section: str | None = None
        role: Role = "front"
        for block in blocks:
            words = [word for word in self.words if block.first <= word.line < block.last]
            if not block.depth:
                words = self._without_figures(block, words)
            if not words:
                continue
            if block is title:
                self.title = text_of(words)
            elif block.depth:
                made = self._section(words, depths.index(block.depth) + 1)
                section, role = made.id, _role_after(made.title)
            else:
                match = _CAPTION.match(text_of(words))
                if match and match["word"].startswith("Tab"):
                    caption = Caption(text=text_of(words), place=place_of(words))
                    captions.append((block.first, block.last, match["label"], caption))
                elif match and self.figures and self.figures[-1].caption is None:
                    self._caption_figure(match["label"], words)
                else:
                    listed: Role = "list" if block.listed and role == "body" else role
                    self._paragraph(words, section, listed)
        if not self.title and self.sections:
            self.title = self.sections[0].title
        elif not self.title and self.paragraphs:
            self.title = self.paragraphs[0].sentences[0].text
        return captions

    def _section(self, words: Sequence[SourceWord], level: int) -> Section:
        text = text_of(words)
        match = _NUMBER.fullmatch(text)
        parent = next((s.id for s in reversed(self.sections) if s.level < level), None)
        made = Section(
            id=f"s{len(self.sections) + 1}",
            number=match["number"] if match else None,
            title=match["title"] if match else text,
            level=level,
            parent=parent,
            place=place_of(words),
        )
        self.sections.append(made)
        return made

    def _paragraph(self, words: Sequence[SourceWord], section: str | None, role: Role) -> None:
        self.paragraphs.append(paragraph_of(f"p{len(self.paragraphs) + 1}", words, section, role))

    def _without_figures(self, block: _Block, words: Sequence[SourceWord]) -> list[SourceWord]:
        """Make a figure of each image in a paragraph; give back the words that stand outside of them."""
        lines = self._lines[block.first : block.last]
        starts = {block.first + k: sum(len(line) + 1 for line in lines[:k]) for k in range(len(lines))}
        left = list(words)
        for image in _IMAGE.finditer("\n".join(lines)):
            shown = [word for word in left if image.start() <= starts[word.line] + word.start < image.end()]
            left = [word for word in left if word not in shown]
            line = max(number for number, start in starts.items() if start <= image.start())
            column = image.start() - starts[line]
            end = min(column + len(image[0]), len(self._lines[line]))
            around = Place(page=1, bbox=(float(column), float(line), float(end), float(line + 1)))
            self._figure(image["alt"], place_of(shown) if shown else around)
        return left

    def _figure(self, alt: str, place: Place) -> None:
        match = _CAPTION.match(alt)
        self.figures.append(
            Figure(
                id=f"figure-{len(self.figures) + 1}",
                label=match["label"] if match else None,
                page=1,
                bbox=place.bbox,
                caption=Caption(text=alt, place=place) if match and match.end() < len(alt) else None,
                image=None,
                source="raster",
                panels=(),
            )
        )

    def _caption_figure(self, label: str, words: Sequence[SourceWord]) -> None:
        caption = Caption(text=text_of(words), place=place_of(words))
        self.figures[-1] = self.figures[-1].model_copy(update={"label": label, "caption": caption})


def _role_after(title: str) -> Role:
    name = re.sub(r"[^a-z ]", "", title.lower()).strip()
    if name == "abstract":
        return "abstract"
    return "reference" if name in ("references", "bibliography") else "body"


def _masked(lines: Sequence[str], tables: Sequence[tuple[int, int]]) -> str:
    """The source with HTML tables and YAML front matter blanked, line by line."""
    kept = list(lines)
    for first, last in tables:
        kept[first:last] = [""] * (last - first)
    if kept and kept[0].strip() == "---":
        end = next((i for i in range(1, len(kept)) if kept[i].strip() in ("---", "...")), None)
        if end is not None:
            kept[: end + 1] = [""] * (end + 1)
    return "\n".join(kept)


def _blocks(text: str) -> tuple[list[_Block], list[tuple[int, int]]]:
    """Headings and paragraphs in order, and the line ranges of pipe tables."""
    blocks: list[_Block] = []
    tables: list[tuple[int, int]] = []
    depth = 0
    for token in MarkdownIt("commonmark").enable("table").parse(text):
        if token.type in ("bullet_list_open", "ordered_list_open"):
            depth += 1
        elif token.type in ("bullet_list_close", "ordered_list_close"):
            depth -= 1
        elif token.type == "table_open" and token.map:
            tables.append((token.map[0], token.map[1]))
        elif token.type == "heading_open" and token.map:
            blocks.append(_Block(token.map[0], token.map[1], int(token.tag[1]), listed=False))
        elif token.type == "paragraph_open" and token.map:
            blocks.append(_Block(token.map[0], token.map[1], 0, listed=depth > 0))
    return blocks, tables


def _captioned(found: FoundMarkdownTable, number: int, captions: Sequence[tuple[int, int, str, Caption]]) -> Table:
    """The table with its id, label and caption: its own, else the paragraph right above, else right below."""
    table = found.table.model_copy(update={"id": f"table-{number}"})
    if table.caption is not None:
        match = _CAPTION.match(table.caption.text)
        return table.model_copy(update={"label": match["label"] if match else None})
    above = [c for c in captions if 0 <= found.first - c[1] <= 1]
    below = [c for c in captions if 0 <= c[0] - found.last <= 1]
    if not (above or below):
        return table
    _, _, label, caption = (above or below)[-1 if above else 0]
    return table.model_copy(update={"label": label, "caption": caption})
