"""Finds the names of rows and columns in running text: "the big transformer model" names row "Transformer (big)"."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

__all__ = ["Mention", "clean_label", "find_mentions", "name_apart", "tokens"]


@dataclass(frozen=True)
class Mention:
    """Where a sentence names a label. Strength 2: by its name; 1: by a word that only this label has."""

    label: str
    start: int
    end: int
    strength: int


_CITATION = re.compile(
    r"\s*(?:\[[\d,;\s–-]+\]|\((?:[A-Z][^()]*?(?:19|20)\d\d[a-z]?(?:;[^()]*)?)\)|et al\.,?\s*\(?\d{4}\)?)"
)
_DRESSING = re.compile(
    r"\((?:ours?|us|proposed|%|↑|↓|baseline|s|ms|h)\)|\[(?:%|s|ms|h|sec)\]|[↑↓*†‡§¶✓✗]|\bours?\b:?", re.IGNORECASE
)
_MARKS = re.compile(r"[*†‡§¶]")
_MARKS_BEHIND = re.compile(r"[*†‡§¶]+")
_DASHES = str.maketrans(dict.fromkeys("‐‑–—−", "-"))
_COMMON = frozenset(
    re.findall(
        r"\w+",
        "the a an of on in with without and or for to by from at no not all our ours we w wo model models "
        "method methods base baseline original fixed full top default standard test train training mean "
        "average avg std best other random noise setting data set task small large big new old high low first "
        "last only using use used after before loss score rate level classifier learning network system part "
        "type step steps total results time ",
    )
)
_LANGUAGES = {
    "en": "english",
    "de": "german",
    "fr": "french",
    "es": "spanish",
    "it": "italian",
    "ru": "russian",
    "zh": "chinese",
    "ja": "japanese",
    "ro": "romanian",
    "cs": "czech",
    "fi": "finnish",
    "tr": "turkish",
    "nl": "dutch",
    "pt": "portuguese",
    "ar": "arabic",
    "hi": "hindi",
    "ko": "korean",
}


@lru_cache(maxsize=4096)
def clean_label(label: str) -> str:
    """A label without citations, arrows, units and "(ours)"; a row that is called nothing else stays "Ours"."""
    bare = _DRESSING.sub("", _CITATION.sub("", label))
    kept = " ".join(bare.strip(" :;,").split())
    return kept or ("Ours" if re.fullmatch(r"\W*ours?\W*", label, re.IGNORECASE) else "")


def name_apart(label: str, has_twin: bool) -> str:
    """A label cleaned, or whole where another one is told from it by what cleaning takes away."""
    return " ".join(label.split()) if has_twin else clean_label(label)


@lru_cache(maxsize=4096)
def tokens(text: str) -> tuple[str, ...]:
    """Lower-case words of a text; a hyphen keeps a word together."""
    return tuple(re.findall(r"[^\W_]+(?:[-@.][^\W_]+)*", _even(text).casefold()))


def find_mentions(text: str, labels: Iterable[str]) -> tuple[Mention, ...]:
    """Every mention of the labels, in order; of overlapping ones only the longest stays."""
    names = list(dict.fromkeys(labels))
    even = _even(text)
    found = [mention for label in names for alias in _aliases(label) for mention in _by_name(even, label, alias)]
    named = {mention.label for mention in found}
    counts = _token_counts(names)
    for label in names:
        if label not in named:
            found.extend(_by_own_word(even, label, counts))
    unnamed = [label for label in names if label not in {mention.label for mention in found}]
    found.extend(_misspelt(even, unnamed))
    found = _by_their_marks(even, found, names)
    kept: list[Mention] = []
    for mention in sorted(found, key=lambda one: (-one.strength, one.start - one.end, one.start, one.label)):
        if not any(
            mention.start < other.end and other.start < mention.end and mention.label != other.label for other in kept
        ):
            kept.append(mention)
    return tuple(sorted(set(kept), key=lambda one: (one.start, one.end, one.label)))


@lru_cache(maxsize=4096)
def _aliases(label: str) -> tuple[str, ...]:
    """The ways a paper may spell a label: whole, without its parenthesis, the parenthesis alone, without its "+"."""
    whole = _even(clean_label(label))
    found = [whole, *(part for part in [re.sub(r"^\(([^()]+)\)$", r"\1", whole)] if part != whole)]
    if whole.casefold() in {"avg", "avg.", "mean", "average"}:
        found += ["average", "on average", "averaged"]
    inner = re.fullmatch(r"(.+?)\s*\(([^()]+)\)", whole)
    if inner:
        outside, inside = inner.groups()
        found.append(f"{inside} {outside}")
        if re.search(r"[A-Z]{2}", inside) or len(inside.split()) > 1:
            found.append(inside)
        if inside.isalpha() and inside.islower():
            found.append(f"{inside} model")
        if outside.startswith("+"):
            found.append(outside)
    for alias in tuple(found):
        stripped = re.sub(r"^(?:\+|w/|with|only)\s*", "", alias, flags=re.IGNORECASE)
        found.append(stripped)
        without = re.sub(r"^(?:-|–|w/o|without|no)\s+", "without ", stripped, flags=re.IGNORECASE)
        found.append(without)
        if without != stripped:
            rest = without.removeprefix("without ")
            found += [f"not using any {rest}", f"not using {rest}", f"no {rest}", f"removing {rest}"]
    if re.fullmatch(r"[A-Z][A-Za-z]*[A-Z]", whole) and len(whole) > 4:
        found += [f"{whole[:cut]}-{whole[cut:]}" for cut in range(2, len(whole) - 1)]
    if whole.isalpha() and len(whole) > 3:
        found += [f"{whole}-based", f"{whole.casefold()}-based"]
    year = re.match(r"([A-Za-z]{3,})[ -]?'?(\d\d)(?!\d)", whole)
    if year:
        found += [f"{year.group(1)} 20{year.group(2)}", f"{year.group(1)}20{year.group(2)}"]
    pair = re.fullmatch(r"([A-Za-z]{2})\s?(?:-|→|->|2)\s?([A-Za-z]{2})", whole)
    if pair and {part.casefold() for part in pair.groups()} <= _LANGUAGES.keys():
        source, target = (_LANGUAGES[part.casefold()] for part in pair.groups())
        found += [f"{source}-to-{target}", f"{source}-{target}", f"{source} to {target}"]
    return tuple(
        dict.fromkeys(
            alias for alias in found if (len(alias) > 1 or not alias.isascii()) and not re.fullmatch(r"\d{1,2}", alias)
        )
    )


def _by_name(text: str, label: str, alias: str) -> Iterable[Mention]:
    if alias.casefold() in _COMMON and alias.islower():
        return
    if alias.split(maxsplit=1)[0].casefold() not in text.casefold():
        return
    pattern = _pattern(alias)
    for match in pattern.finditer(text):
        strength = _strength(alias, match.group())
        if strength:
            yield Mention(label, match.start(), match.end(), strength)


@lru_cache(maxsize=4096)
def _pattern(alias: str) -> re.Pattern[str]:
    body = r"[\s-]+(?:(?:the|its|a)\s+)?".join(re.escape(part) for part in alias.split())
    return re.compile(
        rf"(?<![\w.])(?<!\w-){body}(?:s|es)?(?![\w])(?!\.\d)(?!-(?!based|style|type|only)\w)", re.IGNORECASE
    )


@lru_cache(maxsize=4096)
def _word_pattern(word: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w.])(?<!\w-){re.escape(word)}s?(?![\w])(?!-\w)", re.IGNORECASE)


def _strength(alias: str, said: str) -> int:
    """How surely `said` is the name: a plain word in another case is a weak sign, a short acronym none."""
    exact = said.startswith(alias)
    if exact or len(alias.split()) > 1 or "-" in alias or any(letter.isdigit() for letter in alias):
        return 1 if alias.casefold() in _COMMON and alias != said else 2
    if alias.isupper():
        return 1 if len(alias) > 3 else 0
    return 0 if alias.casefold() in _COMMON and said.islower() else (2 if alias.casefold() not in _COMMON else 1)


def _by_own_word(text: str, label: str, counts: dict[str, int]) -> Iterable[Mention]:
    """Mentions by a word that is in this label only and says something by itself."""
    for word in tokens(clean_label(label)):
        telling = len(word) > 2 and word not in _COMMON and not word.isdigit() and counts[word] == 1
        if not telling or word not in text.casefold():
            continue
        for match in _word_pattern(word).finditer(text):
            yield Mention(label, match.start(), match.end(), 1)


def _misspelt(text: str, labels: Sequence[str]) -> Iterable[Mention]:
    """Mentions of long one-word names with two letters swapped or one letter wrong: "Oshumed" for "Ohsumed"."""
    for match in re.finditer(r"(?<![\w-])[A-Z][a-z]{5,}(?![\w-])", text):
        for label in labels:
            name = clean_label(label)
            if name.isalpha() and name[0] == match.group()[0] and _one_slip(name, match.group()):
                yield Mention(label, match.start(), match.end(), 1)


def _one_slip(name: str, said: str) -> bool:
    if len(name) != len(said) or name == said:
        return False
    wrong = [index for index, (a, b) in enumerate(zip(name, said, strict=True)) if a != b]
    if len(wrong) == 1:
        return len(name) > 7
    return len(wrong) == 2 and wrong[1] == wrong[0] + 1 and sorted(name) == sorted(said)


def _by_their_marks(text: str, found: Sequence[Mention], labels: Sequence[str]) -> list[Mention]:
    """Mentions without those of a label whose twin has the marks that stand behind the name: "Sift*" is not "Sift"."""
    marks = {label: "".join(_MARKS.findall(label)) for label in labels}
    twins: dict[str, set[str]] = {}
    for label in labels:
        twins.setdefault(clean_label(label).casefold(), set()).add(marks[label])
    kept = []
    for mention in found:
        behind = _MARKS_BEHIND.match(text, mention.end)
        said = behind.group() if behind else ""
        others = twins[clean_label(mention.label).casefold()]
        if len(others) == 1 or marks[mention.label] == (said if said in others else ""):
            kept.append(mention)
    return kept


def _token_counts(labels: list[str]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for label in labels:
        for word in set(tokens(clean_label(label))):
            counts[word] = counts.get(word, 0) + 1
    return counts


@lru_cache(maxsize=8192)
def _even(text: str) -> str:
    """The text with one kind of dash, letter by letter, so that offsets stay true."""
    return "".join(
        plain if len(plain := unicodedata.normalize("NFKC", letter)) == 1 else letter for letter in text
    ).translate(_DASHES)
