"""What a call may cost at most, before it is made, and what it did cost."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from pydantic import JsonValue

from reproducegym.schema.config import Price

__all__ = ["Cost", "Tokens", "cost_of", "most_prompt_tokens"]

_MILLION = Decimal(1_000_000)
_ENVELOPE = 64
_IMAGE_BASE = 3_000
_IMAGE_TILE = 6_000
_IMAGE_MOST = 48_000
_TILE = 512


@dataclass(frozen=True)
class Tokens:
    """Tokens of one or more calls. `estimated` says that an endpoint did not count them and they are an upper bound."""

    prompt: int = 0
    completion: int = 0
    estimated: bool = False

    def __add__(self, other: "Tokens") -> "Tokens":
        """Both together."""
        return Tokens(self.prompt + other.prompt, self.completion + other.completion, self.estimated or other.estimated)


@dataclass(frozen=True)
class Cost:
    """Tokens and dollars; dollars are None where the model has no price."""

    tokens: int
    dollars: Decimal | None


def cost_of(tokens: Tokens, price: Price | None) -> Cost:
    """What tokens cost at a price."""
    total = tokens.prompt + tokens.completion
    if price is None:
        return Cost(total, None)
    return Cost(total, (tokens.prompt * price.prompt + tokens.completion * price.completion) / _MILLION)


def most_prompt_tokens(texts: Sequence[str], images: Sequence[bytes], schema: Mapping[str, JsonValue]) -> int:
    """No tokenizer makes more tokens than this: one for each byte of text, and tiles as the dearest model counts them.

    Counting for real would need each model's own tokenizer; what the bound reserves too much is given back after the
    call.
    """
    text = sum(len(one.encode()) + _ENVELOPE for one in (*texts, json.dumps(schema, ensure_ascii=False)))
    return text + sum(_image_tokens(image) for image in images)


def _image_tokens(image: bytes) -> int:
    """By the size in pixels that the head of a PNG file says."""
    width, height = int.from_bytes(image[16:20], "big"), int.from_bytes(image[20:24], "big")
    tiles = -(-width // _TILE) * -(-height // _TILE)
    return min(_IMAGE_BASE + _IMAGE_TILE * tiles, _IMAGE_MOST)
