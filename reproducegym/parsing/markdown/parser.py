"""Reads a paper written in Markdown; places are columns and lines of the source."""

import re
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from itertools import accumulate

from markdown_it import __version__ as markdown_it_version

from reproducegym.errors import UnreadablePaperError
from reproducegym.parsing.markdown.blocks import Block, blocks_of
from reproducegym.parsing.markdown.images import FoundImage, image_beside, images_in
from reproducegym.parsing.markdown.tables import (
    FoundMarkdownTable,
    html_table_ranges,
    pipe_columns,
    read_html_table,
    read_pipe_table,
)
from reproducegym.parsing.markdown.words import words_of_lines
from reproducegym.parsing.tables.units import measured
from reproducegym.parsing.text.language import language_of
from reproducegym.parsing.text.paragraphs import Role
from reproducegym.parsing.text.references import Pieces, references_of
from reproducegym.parsing.written.words import SourceWord, paragraph_of, place_of, text_of
from reproducegym.schema.paper import (
    Caption,
    Document,
    Equation,
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
_LATEX = re.compile(r"(?:\s|%.*\n)*\\document(?:class|style)\s*[\[{]")
_TAG = re.compile(r"\\tag\*?\{([^{}]*)\}|\((\w[\w.]{0,6})\)\s*$")


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
        reading = _Reading(lines, source.beside)
        pieces = Pieces(reading.sections, reading.paragraphs, reading.tables, reading.figures, reading.equations)
        document = Document(
            schema_version=1,
            paper_id=paper_id,
            title=reading.title,
            language=language_of(one.text for one in reading.paragraphs if one.role != "reference"),
            coordinates="markdown_lines",
            pages=(
                Page(number=1, width=float(max(len(line) for line in lines)), height=float(len(lines)), content="text"),
            ),
            sections=tuple(reading.sections),
            paragraphs=tuple(reading.paragraphs),
            tables=tuple(reading.tables),
            figures=tuple(reading.figures),
            equations=tuple(reading.equations),
            references=references_of(pieces),
            warnings=(*reading.warnings, *(() if reading.title else ("no title was found",))),
        )
        words = PageWords(page=1, words=tuple(word.word() for word in reading.words))
        return Parsed(
            document=document,
            words=(words,),
            charts=(),
            paper_md=reading.shown(),
            figures=reading.images,
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
    if _LATEX.match(text):
        raise UnreadablePaperError(f"{source.origin} is LaTeX; give it with --latex")
    return text


def _first_of(words: Sequence[SourceWord], line: int) -> int:
    """Where the words of a line, or of those after it, begin."""
    return bisect_left(words, line, key=lambda word: word.line)


class _Reading:
    """One pass over the blocks of the source."""

    def __init__(self, lines: Sequence[str], files: Mapping[str, bytes]) -> None:
        self.title = ""
        self.equations: list[Equation] = []
        self.images: dict[str, bytes] = {}
        self.warnings: list[str] = []
        self.sections: list[Section] = []
        self.paragraphs: list[Paragraph] = []
        self.tables: list[Table] = []
        self.figures: list[Figure] = []
        self._lines = lines
        self._starts = tuple(accumulate((len(line) + 1 for line in lines), initial=0))
        self._files = files
        self._links: list[tuple[int, int, str]] = []
        html_tables = html_table_ranges(lines)
        cut = blocks_of(lines, html_tables)
        self._references, pipe_tables = cut.references, cut.pipe_tables
        separators = {n: pipe_columns(lines[n]) for a, b in pipe_tables for n in range(a, b)}
        rulers = {first + 1 for first, _ in pipe_tables}
        self.words = [word for word in words_of_lines(lines, separators) if word.line not in rulers]
        found = [read_html_table(lines, a, b, self.words) for a, b in html_tables]
        found += [read_pipe_table(lines, a, b, self.words) for a, b in pipe_tables]
        captions = self._read_blocks(cut.blocks)
        tables = sorted((table for table in found if table is not None), key=lambda table: table.first)
        named = [_captioned(table, i, captions) for i, table in enumerate(tables, 1)]
        self.tables = [_measured(table) for table in named]

    def _read_blocks(self, blocks: Sequence[Block]) -> list[tuple[int, int, str, Caption]]:
        """Make sections, paragraphs and figures; give back the table captions with their lines and labels."""
        captions: list[tuple[int, int, str, Caption]] = []
        title = next((b for b in blocks if b.depth == 1), None)
        depths = sorted({b.depth for b in blocks if b.depth and b is not title})
        section: str | None = None
        role: Role = "front"
        for block in blocks:
            words = self.words[_first_of(self.words, block.first) : _first_of(self.words, block.last)]
            if block.equation:
                self._equation(words)
                continue
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

    def _without_figures(self, block: Block, words: Sequence[SourceWord]) -> list[SourceWord]:
        """Make a figure of each image in a paragraph; give back the words that stand outside of them."""
        lines = self._lines[block.first : block.last]
        before = self._starts[block.first]
        starts = {number: self._starts[number] - before for number in range(block.first, block.last)}
        left = list(words)
        for image in images_in("\n".join(lines), self._references):
            shown = [word for word in left if image.start <= starts[word.line] + word.start < image.end]
            left = [word for word in left if word not in shown]
            line = max(number for number, start in starts.items() if start <= image.start)
            column = image.start - starts[line]
            end = min(column + image.end - image.start, len(self._lines[line]))
            around = Place(page=1, bbox=(float(column), float(line), float(end), float(line + 1)))
            file = self._figure(image, place_of(shown) if shown else around)
            if file is not None:
                self._links.append((before + image.start, before + image.end, f"![{image.alt}](figures/{file})"))
        return left

    def _figure(self, image: FoundImage, place: Place) -> str | None:
        """Make the figure of an image; gives the name of the file that shows it."""
        match = _CAPTION.match(image.alt)
        name = f"figure-{len(self.figures) + 1}"
        found = image_beside(image.link, self._files)
        file = None
        if isinstance(found, str):
            self.warnings.append(f"{name}: its image {' '.join(image.link.split()) or 'without a link'} {found}")
        else:
            file = name + found[0]
            self.images[file] = found[1]
        self.figures.append(
            Figure(
                id=name,
                label=match["label"] if match else None,
                page=1,
                bbox=place.bbox,
                caption=Caption(text=image.alt, place=place) if match and match.end() < len(image.alt) else None,
                image=file,
                source="raster",
                panels=(),
            )
        )
        return file

    def _equation(self, words: Sequence[SourceWord]) -> None:
        """Make an equation of its source; a tag, or a number in brackets behind it, is its label."""
        text = text_of(words)
        match = _TAG.search(text)
        bare = " ".join(_TAG.sub("", text, count=1).split()) if match else text
        bare = bare.removeprefix("[").removesuffix("]").strip()
        if bare:
            name = f"equation-{len(self.equations) + 1}"
            label = (match[1] or match[2]) if match else None
            self.equations.append(Equation(id=name, label=label, text=bare, place=place_of(words)))

    def shown(self) -> str:
        """The source with each link to an image beside it led to the copy that is kept."""
        text = "\n".join(self._lines)
        for start, end, link in reversed(self._links):
            text = text[:start] + link + text[end:]
        return text if text.endswith("\n") else text + "\n"

    def _caption_figure(self, label: str, words: Sequence[SourceWord]) -> None:
        caption = Caption(text=text_of(words), place=place_of(words))
        self.figures[-1] = self.figures[-1].model_copy(update={"label": label, "caption": caption})


def _role_after(title: str) -> Role:
    name = re.sub(r"[^a-z ]", "", title.lower()).strip()
    if name == "abstract":
        return "abstract"
    return "reference" if name in ("references", "bibliography") else "body"


def _measured(table: Table) -> Table:
    """The table with units and multipliers that its headers and caption tell."""
    caption = table.caption.text if table.caption else ""
    return table.model_copy(update={"cells": measured(table.cells, caption)})


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
