"""Which split, data set and conditions a text names, to tell when a sentence speaks of something else than a table."""

import re
from collections.abc import Sequence
from typing import Literal

from reproducegym.extraction.rules.labels import Mention, tokens

__all__ = ["Split", "foreign_names", "says_mean_of_several", "special_condition", "split_of", "split_of_header"]

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
    ("train", re.compile(
        rf"\b(?:train(?:ing)?)[ -]{_METRICAL}|\b(?:on|in) (?:the |its |our )?train(?:ing)? (?:data|images|examples"
        rf"|samples)\b",
        re.IGNORECASE)),
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
    r"(?<!based )(?<!built )(?<!relies )(?<!rely )(?<!depends )(?<!focus )(?<!focused )(?:\b[Oo]n|(?:^"
    r"|, )[Ff]or) (?:the )?"
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
_MANNER = re.compile(
    r"\b((?:best|worst|single|one|luckiest) (?:run|seed|trial)|best[ -]of|ensembles? of)\b"
    r"|\b(median|worst|maximum|minimum|peak|interquartile|top-?\d+|balanced|macro(?:-averaged)?|micro(?:-averaged)?"
    r"|weighted"
    r"|per-class|normali[sz]ed|calibrated)[ -](?:\w+ ){0,2}?(?:accurac|f-?1|errors?|scores?|precision|recall"
    r"|returns?|loss|rewards?"
    r"|regret|perplexit|success)"
    r"|\b(twice as (?:long|many|much)|(?:trained|training|run) (?:for )?(?:much )?longer"
    r"|(?:more|less|fewer|twice the|double the) (?:training )?(?:data|compute|epochs|labels|steps))\b"
    r"|\b(transferr?ed|generali[sz]\w+|applied) (?:[\w-]+ ){0,4}to\b|\b(seed \d+)\b"
    r"|\b((?:half|a third|a quarter|\d+\s?%) of (?:the |its |our )?(?:training )?(?:steps|epochs|training|budget"
    r"|time))\b"
    r"|\bwithout (?:the |any |its |our )*(?!extra|additional|further|loss|sacrific|increas|hurt|harm|chang"
    r"|significan|cost|los)"
    r"([a-z][\w-]{3,})"
    r"|\bwith (?:an? |the )?([A-Z][\w-]+)[ -](?:backbone|encoder|architecture|features|optimi[sz]er"
    r"|initiali[sz]ation)\b",
    re.IGNORECASE,
)
"""How a number was made, where that is not how the table's were unless the table says so."""
_MEAN_OF = re.compile(
    r"\b(?:averag\w+|means?|on average) (?:over|across)\s(?![^,.;]{0,40}\b(?:seeds?|runs?|trials|folds|repetitions"
    r"|repeats"
    r"|episodes|examples|samples|questions|problems)\b)",
    re.IGNORECASE,
)
_CONDITION = re.compile(
    r"\b(\d+(?:\.\d+)?\s?%)\s(?:of )?(?:\w+ )?(?:noise|sparsity|corruptions?|poison\w*|contamination|missing"
    r"|pruning|masking)\b"
    r"|\b(?:noise|sparsity|corruption|pruning|masking|poisoning)(?: rate| level| ratio)? of (\d+(?:\.\d+)?\s?%)"
    r"|\b((?:zero|one|few|\d+)-shot|out-of-distribution|adversarial(?=(?:ly)? (?:attacks?|perturb\w+|examples))"
    r"|low-resource"
    r"|low-data|unseen|corrupted)\b",
    re.IGNORECASE,
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


def special_condition(text: str, known: str) -> str | None:
    """The share of the data or the special condition that a sentence names, unless the table's words name it too."""
    for pattern in (_PART, _CONDITION, _MANNER):
        for match in pattern.finditer(text):
            said = next(group for group in match.groups() if group)
            if _flat(said) not in _flat(known):
                return said
    return None


def says_mean_of_several(text: str) -> bool:
    """Whether a sentence speaks of a mean over data sets, and not over runs."""
    return bool(_MEAN_OF.search(text))


def _flat(text: str) -> str:
    return re.sub(r"[^\w%]", "", text.casefold())
