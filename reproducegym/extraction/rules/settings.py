"""On what a cell was measured: data set, split, and the switches that tell an agent which run is meant."""

import re
from collections.abc import Sequence

from reproducegym.extraction.rules.axes import Axis
from reproducegym.extraction.rules.elsewhere import Split, split_of_header
from reproducegym.extraction.rules.labels import clean_label, find_mentions, name_apart, tokens
from reproducegym.extraction.rules.metric_words import metric_word
from reproducegym.extraction.rules.wording import slug
from reproducegym.schema.paper import Document, Table

__all__ = ["data_described", "data_set_said", "data_set_within", "known_settings", "said_setting", "switches"]

_NAME = r"(?:[A-Z](?:[\w+/-]|\.(?=\w))*|\d+[\w-]*)(?:\s(?:[A-Z](?:[\w+/-]|\.(?=\w))*|\d[\w-]*))*"
_DATA_SECTION = re.compile(
    r"^(?:[\dA-Z.]+\s+)?(?:the |our )?(?:[\w-]+ )?"
    r"(?:data ?sets?|data collection|data|corpus|corpora|benchmarks?|environments?)"
    r"(?: (?:and|&) [\w-]+)?$",
    re.IGNORECASE,
)
_SPLIT = r"(?:(?:the )?(?:test|validation|val|dev|development|training|train)(?:ing)? (?:split|set|data|part)s? of )?"
_ON = re.compile(
    rf"\b(?:on|for) {_SPLIT}(?:the )?({_NAME})"
    r"(?![\w.-]*\s(?:\w+\s)?(?:architecture|model|method|network|algorithm|variant)s?\b)"
)
_DATA_SET = re.compile(
    rf"\bon (?:the )?({_NAME}) (?:(?:test|validation|dev|training) )?(?:data ?set|benchmark|corpus|set)\b(?!s)"
)
_FIRST = re.compile(
    rf"(?:^|[:.|]\s)({_NAME}) (?:(?:test|validation|val|dev|training|train) )?(?:accurac|error|perplexity|loss|F1"
    rf"|score|return"
    rf"|success)"
)


def switches(
    table: Table,
    axis: Axis,
    condition: tuple[str, ...],
    setting: tuple[str, ...],
    split: Split | None,
    twins: frozenset[str] = frozenset(),
) -> dict[str, str]:
    """`{"method": "UCB1", "setting": "Ten-armed bandit"}`, keys from the stub headers where they stand over labels.

    `twins` are parts of conditions that only their marks tell apart.
    """
    stubs = [slug(head) for head in table.stub_headers if clean_label(head)]
    found: dict[str, str] = {}
    for depth, part in enumerate(condition):
        last = depth == len(condition) - 1
        from_end = len(condition) - depth
        key = stubs[-from_end] if axis == "row" and from_end <= len(stubs) else ("method" if last else "group")
        while key in found:
            key = f"{key}_{depth + 1}"
        found[key] = name_apart(part, part in twins) or part
    where = [clean_label(part) or part for part in setting]
    for depth, part in enumerate(where):
        key = "setting" if depth == 0 else f"setting_{depth + 1}"
        if axis == "column" and part == where[-1] and part[0].isdigit() and stubs:
            key = stubs[-1]
        found[key if key not in found else f"{key}_of_metric"] = part
    if split is not None and not any(split_of_header(part) == split for part in where):
        found.setdefault("split", split)
    return found


def data_set_within(head: str | None) -> str:
    """The data set inside a metric's header: "WSJ 23 F1" is F1 on WSJ 23, "AIME24avg@32" is on AIME24."""
    if head is None:
        return ""
    bare = re.sub(
        r"\[[^\]]*\]|\b[CGT]PUs?\b|\bFLOP\w*|(?:pass|avg|cons|maj)@\d+|\b(?:[Tt]est|[Tt]rain\w*|[Vv]al\w*|[Dd]ev|[Mm]ean|[Mm]ax|[Mm]in)\b",
        " ",
        clean_label(head),
    )
    bare = re.sub(r"\([^()]*\)", " ", bare)
    rest = " ".join(word for word in bare.split() if metric_word(word) is None)
    return rest if re.search(r"[A-Z]{2}|[A-Z]\w*\s?\d", rest) and metric_word(rest) is None else ""


def data_set_said(caption: str) -> str:
    """The data set that a caption names as such: "on the CIFAR10 dataset"; nothing where it names several."""
    named = list(dict.fromkeys(_DATA_SET.findall(caption)))
    return named[0] if len(named) == 1 else ""


def data_described(document: Document) -> str | None:
    """The section that describes the paper's data, for results whose table names no data set."""
    titles = [section.title for section in document.sections if _DATA_SECTION.search(section.title)]
    return f'the data of section "{titles[0]}"' if titles else None


def known_settings(document: Document) -> tuple[str, ...]:
    """Outer column headers that name no metric: the paper's data sets and environments."""
    found = [
        clean_label(part)
        for table in document.tables
        for cell in table.cells
        if cell.kind == "body" and len(cell.column_path) > 1
        for part in cell.column_path[:-1]
        if metric_word(part) is None
    ]
    return tuple(dict.fromkeys(label for label in found if tokens(label)))


def said_setting(caption: str, known: Sequence[str]) -> str:
    """The data set that a caption names: one that other tables know, or the name after "on"."""
    mentions = find_mentions(caption, known)
    named = list(dict.fromkeys(mention.label for mention in mentions if mention.strength == 2))
    if named:
        return named[0] if len(named) == 1 else ""
    quoted = re.search(r"\b(?:on|for) (?:the )?[“\"‘]([^”\"’]{2,60})[”\"’]", caption)
    if quoted:
        return quoted.group(1)
    match = _ON.search(caption) or _FIRST.search(caption)
    if match is not None and re.match(rf"(?:,|,? and| or|\s?/|\s?&)\s(?:the )?{_NAME}", caption[match.end(1) :]):
        return ""
    found = clean_label(match.group(1)).rstrip(".") if match else ""
    return found if re.search(r"[^\W\d_]", found) else ""
