"""Finds what the authors call their own method, so that "our model" names a row of a table."""

import re
from collections.abc import Sequence
from functools import lru_cache

from reproducegym.extraction.rules.labels import clean_label, find_mentions
from reproducegym.schema.paper import Document

__all__ = ["is_own", "own_names_of"]

_NAME = (
    r"((?:[A-Z][a-z]\.\s(?=[A-Z]))?(?:[A-Z][\w+-]*|[a-z]{2,4}-[a-z]{2,4})(?:\s(?:[A-Z][\w.+-]*|\([A-Z][\w.+-]*\)))*)"
)
_PROPOSED = re.compile(
    r"\b(?:[Ww]e|[Tt]his (?:paper|work)) (?:propose|introduce|present|develop|design|call|name|dub|term)s?"
    r"\b[^.;]{0,60}?(?:called|named|dubbed|termed|the|:|,|method|algorithm|approach|call(?: it)?)?\s" + _NAME
)
_ACRONYM = re.compile(r"\(([A-Z][\w.+-]*[A-Z0-9][\w.+-]*)\)")
_CALLED = re.compile(r"\b(?:called|named|dubbed|termed|which we call|denoted)\s(?:the\s)?" + _NAME)
_CAPTIONED = re.compile(
    r"(?:^|[.:;]\s)" + _NAME + r"(?: models?| variants?| rows?)? (?:is|are|denotes?|refers? to|stands? for|marks?)\b"
    r"[^.;]{0,40}\b(?:our|ours|proposed)\b"
)
_SIZE = re.compile(r"[-_ ]?(?:\d+(?:\.\d+)?[BMKbmk]|v\d+(?:\.\d+)?|[Ll]arge|[Bb]ase|[Ss]mall|XL|[SML])$")
_OURS = re.compile(r"\bours?\b|\bproposed\b", re.IGNORECASE)
_GENERIC = frozenset(
    {"We", "Our", "The", "This", "In", "For", "A", "An", "Model", "Method", "Table", "Figure", "Section"}
    | {"RL", "LLM", "LLMs", "AI", "ML", "DL", "NLP"}
)


def is_own(label: str, own_names: Sequence[str]) -> bool:
    """Whether a row or column is the authors' own method."""
    return _is_own(label, tuple(own_names))


@lru_cache(maxsize=8192)
def _is_own(label: str, own_names: tuple[str, ...]) -> bool:
    bare = _SIZE.sub("", clean_label(label))
    return bool(_OURS.search(label)) or bool(find_mentions(label, own_names)) or bool(find_mentions(bare, own_names))


def own_names_of(document: Document) -> tuple[str, ...]:
    """Names after "we propose" and "called", acronyms that the abstract introduces, the title's part before a colon.

    And labels of tables that the text calls "our …".
    """
    abstract = " ".join(paragraph.text for paragraph in document.paragraphs if paragraph.role == "abstract")
    opening = " ".join(
        paragraph.text for paragraph in document.paragraphs[:30] if paragraph.role in {"abstract", "body"}
    )
    found: list[str] = []
    head, colon, _ = document.title.partition(":")
    if colon and len(head.split()) <= 2:
        found.append(head.strip())
    for text in (document.title, opening):
        for pattern in (_PROPOSED, _CALLED):
            found.extend(match.group(1) for match in pattern.finditer(text))
    for sentence in re.split(r"(?<=[.!?])\s", abstract):
        if re.search(r"\b(?:propose|introduce|present|our|develop)\b", sentence, re.IGNORECASE):
            found.extend(match.group(1) for match in _ACRONYM.finditer(sentence))
    found.extend(_named_by_captions(document))
    return tuple(dict.fromkeys((*_names(found), *_labels_called_ours(document))))


def _names(found: Sequence[str]) -> list[str]:
    names: list[str] = []
    for name in found:
        acronym = re.search(r"\(([^()]+)\)", name)
        for part in ([acronym.group(1)] if acronym else []) + [re.sub(r"\s*\(.*", "", name)]:
            bare = part.strip(" .,;")
            if len(bare) > 1 and bare not in _GENERIC:
                names.append(bare)
    return names


def _labels_called_ours(document: Document) -> list[str]:
    """Row and column labels behind "our": "our Oat-Zero-7B"."""
    text = " ".join(paragraph.text for paragraph in document.paragraphs if paragraph.role not in {"reference", "front"})
    labels = dict.fromkeys(
        clean_label(cell.text)
        for table in document.tables
        for cell in table.cells
        if cell.kind in {"stub", "header"} and re.search(r"[A-Z]", cell.text)
    )
    return [
        label
        for label in labels
        if len(label) > 3
        and (
            re.search(rf"\b[Oo]ur\s(?:\w+\s)?{re.escape(label)}(?![\w-])", text)
            or re.search(rf"\b[Oo]ur\s(?i:{re.escape(label)})-based\b", text)
        )
    ]


def _named_by_captions(document: Document) -> list[str]:
    """ "Oat-Zero models are tuned by our recipe": the subject of a caption's or note's sentence about "our"."""
    texts = [
        text for table in document.tables for text in ((table.caption.text if table.caption else ""), *table.notes)
    ]
    return [match.group(1) for text in texts for match in _CAPTIONED.finditer(text)]
