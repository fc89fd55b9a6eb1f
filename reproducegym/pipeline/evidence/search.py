"""Finds the pieces of a paper that speak of given words: full-text search in memory, best match first."""

import re
import sqlite3
from collections.abc import Collection, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from typing import Literal

from reproducegym.schema.evidence import EvidenceFigure, EvidenceIndex, EvidenceTable

__all__ = ["EVERY_KIND", "Piece", "PieceKind", "Shelf", "keywords_of", "pieces_of", "search", "word_stems"]

PieceKind = Literal["sentence", "table", "figure"]
EVERY_KIND: tuple[PieceKind, ...] = ("sentence", "table", "figure")
_WORD = re.compile(r"[^\W_]+")
_FUNCTION_WORDS = frozenset(
    re.findall(
        r"\w+",
        """a an and are as at be been both but by can did do does each for from had has have if in into is it its of on
        or our than that the their them then there these they this to was we were when which while with""",
    )
)


@dataclass(frozen=True)
class Piece:
    """One thing that can be found: its id, its kind, and all its words."""

    id: str
    kind: PieceKind
    text: str


def pieces_of(index: EvidenceIndex) -> Iterator[Piece]:
    """Every sentence, table and figure of an index, in reading order of each kind."""
    yield from (Piece(one.id, "sentence", one.text) for one in index.sentences)
    yield from (Piece(one.id, "table", _table_words(one)) for one in index.tables)
    yield from (Piece(one.id, "figure", _figure_words(one)) for one in index.figures)


def search(
    index: EvidenceIndex, words: str | Iterable[str], *, kinds: Collection[PieceKind] = EVERY_KIND, limit: int
) -> tuple[str, ...]:
    """Ids of at most `limit` pieces that hold any of the words, best match first (BM25 over word stems).

    Function words are no help and are left out; of equal matches the earlier piece comes first. Whatever stands in
    `words` is taken as words: there is no query language. For many searches of one index keep a `Shelf`.
    """
    with closing(Shelf(pieces_of(index))) as shelf:
        return shelf.search(words, kinds=kinds, limit=limit)


def keywords_of(pieces: Iterable[Piece]) -> dict[str, tuple[str, ...]]:
    """The stem of each word → ids of the pieces that hold it; function words and single letters are left out."""
    with closing(Shelf(pieces)) as shelf:
        return shelf.keywords()


def word_stems(text: str) -> frozenset[str]:
    """The stems of a text's words, as the index knows them."""
    return frozenset(keywords_of([Piece("", "sentence", text)]))


class Shelf:
    """The pieces of one paper, ready for any number of searches; of one thread."""

    def __init__(self, pieces: Iterable[Piece]) -> None:
        """Index the pieces by the stems of their words."""
        self._pieces = tuple(pieces)
        self._base = sqlite3.connect(":memory:")
        self._base.execute("CREATE VIRTUAL TABLE piece USING fts5(words, tokenize = 'porter unicode61')")
        self._base.executemany(
            "INSERT INTO piece (rowid, words) VALUES (?, ?)",
            [(number, " ".join(_words(one.text))) for number, one in enumerate(self._pieces)],
        )

    def search(
        self, words: str | Iterable[str], *, kinds: Collection[PieceKind] = EVERY_KIND, limit: int
    ) -> tuple[str, ...]:
        """As `search`."""
        wanted = dict.fromkeys(_words(words if isinstance(words, str) else " ".join(words)))
        if not wanted or limit < 1:
            return ()
        query = " OR ".join(f'"{word}"' for word in wanted)
        rows: Iterator[tuple[int]] = self._base.execute(
            "SELECT rowid FROM piece WHERE piece MATCH ? ORDER BY round(bm25(piece), 9), rowid", (query,)
        )
        found = (self._pieces[number] for (number,) in rows)
        ids = [one.id for one in found if one.kind in kinds]
        return tuple(ids[:limit])

    def keywords(self) -> dict[str, tuple[str, ...]]:
        """As `keywords_of`."""
        self._base.execute("CREATE VIRTUAL TABLE IF NOT EXISTS temp.word USING fts5vocab(main, piece, instance)")
        rows: Iterator[tuple[str, int]] = self._base.execute(
            "SELECT DISTINCT term, doc FROM temp.word ORDER BY term, doc"
        )
        found: dict[str, list[str]] = {}
        for term, number in rows:
            if len(term) > 1:
                found.setdefault(term, []).append(self._pieces[number].id)
        return {term: tuple(ids) for term, ids in found.items()}

    def close(self) -> None:
        """Free the memory."""
        self._base.close()


def _words(text: str) -> list[str]:
    return [word for word in _WORD.findall(text.casefold()) if word not in _FUNCTION_WORDS]


def _table_words(table: EvidenceTable) -> str:
    return " ".join((table.caption or "", *table.stub_headers, *table.rows, *table.columns, *table.notes))


def _figure_words(figure: EvidenceFigure) -> str:
    words = [figure.caption or ""]
    for panel in figure.panels:
        words.append(panel.title or "")
        for chart in panel.charts:
            words += [chart.title or "", *(axis.title or "" for axis in chart.axes)]
            words += [name for axis in chart.axes for name in axis.names]
            words += [series.name for series in chart.series if series.name is not None]
            words += chart.reference_lines
    return " ".join(words)
