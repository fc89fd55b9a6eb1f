"""Decides which of the assets that an operator offers a claim uses: those that the paper's own words name for it."""

import re
from collections.abc import Iterator, Sequence

from reproducegym.pipeline.targets.terms import Terms
from reproducegym.ports import ReadPaper
from reproducegym.schema.asset import OfferedAsset
from reproducegym.schema.claim import Candidate

__all__ = ["named_assets", "names_asset"]

_APART = re.compile(r"[\W_]+")


def named_assets(
    paper: ReadPaper, candidate: Candidate, terms: Terms, offered: Sequence[OfferedAsset]
) -> tuple[OfferedAsset, ...]:
    """The assets whose name or alias stands in the claim's data set, sentences, or the captions over its numbers."""
    told = [text for text in _told(paper, candidate, terms) if text]
    return tuple(one for one in offered if any(names_asset(text, one) for text in told))


def names_asset(text: str, asset: OfferedAsset) -> bool:
    """Whether a text has the asset's name or an alias of it as whole words; case, hyphens and spaces don't count."""
    words = f" {_plain(text)} "
    return any(f" {name} " in words for name in map(_plain, (asset.asset.name, *asset.aliases)) if name)


def _told(paper: ReadPaper, candidate: Candidate, terms: Terms) -> Iterator[str | None]:
    yield candidate.protocol.dataset
    yield from (anchor.quote for anchor in candidate.anchors)
    points = terms.compared()
    yield from (point.dataset for point in points)
    places = [place for point in points for place in point.provenance]
    tables = {place.table for place in places} - {None}
    figures = {place.figure for place in places} - {None}
    for table in paper.document.tables:
        if tables & {table.id, table.label} and table.caption is not None:
            yield table.caption.text
    for figure in paper.document.figures:
        if figures & {figure.id, figure.label} and figure.caption is not None:
            yield figure.caption.text


def _plain(text: str) -> str:
    return " ".join(_APART.split(text.casefold())).strip()
