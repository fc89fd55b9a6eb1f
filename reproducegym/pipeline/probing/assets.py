"""Knows what nobody can obtain by name: closed models and private data that a claim's conditions or protocol name."""

import re
from collections.abc import Sequence

from reproducegym.schema.claim import Protocol, Reason
from reproducegym.schema.spec import Condition

__all__ = ["unavailable"]

_CLOSED_MODELS = re.compile(
    r"\b(?:GPT-?(?:3(?:\.5)?|4(?:o|\.\d|V)?|5)(?![\w.]*[-\s]?(?:J|Neo))|ChatGPT|text-davinci-\d+|davinci-\d+|Codex"
    r"|OpenAI\s?o[134](?:-\w+)?|o[134]-(?:mini|preview|pro)|Claude(?:[-\s](?:\d|Opus|Sonnet|Haiku|Instant)[\w.]*)?"
    r"|Gemini(?:[-\s](?:\d|Pro|Ultra|Flash)[\w.]*)?|PaLM(?:[-\s]?2)?|Bard|Chinchilla|LaMDA|DALL[-·]?E(?:\s?[23])?"
    r"|Midjourney|Imagen)(?![\w])"
)
"""Models whose weights were never given out: an experiment without a network cannot run them, and they change."""
_PRIVATE_DATA = re.compile(
    r"\b(?:JFT(?:-\d+\w*)?|IG-\d+\w*|Instagram-\d+\w*)\b"
    r"|\b(?:proprietary|in-house|closed-source|confidential|non-public)\b"
    r"|\b(?:private|internal)\s(?:\w+\s)?(?:data|data\s?sets?|corpus|corpora|records|logs|collection|benchmark)\b"
    r"|\bnot\s(?:publicly\s|openly\s)?(?:available|released)\b",
    re.IGNORECASE,
)


def unavailable(conditions: Sequence[Condition], protocol: Protocol, *, provided: bool = False) -> Reason | None:
    """Why a claim cannot be run by anyone; None where all that it names can be had by name.

    Asked are the conditions that are run and the protocol's method and data set, not what else the paper compares; not
    for private data where the claim's data is `provided`.
    """
    models = [(one.source_label, f'condition "{one.source_label}"') for one in conditions]
    models += [(value, f'condition "{one.source_label}"') for one in conditions for value in one.switches.values()]
    models += [(text, "method") for text in (protocol.method,) if text]
    data = [*models, *((text, "data set") for text in (protocol.dataset,) if text)]
    for named, kind, pattern in (
        (models, "a closed model", _CLOSED_MODELS),
        ([] if provided else data, "data that is not public", _PRIVATE_DATA),
    ):
        for text, what in named:
            found = pattern.search(text)
            if found is not None:
                detail = f'{what}: "{found.group()}" is {kind}'
                return Reason(code="needs_unavailable_asset", argument=None, detail=detail)
    return None
