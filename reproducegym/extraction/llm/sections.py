"""Chooses what step 1 reads: sections that can state results, each with what its tables and figures are about."""

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass

from reproducegym.extraction.llm.paper_text import figure_lines, safe_text, sentence_line, table_lines
from reproducegym.extraction.llm.prompts import fenced, question
from reproducegym.extraction.llm.view import View
from reproducegym.extraction.rules.wording import claims_something, is_prose
from reproducegym.pipeline.evidence.search import PieceKind, Shelf, pieces_of
from reproducegym.ports import Question
from reproducegym.schema.evidence import EvidenceFigure, EvidenceSentence, EvidenceTable, SectionRole

__all__ = ["SectionText", "extract_question", "sections_of"]

_ROLES: frozenset[SectionRole] = frozenset({"abstract", "introduction", "results", "conclusion", "other"})
_CHARACTERS = 12_000
"""Text of one question; a longer section is read in parts, cut between paragraphs."""
_MOST_CLAIMS = 12
_TABLES: tuple[PieceKind, ...] = ("table",)
_TABLES_FOUND = 2
"""Tables that are shown to a section that names none, by the words that it has in common with them."""


@dataclass(frozen=True)
class SectionText:
    """A section, or a part of a long one: its sentences, and the tables and figures that it speaks of."""

    id: str
    title: str
    role: SectionRole
    sentences: tuple[EvidenceSentence, ...]
    tables: tuple[EvidenceTable, ...]
    figures: tuple[EvidenceFigure, ...]


def sections_of(view: View) -> tuple[SectionText, ...]:
    """Every section that can state a result, in the paper's order; none in which no sentence finds a thing."""
    titles = {one.id: " ".join(filter(None, (one.number, one.title))) for one in view.index.sections}
    groups: dict[tuple[str, SectionRole], list[EvidenceSentence]] = {}
    for sentence in view.index.sentences:
        if sentence.role in _ROLES and sentence.id in view.spoken:
            groups.setdefault((sentence.section or "front", sentence.role), []).append(sentence)
    found = []
    with closing(Shelf(pieces_of(view.index))) as shelf:
        for (identity, role), sentences in groups.items():
            parts = list(_parts(sentences))
            for number, part in enumerate(parts, 1):
                if any(claims_something(one.text) and is_prose(one.text) for one in part):
                    name = identity if len(parts) == 1 else f"{identity}.{number}"
                    found.append(_section(view, shelf, name, titles.get(identity, ""), role, part))
    return tuple(found)


def extract_question(section: SectionText) -> Question:
    """Step 1 for one section."""
    lines = [f"[section {section.id}] {safe_text(section.title)} ({section.role})"]
    lines += [sentence_line(one.id, one.text) for one in section.sentences]
    for table in section.tables:
        lines += table_lines(table)
    for figure in section.figures:
        lines += figure_lines(figure)
    return question("extract", {"data": fenced(lines), "most": _MOST_CLAIMS})


def _parts(sentences: Sequence[EvidenceSentence]) -> Iterator[list[EvidenceSentence]]:
    """The sentences in as few parts as fit, cut between paragraphs where these are short enough."""
    part: list[EvidenceSentence] = []
    size = 0
    for number, sentence in enumerate(sentences):
        begins = number == 0 or sentences[number - 1].paragraph != sentence.paragraph
        rest = sum(len(one.text) for one in sentences[number:] if one.paragraph == sentence.paragraph)
        too_long = size + (min(rest, _CHARACTERS // 2) if begins else len(sentence.text)) > _CHARACTERS
        if part and too_long:
            yield part
            part, size = [], 0
        part.append(sentence)
        size += len(sentence.text)
    if part:
        yield part


def _section(
    view: View, shelf: Shelf, identity: str, title: str, role: SectionRole, sentences: list[EvidenceSentence]
) -> SectionText:
    named = {link.target for one in sentences for link in one.links if link.target is not None}
    words = " ".join(one.text for one in sentences if any(letter.isdigit() for letter in one.text))
    measured = {grid.table.id for grid in view.grids}
    tables = [one for one in view.index.tables if one.id in named]
    if not any(one.id in measured for one in tables):
        near = [one for one in shelf.search(words, kinds=_TABLES, limit=len(measured)) if one in measured]
        tables += [one for one in view.index.tables if one.id in near[:_TABLES_FOUND]]
    figures = tuple(one for one in view.index.figures if one.id in named)
    return SectionText(identity, title, role, tuple(sentences), tuple(tables), figures)
