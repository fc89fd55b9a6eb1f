"""Writes a small paper around a few sentences and tables, and says what the rules bind in it."""

from reproducegym.extraction.rules import RulesExtractor
from reproducegym.parsing.markdown.parser import MarkdownParser
from reproducegym.ports import ReadPaper
from reproducegym.schema.claim import Candidate
from reproducegym.schema.paper import Source

__all__ = ["STATED", "bound", "codes", "paper_with", "shown", "sure", "table", "values"]

STATED = 700
"""What a claim weighs at least that a sentence states by itself; what a table only shows weighs less."""

_PAPER = """# A Second Look at Pruning

## Abstract

We look at pruning of small networks with care.

## 1 Introduction

Pruned networks are compared in many ways, and few of them are fair.

## 2 Experimental Setup

{setup}

## 3 Results

{tables}

{results}

## 4 Conclusion

We thank the readers for their time.
"""


def table(caption: str, *rows: str, label: int = 1) -> str:
    """A Markdown table below its caption; cells are divided by commas, the first row is the header."""
    cells = ["| " + " | ".join(part.strip() for part in row.split(",")) + " |" for row in rows]
    rule = "|" + " --- |" * len(rows[0].split(","))
    return "\n".join([f"Table {label}: {caption}", "", cells[0], rule, *cells[1:], ""])


def paper_with(results: str, *tables: str, setup: str = "Every number is a mean over 5 seeds.") -> ReadPaper:
    """A paper that says `results` below its tables."""
    text = _PAPER.format(setup=setup, tables="\n".join(tables), results=results)
    parsed = MarkdownParser().parse(Source(kind="markdown", origin="pruning.md", content=text.encode()), "pruning")
    return ReadPaper(document=parsed.document, words=parsed.words)


def bound(paper: ReadPaper) -> list[Candidate]:
    """The claims that a sentence states by itself, and that rest on cells of a table."""
    return [one for one in RulesExtractor().extract(paper) if one.points and one.importance >= STATED]


def shown(paper: ReadPaper) -> list[Candidate]:
    """The findings that a table shows and a sentence only presents."""
    return [one for one in RulesExtractor().extract(paper) if one.points and one.importance < STATED]


def sure(paper: ReadPaper) -> list[Candidate]:
    """The claims that the rules have no doubt about."""
    return [one for one in bound(paper) if not one.doubts]


def codes(paper: ReadPaper) -> list[str]:
    """The reasons of all claims that rest on cells."""
    return [reason.code for one in bound(paper) for reason in one.doubts]


def values(candidate: Candidate) -> dict[str, str]:
    """Role → value of a claim's points."""
    return {entry.role: str(entry.point.value) for entry in candidate.points}
