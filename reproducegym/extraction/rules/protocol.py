"""Finds how experiments are run: steps, episodes, seeds, rates and sizes, each with its quote and page."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from reproducegym.extraction.rules.labels import find_mentions
from reproducegym.extraction.rules.sentences import Spoken, set_up_sentences
from reproducegym.extraction.rules.wording import CARDINALS, slug
from reproducegym.pipeline.printed.numbers import read_numbers
from reproducegym.schema.claim import ProtocolNumber
from reproducegym.schema.paper import Document

__all__ = ["Budget", "Demands", "SetUp", "demands_of", "read_set_up"]

_COUNTED = re.compile(
    r"^[\s-](?:(?:training|random|independent|different|environment|gradient|optimi[sz]ation"
    r"|evaluation|test|bandit|total|parallel|time)[\s-]){0,2}"
    r"(timesteps?|steps?|episodes?|epochs?|iterations?|updates?|seeds?|runs?|trials?|folds?"
    r"|problems?|questions?|layers?|heads?|arms?|states?|moves?|workers?|agents?)\b",
    re.IGNORECASE,
)
_NAMED = re.compile(
    r"\b(learning rate|batch size|mini-?batch size|discount(?: factor)?|dropout(?: rate)?"
    r"|weight decay|warm-?up(?: steps)?|temperature|momentum|hidden (?:size|dimension)"
    r"|horizon|probability|label smoothing|beam size|length penalty|clip(?:ping)? range"
    r"|buffer size|group size|population size|patience|maximum (?:sequence )?length)"
    r"\s?(?:of|is|was|to|=|:|set to|as|,)?\s?(?:[^\W\d]\s?=\s?)?$",
    re.IGNORECASE,
)
_WORDS = re.compile(r"\b(" + "|".join(CARDINALS) + r")\b(?=[\s-]\w)", re.IGNORECASE)
_SINGULAR = {"timesteps": "steps", "timestep": "steps", "step": "steps", "episode": "episodes", "epoch": "epochs"}
_BUDGETS = ("steps", "episodes", "epochs", "iterations", "updates")
_GPU = re.compile(r"\b(?:GPUs?|TPUs?|A100|V100|H100|H800|P100|RTX|CUDA)\b")
_TRAINS = re.compile(r"\b(?:train(?:s|ed|ing)?|fine-?tun\w+|learn(?:s|ed|ing)?|optimi[sz]ed)\b", re.IGNORECASE)
_NETWORK = re.compile(
    r"neural|\bdeep\b|\bLSTM|\bGRU|\bCNN|convolution|transformer|\bBERT|\bMLP\b|backprop", re.IGNORECASE
)
_LARGE = re.compile(r"ImageNet|language models?\b|\bLLMs?\b|\bGPT|\bLlama|\bQwen", re.IGNORECASE)
_BILLIONS = re.compile(r"(?<![\w.])(?:[\w.]+-)*(\d+(?:\.\d+)?)B\b")


@dataclass(frozen=True)
class Budget:
    """A protocol number with the data set whose name stands nearest in its sentence (None: said of all)."""

    number: ProtocolNumber
    dataset: str | None
    is_set_up: bool


@dataclass(frozen=True)
class Demands:
    """What a reproduction needs, by the paper's wording."""

    requires_training: bool
    requires_gpu: bool
    cost: Literal["S", "M", "L", "XL"]


@dataclass(frozen=True)
class SetUp:
    """All protocol numbers of a paper."""

    found: tuple[Budget, ...]

    def numbers_for(self, dataset: str | None) -> tuple[ProtocolNumber, ...]:
        """The numbers that hold for a data set: one value a name; a name that keeps several values is left out."""
        mine = [one for one in self.found if one.dataset in {None, dataset}]
        numbers: list[ProtocolNumber] = []
        for name in dict.fromkeys(one.number.name for one in mine):
            named = [one for one in mine if one.number.name == name]
            for preferred in (
                [one for one in named if one.dataset == dataset and one.is_set_up],
                [one for one in named if one.dataset == dataset],
                [one for one in named if one.is_set_up],
                named,
            ):
                values = {one.number.value for one in preferred}
                if len(values) == 1:
                    numbers.append(preferred[0].number)
                    break
                if values:
                    break
        return tuple(numbers)

    def budget_for(self, dataset: str | None) -> str | None:
        """Which number is the interaction or training budget of a data set."""
        numbers = {number.name for number in self.numbers_for(dataset)}
        own = {one.number.name for one in self.found if one.dataset is not None and one.dataset == dataset}
        for names in (own & numbers, numbers if not own & set(_BUDGETS) else set()):
            budgets = [name for name in _BUDGETS if name in names]
            if len(budgets) == 1:
                return budgets[0]
        return None


def read_set_up(document: Document, datasets: Sequence[str]) -> SetUp:
    """Every protocol number of the paper's sentences."""
    found = [budget for spoken in set_up_sentences(document) for budget in _of_sentence(spoken, datasets)]
    return SetUp(tuple(found))


def demands_of(document: Document) -> Demands:
    """Training, GPU and cost class from the paper's own words."""
    text = " ".join(paragraph.text for paragraph in document.paragraphs if paragraph.role not in {"reference", "front"})
    own = " ".join(spoken.text for spoken in set_up_sentences(document))
    sizes = [Decimal(match.group(1)) for match in _BILLIONS.finditer(own)]
    gpu = bool(_GPU.search(own)) or bool(sizes)
    cost: Literal["S", "M", "L", "XL"] = "S"
    if len(_NETWORK.findall(text)) > 3:
        cost = "M"
    if gpu or _LARGE.search(own):
        cost = "L"
    if any(size >= 13 for size in sizes):
        cost = "XL"
    return Demands(requires_training=bool(_TRAINS.search(text)), requires_gpu=gpu and cost != "S", cost=cost)


def _of_sentence(spoken: Spoken, datasets: Sequence[str]) -> Iterator[Budget]:
    text = spoken.text
    places = [(mention.start, mention.end, mention.label) for mention in find_mentions(text, datasets)]
    for start, end, value, spelled in _values(text):
        before, after = text[:start], text[end:]
        counted, named = _COUNTED.match(after), _NAMED.search(before)
        if counted and "%" not in text[start:end]:
            noun = counted.group(1).casefold()
            name = _SINGULAR.get(noun, noun if noun.endswith("s") else f"{noun}s")
            if name in {"runs", "trials", "problems"} and "independent" in counted.group():
                name = "repetitions"
            quote = text[start : end + counted.end()]
        elif named and not spelled:
            name = slug(named.group(1))
            quote = text[named.start() : end]
        else:
            continue
        number = ProtocolNumber(name=name, value=value, unit="", quote=quote, page=spoken.sentence.places[0].page)
        yield Budget(number, _nearest(start, end, places), spoken.role in {"setup", "abstract"})


def _values(text: str) -> Iterator[tuple[int, int, Decimal, bool]]:
    """Numbers in digits and, where something is counted, in words; with their offsets."""
    for number in read_numbers(text):
        if number.unit in {"", "%"} and number.spread is None:
            yield number.start, number.end, number.value, False
    for match in _WORDS.finditer(text):
        if _COUNTED.match(text[match.end() :]):
            yield match.start(), match.end(), Decimal(CARDINALS[match.group(1).casefold()]), True


def _nearest(start: int, end: int, places: Sequence[tuple[int, int, str]]) -> str | None:
    if not places:
        return None
    return min(places, key=lambda place: (max(place[0] - end, start - place[1]), place[0]))[2]
