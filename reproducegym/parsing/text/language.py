"""Tells the language of a text."""

from collections.abc import Iterable
from functools import cache

from py3langid.langid import MODEL_FILE, LanguageIdentifier

__all__ = ["language_of"]

_MIN_LETTERS = 200
_ENOUGH = 20000
_SURE = 0.9


@cache
def _identifier() -> LanguageIdentifier:
    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)


def language_of(texts: Iterable[str]) -> str | None:
    """The ISO 639-1 code of the language in which most of the paragraphs are; None if there is too little text."""
    kept: list[str] = []
    letters = 0
    for text in texts:
        words = [word for word in text.split() if word.strip(".,;:!?()[]\"'").isalpha()]
        kept += words
        letters += sum(map(len, words))
        if letters > _ENOUGH:
            break
    if letters < _MIN_LETTERS:
        return None
    language, sure = _identifier().classify(" ".join(kept))
    return str(language) if float(sure) >= _SURE else None
