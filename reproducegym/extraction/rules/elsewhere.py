"""Which split, data set and conditions a text names, to tell when a sentence speaks of something else than a table."""

import re
from collections.abc import Sequence
from typing import Literal

from reproducegym.extraction.rules.labels import Mention, tokens

__all__ = ["Split", "foreign_names", "part_of_data", "split_of", "split_of_header"]

Split = Literal["test", "validation", "train"]

_NOUN = (
    r"(?:sets?|splits?|data|sub-?sets?|partitions?|accurac\w+|errors?|loss(?:es)?|perplexit\w+|ppl|scores?|performance"
    r"|results?|images|examples|samples|sentences|bpc|bpd|nll|f-?1|auc|bleu|returns?|rewards?|wer)\b"
)
_METRICAL = r"(?:sets?|splits?|accurac\w+|errors?|loss(?:es)?|perplexit\w+|ppl|scores?|bpc|bpd|nll|f-?1|auc|bleu|wer)\b"
_SAID: tuple[tuple[Split, re.Pattern[str]], ...] = (
    ("test", re.compile(rf"\b(?:test(?:ing)?|held-out)[ -](?:\w+[ -])?{_NOUN}|\b(?:on|in|of|for) (?:the )?test(?=\W|$)"
                        r"|(?-i:[A-Z])[\w-]* test(?=\s*(?:[,.;:)]|$))", re.IGNORECASE)),
    ("validation", re.compile(
        rf"(?<!cross-)(?<!cross )\b(?:valid(?:ation)?|val|dev(?:elopment)?)[ -](?:\w+[ -])?{_NOUN}"
        r"|\b(?:on|in|of|for) (?:the )?(?:validation|val|dev)(?=\W|$)|(?-i:[A-Z])[\w-]* (?:validation|val"
        r"|dev)(?=\s*(?:[,.;:)]|$))",
        re.IGNORECASE)),
    ("train", re.compile(rf"\b(?:train(?:ing)?)[ -]{_METRICAL}", re.IGNORECASE)),
)  # fmt: skip
_HEADED: tuple[tuple[Split, re.Pattern[str]], ...] = (
    ("test", re.compile(r"(?<![\w-])test(?:ing)?(?![\w-])", re.IGNORECASE)),
    ("validation", re.compile(r"(?<![\w-])(?:valid(?:ation)?|val|dev(?:elopment)?)\.?(?![\w-])", re.IGNORECASE)),
    (
        "train",
        re.compile(
            r"(?<![\w-])train(?:ing)?(?![\w-])(?! (?:time|cost|steps?|hours?|speed|flops|data|with|on|from|for"
            r"|using)\b)",
            re.IGNORECASE,
        ),
    ),
)
_PLACE = re.compile(
    r"(?<!based )(?<!built )(?<!relies )(?<!rely )(?<!depends )(?<!focus )(?<!focused )\b[Oo]n (?:the )?"
    r"((?:[A-Z][\w+/@-]*\d*|[A-Z]?[a-z]*[A-Z][\w-]*)(?:[ -](?:[A-Z][\w+/-]*|\d[\w-]*))*)"
    r"(?![\w.-]*\s(?:\w+ )?(?:models?|GPUs?|TPUs?|CPUs?|hardware|machines?)\b)"
)
_NO_PLACE = frozenset(
    re.findall(
        r"\w+",
        "table tables tab figure figures fig section sections appendix equation eq algorithm average all both gpu gpus "
        "cpu the this these our it its we they each every one two three four five some many most a an nvidia tpu a100 "
        "v100",
    )
)
_PART = re.compile(
    r"\b(?:train\w*|fine-?tun\w+|learn\w*)\b[^,.;]{0,25}?\b(\d+(?:\.\d+)?\s?%)\s+of\b"
    r"|\b(\d+(?:\.\d+)?\s?%)\s+of (?:the |its |all |our )*(?:training|train|labels?|labell?ed|data|examples|samples"
    r"|images)\b"
    r"|\b(half|a (?:third|quarter|fraction|tenth|subset)|halves) of (?:the |its |all |our )*"
    r"(?:training|train|labels?|labell?ed|data|examples|samples|images)\b",
    re.IGNORECASE,
)


def split_of(text: str) -> Split | None:
    """The one split that a sentence or caption speaks of; None where it names none or several."""
    found = [split for split, pattern in _SAID if pattern.search(text)]
    return found[0] if len(found) == 1 else None


def split_of_header(label: str) -> Split | None:
    """The one split that a header names: "val", "Test PPL"."""
    found = [split for split, pattern in _HEADED if pattern.search(label)]
    return found[0] if len(found) == 1 else None


def foreign_names(text: str, mentions: Sequence[Mention], known: str) -> tuple[str, ...]:
    """Names behind "on" that neither a row or column nor the words `known` of a table and its paper hold."""
    flat = _flat(known)
    found = []
    for match in _PLACE.finditer(text):
        start, end = match.span(1)
        if any(mention.start < end and start < mention.end for mention in mentions):
            continue
        words = [word for word in tokens(match.group(1)) if word not in _NO_PLACE and not word.isdigit()]
        if words and not any(_flat(word) in flat for word in words):
            found.append(match.group(1))
    return tuple(found)


def part_of_data(text: str, known: str) -> str | None:
    """The share of the data that a sentence speaks of, unless the table's own words name that share."""
    match = _PART.search(text)
    if match is None:
        return None
    said = next(group for group in match.groups() if group)
    return None if _flat(said) in _flat(known) else said


def _flat(text: str) -> str:
    return re.sub(r"[^\w%]", "", text.casefold())
