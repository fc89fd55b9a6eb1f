"""Reads a paper from its LaTeX source; places are columns and lines of the source with all included files in place."""

import re
from collections.abc import Iterator, Mapping

from reproducegym.errors import UnreadablePaperError
from reproducegym.parsing.latex.balance import balanced
from reproducegym.parsing.latex.blocks import Walk
from reproducegym.parsing.latex.document import Builder
from reproducegym.parsing.latex.files import flattened, styles_of, without_comments
from reproducegym.parsing.latex.macros import Macro, expanded, macros_of
from reproducegym.parsing.latex.nodes import LIBRARY_VERSION, Node, inner, parsed_nodes
from reproducegym.parsing.latex.numbering import Counters
from reproducegym.parsing.latex.source_text import LineTable, SourceText, plain
from reproducegym.parsing.latex.spelling import Labels, shown_text
from reproducegym.parsing.paper_markdown import paper_markdown
from reproducegym.parsing.text.language import language_of
from reproducegym.parsing.text.references import Pieces, references_of
from reproducegym.parsing.written.words import text_of
from reproducegym.schema.paper import (
    Document,
    Equation,
    Figure,
    Page,
    PageWords,
    Paragraph,
    Parsed,
    Section,
    Source,
    Table,
)

__all__ = ["LatexParser"]

_BEGIN = re.compile(r"\\begin\s*\{document\}")
_END = re.compile(r"\\end\s*\{document\}")
_FRONT = re.compile(
    r"\\(?:title|icmltitle|author|abstract|numberwithin|counterwithin|counterwithout|setcounter|renewcommand\{\\the)"
    r"(?![A-Za-z@])"
)
_CHAPTERS = re.compile(
    r"\\documentclass\s*(?:\[[^\]]*\])?\s*\{\s*(?:report|book|memoir|scrbook|scrreprt|\w*thesis\w*)\s*\}"
)
_LONGEST_FRONT = 20_000


class LatexParser:
    """Reads LaTeX sources."""

    name = "latex"

    def parse(self, source: Source, paper_id: str) -> Parsed:
        """Read a LaTeX source: the main file in `content`, all files in `beside`.

        Raises:
            UnreadablePaperError: it holds no text, or is no LaTeX that a person would write.
        """
        if source.content.startswith(b"%PDF-"):
            raise UnreadablePaperError(f"{source.origin} is a PDF; give it with --pdf")
        name = next((one for one, content in source.beside.items() if content == source.content), "main.tex")
        flat, missing = flattened(source.content, name, source.beside)
        if not any(char.isalpha() for char in flat):
            raise UnreadablePaperError(f"{source.origin} holds no text; give the LaTeX source of a paper")
        lines = LineTable(flat)
        text = _expanded(flat, source.beside)
        walk = Walk(Counters(chapters=_CHAPTERS.search(text.text) is not None))
        title = _read(text, walk)
        labels = Labels(walk.targets, walk.citations)
        builder = Builder(text, lines, labels, source.beside)
        title_words = builder.spell(title)
        builder.build(walk.drafts)
        if not builder.words:
            raise UnreadablePaperError(f"{source.origin} prints no text; give the LaTeX source of a paper")
        warnings = [f"the file {one} that the source includes is missing" for one in missing]
        warnings += builder.warnings if title_words else [*builder.warnings, "no title was found"]
        return self._parsed(paper_id, text_of(title_words), lines, builder, warnings)

    def _parsed(self, paper_id: str, title: str, lines: LineTable, builder: Builder, warnings: list[str]) -> Parsed:
        paragraphs = tuple(one for one in builder.blocks if isinstance(one, Paragraph))
        pieces = Pieces(
            sections=tuple(one for one in builder.blocks if isinstance(one, Section)),
            paragraphs=paragraphs,
            tables=tuple(one for one in builder.blocks if isinstance(one, Table)),
            figures=tuple(one for one in builder.blocks if isinstance(one, Figure)),
            equations=tuple(one for one in builder.blocks if isinstance(one, Equation)),
        )
        width = float(max(1, *(len(line) for line in lines.lines), *(word.end for word in builder.words)))
        document = Document(
            schema_version=1,
            paper_id=paper_id,
            title=title,
            language=language_of(one.text for one in paragraphs if one.role != "reference"),
            coordinates="latex_lines",
            pages=(Page(number=1, width=width, height=float(len(lines.lines)), content="text"),),
            sections=tuple(pieces.sections),
            paragraphs=paragraphs,
            tables=tuple(pieces.tables),
            figures=tuple(pieces.figures),
            equations=tuple(pieces.equations),
            references=builder.references(references_of(pieces)),
            warnings=tuple(warnings),
        )
        return Parsed(
            document=document,
            words=(PageWords(page=1, words=tuple(word.word() for word in builder.words)),),
            charts=(),
            paper_md=paper_markdown(title, builder.blocks),
            figures=builder.images,
            parser=self.name,
            parser_version=LIBRARY_VERSION,
        )


def _expanded(flat: str, files: Mapping[str, bytes]) -> SourceText:
    """The source without comments, up to the end of the document, with its macros expanded."""
    bare = without_comments(plain(flat))
    end = _END.search(bare.text)
    if end is not None:
        bare = bare.part(0, end.start())
    known: Mapping[str, Macro] = {}
    for style in styles_of(bare.text, files):
        known = macros_of(without_comments(plain(style)).text, known)
    return balanced(expanded(bare, known))


def _read(text: SourceText, walk: Walk) -> tuple[Node, ...]:
    """Walk through the preamble's front matter and the document; gives the title."""
    begin = _BEGIN.search(text.text)
    start = begin.end() if begin else 0
    title: tuple[Node, ...] = ()
    for node in _front_matter(text.text[:start]):
        if node.name in ("title", "icmltitle"):
            title = inner(node.last_argument())
        elif node.name == "author":
            walk.front(inner(node.last_argument()))
        elif node.name == "abstract":
            walk.abstract(inner(node.last_argument()))
        else:
            walk.count(node)
    nodes = parsed_nodes(text.text[start:], start)
    for node in _macros(nodes):
        if node.name in ("title", "icmltitle") and not shown_text(title, Labels()):
            title = inner(node.last_argument())
        elif node.name == "author":
            walk.front(inner(node.last_argument()))
    walk.read(nodes)
    return title


def _front_matter(preamble: str) -> Iterator[Node]:
    for match in _FRONT.finditer(preamble):
        nodes = parsed_nodes(preamble[match.start() : match.start() + _LONGEST_FRONT], match.start())
        if nodes and nodes[0].kind == "macro":
            yield nodes[0]


def _macros(nodes: tuple[Node, ...]) -> Iterator[Node]:
    """Macros of the text itself and of groups in it."""
    for node in nodes:
        if node.kind == "macro":
            yield node
            yield from _macros(tuple(one for one in node.arguments if one is not None and one.kind == "group"))
        elif node.kind in ("group", "environment"):
            yield from _macros(node.children)
