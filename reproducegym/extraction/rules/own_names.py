"""Finds what the authors call their own method, so that "our model" names a row of a table."""

import re
from collections.abc import Sequence
from functools import lru_cache

from reproducegym.extraction.rules.labels import clean_label, find_mentions
from reproducegym.extraction.rules.metric_words import metric_word
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
_AGAINST = (
    r"baselines?|compar\w+ (?:to|with|against)|outperform\w*|surpass\w*|better than|over|versus|such as|like|existing"
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
    if _OURS.search(label) or any(
        re.search(r"[A-Z].*[A-Z]", one) and len(one) > 3 and one in label for one in own_names
    ):
        return True
    return any(one.strength == 2 for text in (label, bare) for one in find_mentions(text, own_names))


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
    text = _running_text(document)
    names = [name for name in (*_names(found), *_labels_called_ours(document, text)) if not _is_cited(name, text)]
    labels = _table_labels(document)
    if not any(_is_own(label, tuple(names)) for label in labels):
        names += _uncited_of_abstract(labels, f"{document.title} {abstract}", text)
    return tuple(dict.fromkeys(names))


def _is_cited(name: str, text: str) -> bool:
    """Whether the text gives a source for a name: "ZiCo (Li et al., 2023)", "ZiCo [12]"."""
    return bool(re.search(rf"(?<![\w-]){re.escape(name)}s?\s?(?:\((?:[A-Z][^()]*(?:19|20)\d\d|\d+\))|\[\d)", text))


def _uncited_of_abstract(labels: Sequence[str], opening: str, text: str) -> list[str]:
    """Rows and columns that title or abstract name and for which the paper gives no source: what is left is its own."""
    return [
        label
        for label in labels
        if re.search(r"[A-Z].*[A-Z]", label)
        and metric_word(label) is None
        and re.search(rf"(?<![\w-]){re.escape(label)}(?![\w-])", opening)
        and not re.search(rf"(?:{_AGAINST})[^.;]{{0,90}}(?<![\w-]){re.escape(label)}(?![\w-])", opening, re.IGNORECASE)
        and not re.search(rf"(?<![\w-]){re.escape(label)}\)?(?:[ -]based)? baseline", opening, re.IGNORECASE)
        and not _is_cited(label, text)
    ]


def _names(found: Sequence[str]) -> list[str]:
    names: list[str] = []
    for name in found:
        acronym = re.search(r"\(([^()]+)\)", name)
        for part in ([acronym.group(1)] if acronym else []) + [re.sub(r"\s*\(.*", "", name)]:
            bare = part.strip(" .,;")
            if len(bare) > 1 and bare not in _GENERIC:
                names.append(bare)
    return names


def _running_text(document: Document) -> str:
    return " ".join(paragraph.text for paragraph in document.paragraphs if paragraph.role not in {"reference", "front"})


def _table_labels(document: Document) -> tuple[str, ...]:
    """Labels of rows and columns that look like names."""
    labels = (
        clean_label(cell.text)
        for table in document.tables
        for cell in table.cells
        if cell.kind in {"stub", "header"} and re.search(r"[A-Z]", cell.text)
    )
    return tuple(dict.fromkeys(label for label in labels if label))


def _labels_called_ours(document: Document, text: str) -> list[str]:
    """Row and column labels behind "our": "our Oat-Zero-7B"."""
    return [
        label
        for label in _table_labels(document)
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
