"""Finds what the authors call their own method, so that "our model" names a row of a table."""

import re

from reproducegym.schema.paper import Document

__all__ = ["own_names_of"]

_NAME = r"((?:[A-Z][\w.+-]*|[a-z]+-[a-z]+)(?:\s(?:[A-Z][\w.+-]*|\([A-Z][\w.+-]*\)))*)"
_PROPOSED = re.compile(
    r"\b(?:[Ww]e|[Tt]his (?:paper|work)) (?:propose|introduce|present|develop|design|call|name"
    r"|dub|term)s?\b[^.;]{0,60}?"
    r"(?:called|named|dubbed|termed|the|:|,|method|algorithm|approach|call(?: it)?)?\s" + _NAME
)
_ACRONYM = re.compile(r"\(([A-Z][\w.+-]*[A-Z0-9][\w.+-]*)\)")
_CALLED = re.compile(r"\b(?:called|named|dubbed|termed|which we call|denoted)\s(?:the\s)?" + _NAME)
_GENERIC = frozenset(
    ("We", "Our", "The", "This", "In", "For", "A", "An", "Model", "Method", "Table", "Figure", "Section", "RL", "LLM")
    + ("LLMs", "AI", "ML", "DL", "NLP")
)


def own_names_of(document: Document) -> tuple[str, ...]:
    """Names after "we propose", "called", acronyms in title and abstract, and the title's part before a colon."""
    abstract = " ".join(paragraph.text for paragraph in document.paragraphs if paragraph.role == "abstract")
    opening = " ".join(
        paragraph.text for paragraph in document.paragraphs[:30] if paragraph.role in {"abstract", "body"}
    )
    found: list[str] = []
    head, colon, _ = document.title.partition(":")
    if colon and len(head.split()) <= 2:
        found.append(head.strip())
    for text in (document.title, abstract, opening):
        for pattern in (_PROPOSED, _CALLED):
            found.extend(match.group(1) for match in pattern.finditer(text))
    for sentence in re.split(r"(?<=[.!?])\s", abstract):
        if re.search(r"\b(?:propose|introduce|present|our|develop)\b", sentence, re.IGNORECASE):
            found.extend(match.group(1) for match in _ACRONYM.finditer(sentence))
    names: list[str] = []
    for name in found:
        acronym = re.search(r"\(([^()]+)\)", name)
        for part in ([acronym.group(1)] if acronym else []) + [re.sub(r"\s*\(.*", "", name)]:
            bare = part.strip(" .,;")
            if len(bare) > 1 and bare not in _GENERIC and bare not in names:
                names.append(bare)
    return tuple(names)
