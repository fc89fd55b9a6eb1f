"""Cuts Markdown source into headings, paragraphs, displayed equations and pipe tables, each with its lines."""

import re
from collections.abc import Iterator, MutableMapping, Sequence
from dataclasses import dataclass, replace

from markdown_it import MarkdownIt

__all__ = ["Block", "Blocks", "blocks_of"]

_OPENS = re.compile(r"\s{0,3}(?:>\s?)*(\$\$|\\\[|\\\\\[)")
_CLOSERS = {"$$": re.compile(r"\$\$\s*(?:\(\w[\w.]{0,6}\))?\s*$")}
_CLOSES = re.compile(r"\\\\?\]\s*(?:\(\w[\w.]{0,6}\))?\s*$")


@dataclass(frozen=True, slots=True)
class Block:
    """A heading (depth > 0), an equation or a paragraph of lines `first`..`last` (exclusive)."""

    first: int
    last: int
    depth: int = 0
    listed: bool = False
    equation: bool = False


@dataclass(frozen=True, slots=True)
class Blocks:
    """Blocks in order, line ranges of pipe tables, and links by their labels in upper case."""

    blocks: tuple[Block, ...]
    pipe_tables: tuple[tuple[int, int], ...]
    references: dict[str, str]


def blocks_of(lines: Sequence[str], html_tables: Sequence[tuple[int, int]]) -> Blocks:
    """The blocks of a source; HTML tables are left out."""
    blocks: list[Block] = []
    tables: list[tuple[int, int]] = []
    depth = 0
    found: MutableMapping[str, dict[str, dict[str, str]]] = {}
    for token in MarkdownIt("commonmark").enable("table").parse(_masked(lines, html_tables), found):
        if token.type in ("bullet_list_open", "ordered_list_open"):
            depth += 1
        elif token.type in ("bullet_list_close", "ordered_list_close"):
            depth -= 1
        elif token.type == "table_open" and token.map:
            tables.append((token.map[0], token.map[1]))
        elif token.type == "heading_open" and token.map:
            blocks.append(Block(token.map[0], token.map[1], depth=int(token.tag[1])))
        elif token.type == "html_block" and token.map and re.search(r"<img\b", token.content, re.IGNORECASE):
            blocks.append(Block(token.map[0], token.map[1]))
        elif token.type == "paragraph_open" and token.map:
            blocks += _parted(Block(token.map[0], token.map[1], listed=depth > 0), lines)
    links = {label: entry["href"] for label, entry in found.get("references", {}).items()}
    return Blocks(tuple(blocks), tuple(tables), links)


def _parted(block: Block, lines: Sequence[str]) -> Iterator[Block]:
    """A paragraph, or its parts around displayed equations that begin and end with a line."""
    start = number = block.first
    while number < block.last:
        end = _equation_end(lines, number, block.last)
        if end is None:
            number += 1
            continue
        if start < number:
            yield replace(block, first=start, last=number)
        yield replace(block, first=number, last=end, equation=True)
        start = number = end
    if start < block.last:
        yield replace(block, first=start)


def _equation_end(lines: Sequence[str], first: int, last: int) -> int | None:
    """The line after the equation that begins with a line, if one does."""
    opening = _OPENS.match(lines[first])
    if opening is None:
        return None
    closes = _CLOSERS.get(opening[1], _CLOSES)
    for number in range(first, last):
        if closes.search(lines[number], opening.end() if number == first else 0):
            return number + 1
    return None


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
