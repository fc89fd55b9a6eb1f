"""Reads every page of an open PDF the way it is seen; a page that cannot be read costs only itself."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from reproducegym.errors import UnreadablePaperError
from reproducegym.parsing.boxes import height, width
from reproducegym.parsing.guard import Progress
from reproducegym.parsing.mupdf import pymupdf
from reproducegym.parsing.pages.drawings import Drawings, read_drawings
from reproducegym.parsing.pages.opening import PDF_ERRORS, first_line
from reproducegym.parsing.pages.page_text import PageText, read_page_text
from reproducegym.parsing.pages.turning import turn_page
from reproducegym.schema.paper import PageWords

__all__ = ["ReadPages", "read_pages", "seen_page"]

_MOSTLY = 0.7
_SCANNED_SHARE = 0.5
_MIN_LETTERS_PER_PAGE = 20
_PAGES_OF_TEXT = 5
_UNKNOWN = "\ufffd"
_UNREADABLE_SHARE = 0.1
_NOTHING_DRAWN = Drawings((), (), (), (), ())


@dataclass(frozen=True, slots=True)
class ReadPages:
    """Text, drawings and kind of content, page by page; `warnings` say what was turned, left out or is no text."""

    texts: tuple[PageText, ...]
    drawings: tuple[Drawings, ...]
    contents: tuple[Literal["text", "scan", "empty"], ...]
    warnings: tuple[str, ...]


def read_pages(document: pymupdf.Document, origin: str, progress: Progress) -> ReadPages:
    """Read all pages but those that `progress` calls lost; pages set sideways are turned in the open document.

    Raises:
        UnreadablePaperError: no page can be read, or there is next to no text.
    """
    texts: list[PageText] = []
    drawings: list[Drawings] = []
    warnings: list[str] = []
    broken: set[int] = set()
    reasons: list[str] = []
    for number in range(1, document.page_count + 1):
        try:
            if number in progress.lost:
                raise _LostPageError(progress.lost[number])
            progress.at_page(number)
            page, text, turn = seen_page(document, number)
            drawn = read_drawings(page)
            if turn:
                how = "upside down" if turn == 180 else "sideways"
                warnings.append(
                    f"page {number} is set {how}: its places are those of the page turned by {turn} degrees"
                )
        except (_LostPageError, *PDF_ERRORS) as error:
            broken.add(number)
            reasons.append(first_line(error))
            warnings.append(f"page {number} is left out: {reasons[-1]}")
            text, drawn = PageText(number, 0.0, 0.0, (), PageWords(page=number, words=())), _NOTHING_DRAWN
        texts.append(text)
        drawings.append(drawn)
    progress.at_whole()
    if len(broken) == len(texts):
        if progress.lost:
            raise UnreadablePaperError(
                f"{origin} cannot be read: not one page can ({reasons[0]}); print it to a new PDF"
            )
        raise UnreadablePaperError(
            f"{origin} is truncated or damaged (no page can be read: {reasons[0]}); download it again"
        )
    _check_has_text(texts, drawings, origin)
    contents = tuple(_content(text, drawn) for text, drawn in zip(texts, drawings, strict=True))
    warnings += [
        f"page {number} is a scan without a text layer; run OCR on it"
        if content == "scan"
        else f"page {number} has no text"
        for number, content in enumerate(contents, 1)
        if content != "text" and number not in broken
    ]
    warnings += [
        f"page {text.number} has text in fonts that do not tell its letters; run OCR on it"
        for text in texts
        if _is_unreadable(text)
    ]
    return ReadPages(tuple(texts), tuple(drawings), contents, tuple(warnings))


class _LostPageError(Exception):
    """A page that broke a limit in an earlier child."""


def seen_page(document: pymupdf.Document, number: int) -> tuple[pymupdf.Page, PageText, int]:
    """A page turned as it is seen, its text, and by how many degrees text set sideways made us turn it."""
    page = turn_page(document, document[number - 1], 0)
    text = read_page_text(page, number)
    turn = _sideways(text)
    if turn:
        page = turn_page(document, page, turn)
        text = read_page_text(page, number)
    return page, text, turn


def _sideways(text: PageText) -> int:
    """By how many degrees to turn a page clockwise so that most of its text is upright; mostly 0."""
    letters = {0: 0, 90: 0, 180: 0, 270: 0}
    for line in text.lines:
        overhead = width(line.box) > height(line.box)
        letters[0 if line.upright else 90 if line.upward else 180 if overhead else 270] += len(line.text)
    most = max(letters, key=lambda turn: (letters[turn], -turn))
    return most if letters[most] > _MOSTLY * sum(letters.values()) else 0


def _content(text: PageText, drawn: Drawings) -> Literal["text", "scan", "empty"]:
    letters = sum(character.isalnum() for line in text.lines for character in line.text)
    if letters >= _MIN_LETTERS_PER_PAGE or (text.lines and not drawn.images):
        return "text"
    covered = sum(width(box) * height(box) for box in drawn.images)
    if drawn.images and covered >= _SCANNED_SHARE * text.width * text.height:
        return "scan"
    return "text" if text.lines else "empty"


def _is_unreadable(text: PageText) -> bool:
    characters = "".join(line.text for line in text.lines)
    return characters.count(_UNKNOWN) > _UNREADABLE_SHARE * len(characters)


def _check_has_text(texts: Sequence[PageText], drawings: Sequence[Drawings], origin: str) -> None:
    wanted = _MIN_LETTERS_PER_PAGE * min(len(texts), _PAGES_OF_TEXT)
    letters = 0
    for text in texts:
        letters += sum(character.isalnum() for line in text.lines for character in line.text)
        if letters >= wanted:
            return
    pages = "its one page holds" if len(texts) == 1 else f"its {len(texts)} pages hold"
    if any(drawn.images for drawn in drawings):
        raise UnreadablePaperError(f"{origin} has no text layer ({pages} images); run OCR on it first")
    raise UnreadablePaperError(f"{origin} is no paper ({pages} next to no text); if text shows, run OCR on it first")
