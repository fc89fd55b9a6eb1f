"""Marker's blocks as we use them: what each is, where it stands in our coordinates, and its HTML."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict, ValidationError

from reproducegym.errors import UnreadablePaperError
from reproducegym.parsing.boxes import height, width
from reproducegym.schema.base import BBox

__all__ = ["Block", "MarkedPage", "fitted", "marked_pages"]

_GROUPS = frozenset({"FigureGroup", "PictureGroup", "TableGroup", "ListGroup"})
_FITS = 0.02


@dataclass(frozen=True, slots=True)
class Block:
    """One block without blocks in it. `group` is the id of the group (a table with its caption) that it stands in."""

    kind: str
    box: BBox
    html: str
    group: str | None


@dataclass(frozen=True, slots=True)
class MarkedPage:
    """The blocks of one page in reading order; `number` counts from 1."""

    number: int
    width: float
    height: float
    blocks: tuple[Block, ...]


class _Node(BaseModel):
    """The part of marker's JSON that we read; it may say more."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    id: str
    block_type: str
    html: str
    polygon: tuple[tuple[float, float], ...]
    children: tuple["_Node", ...] | None = None

    @property
    def box(self) -> BBox:
        xs, ys = [x for x, _ in self.polygon], [y for _, y in self.polygon]
        return min(xs), min(ys), max(xs), max(ys)


class _Output(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)

    children: tuple[_Node, ...]


def marked_pages(answer: str, origin: str) -> tuple[MarkedPage, ...]:
    """The pages of marker's JSON.

    Raises:
        UnreadablePaperError: it is not the JSON of marker 2.
    """
    try:
        output = _Output.model_validate_json(answer)
        return tuple(_page(node) for node in output.children if node.block_type == "Page")
    except (ValidationError, ValueError) as error:
        raise UnreadablePaperError(
            f"marker's answer for {origin} is not understood; install marker-pdf 2, or use --parser pymupdf"
        ) from error


def _page(node: _Node) -> MarkedPage:
    number = int(node.id.split("/")[2]) + 1
    return MarkedPage(number, width(node.box), height(node.box), tuple(_leaves(node.children or (), None)))


def _leaves(nodes: Sequence[_Node], group: str | None) -> Iterator[Block]:
    for node in nodes:
        if node.block_type in _GROUPS and node.children:
            yield from _leaves(node.children, node.id)
        else:
            yield Block(node.block_type, node.box, node.html, group)


def fitted(page: MarkedPage, wide: float, high: float) -> tuple[Block, ...] | None:
    """The blocks in points of a page of that size; None when the page is turned another way than marker saw it."""
    if min(page.width, page.height, wide, high) <= 0:
        return None
    x, y = wide / page.width, high / page.height
    if abs(x - y) > _FITS * max(x, y):
        return None
    return tuple(
        Block(b.kind, (b.box[0] * x, b.box[1] * y, b.box[2] * x, b.box[3] * y), b.html, b.group) for b in page.blocks
    )
