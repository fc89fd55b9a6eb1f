"""Reads a host model from its directory and looks up in the paper what its card says of it."""

import json
import tomllib
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

from pydantic import ValidationError

from reproducegym.errors import HostModelError
from reproducegym.pipeline.directories import read_tree
from reproducegym.pipeline.judging.rerun import ENTRY
from reproducegym.pipeline.judging.verify import submission_digest
from reproducegym.pipeline.printed.numbers import read_numbers
from reproducegym.ports import Files, ReadPaper
from reproducegym.schema.host_model import HostCard, HostKnob
from reproducegym.schema.paper import Document

__all__ = ["CARD", "HostModel", "check_grounded", "read_host_model"]

CARD = "card.toml"


@dataclass(frozen=True)
class HostModel:
    """A host model as it lies on disk; `files` are named relative to its directory, `sha256` is over all of them."""

    card: HostCard
    files: Files
    sha256: str


def read_host_model(directory: Path) -> HostModel:
    """The model of a directory.

    Raises:
        HostModelError: there is no such directory, it has no reproduce.sh, or its card does not fit.
        StorageError: a file cannot be read.
    """
    if not directory.is_dir():
        raise HostModelError(f"{directory} is not a directory; --host-model wants one with {CARD} and {ENTRY}")
    files = {name: data for name, data in read_tree(directory).items() if "__pycache__" not in name.split("/")}
    for wanted in (CARD, ENTRY):
        if wanted not in files:
            raise HostModelError(f"{directory} has no {wanted}; docs/host-models.md says what a host model holds")
    try:
        card = HostCard.model_validate_json(json.dumps(tomllib.loads(files[CARD].decode()), default=str))
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise HostModelError(f"{directory / CARD} is not TOML: {error}") from error
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(str(part) for part in first["loc"]) or "card"
        raise HostModelError(f"{directory / CARD}: {place}: {first['msg']}") from error
    return HostModel(card, files, submission_digest(files))


def check_grounded(card: HostCard, paper: ReadPaper) -> None:
    """Nothing, where the paper prints the default of every knob in the passage that the card quotes.

    Raises:
        HostModelError: a passage is not in the paper, or does not print the default.
    """
    text = _flat(_text(paper.document))
    for knob in card.knobs:
        if _flat(knob.quote) not in text:
            raise HostModelError(f'knob {knob.name}: the paper has no passage "{knob.quote}"')
        if not _prints_default(knob):
            raise HostModelError(f'knob {knob.name}: "{knob.quote}" does not print its default {knob.default:g}')


def _prints_default(knob: HostKnob) -> bool:
    return any(number.value == Decimal(repr(knob.default)) for number in read_numbers(knob.quote))


def _text(document: Document) -> str:
    return "\n".join(paragraph.text for paragraph in document.paragraphs)


def _flat(text: str) -> str:
    return " ".join(text.split())
