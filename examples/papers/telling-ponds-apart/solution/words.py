"""Reads the words of a task: which classifier a condition means, and which score a column asks for."""

from collections.abc import Mapping

__all__ = ["UnknownWordError", "method_of", "score_of"]

METHODS = {
    "majority": "majority",
    "nearest centroid": "centroid",
    "naive bayes": "bayes",
    "k nn": "vote",
    "w/o scaling": "unscaled",
    "w/o voting": "single",
}
"""The paper's name, levelled → ours."""
PLACES = {"reedbank", "reedbank data set"}


class UnknownWordError(Exception):
    """A condition or column that the paper does not name."""


def levelled(text: str) -> str:
    plain = text.casefold().replace("(full)", "").replace("without ", "w/o ").replace("-", " ")
    return " ".join(plain.split())


def method_of(switches: Mapping[str, str]) -> str:
    """Our name of the classifier that the switches ask for; a variant of k-NN is more exact than k-NN."""
    words = [levelled(value) for value in switches.values()]
    found = {METHODS[word] for word in words if word in METHODS}
    if len(found) > 1:
        found.discard("vote")
    strange = [word for word in words if word not in METHODS and word not in PLACES]
    if len(found) != 1 or strange:
        raise UnknownWordError(f"switches {dict(switches)} name no single classifier; known: {', '.join(METHODS)}")
    return found.pop()


def score_of(column: str) -> str:
    """`accuracy` or `macro_f1`."""
    for word in ("accuracy", "macro_f1"):
        if word in levelled(column).replace(" ", "_"):
            return word
    raise UnknownWordError(f"column {column!r} asks for no score of this paper: accuracy, macro_f1")
