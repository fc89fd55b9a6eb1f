"""Draws by hash: what falls where follows from a seed and a name alone; other tasks and papers change nothing."""

from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from numbers import Real
from unicodedata import normalize

from reproducegym.errors import MisuseError
from reproducegym.schema.listed import ListedTask

__all__ = ["balanced", "shares", "shuffled"]

_WHOLE = 2**64
_ROUNDING = 1e-9
_TELLING = 2
"""Words that make a title one paper's."""


def shuffled(tasks: Iterable[ListedTask], seed: int) -> list[ListedTask]:
    """Tasks in an order that the seed draws; of fewer tasks it is the same with the others left out."""
    return sorted(tasks, key=lambda task: _drawn(seed, f"{task.task_id} {task.spec_hash}"))


def balanced(tasks: Iterable[ListedTask], seed: int) -> list[ListedTask]:
    """The same in rounds: one task of every paper that has one left, papers in an order that the seed draws."""
    papers: dict[str, list[ListedTask]] = {}
    for task in shuffled(tasks, seed):
        papers.setdefault(task.paper_id, []).append(task)
    order = sorted(papers, key=lambda paper: _drawn(seed, paper))
    rounds = max(map(len, papers.values()), default=0)
    return [papers[paper][place] for place in range(rounds) for paper in order if place < len(papers[paper])]


def shares(tasks: Sequence[ListedTask], fractions: Mapping[str, float], seed: int) -> dict[str, list[ListedTask]]:
    """Tasks by the part that their paper falls into; fractions are of papers, and met the better the more there are.

    Papers of one file, or with one title (as a preprint and what was printed), fall together, where the first id falls.

    Raises:
        MisuseError: the fractions are no parts of one whole.
    """
    named = isinstance(fractions, Mapping) and all(isinstance(part, Real) for part in fractions.values())
    if not named or not fractions or any(not 0 <= part <= 1 for part in fractions.values()):
        raise MisuseError(f"fractions of a split lie between 0 and 1, as in {{'train': 0.9, 'test': 0.1}}: {fractions}")
    if abs(sum(fractions.values()) - 1) > _ROUNDING:
        raise MisuseError(f"fractions of a split add up to 1, not {sum(fractions.values()):g}: {dict(fractions)}")
    first = _first_ids({(task.paper_id, task.paper_sha256, task.paper_title) for task in tasks})
    found: dict[str, list[ListedTask]] = {name: [] for name in fractions}
    falls = {paper: _part(paper, fractions, seed) for paper in set(first.values())}
    for task in tasks:
        found[falls[first[task.paper_id]]].append(task)
    return found


def _first_ids(papers: Iterable[tuple[str, str, str]]) -> dict[str, str]:
    """By the id of each paper (id, sha256, title) the first id of all that share a file or a title with it."""
    above: dict[str, str] = {}

    def first(paper: str) -> str:
        while above[paper] != paper:
            above[paper] = paper = above[above[paper]]
        return paper

    holders: dict[str, str] = {}
    for paper, content, title in sorted(papers):
        above.setdefault(paper, paper)
        for mark in (content, _letters(title)):
            one, other = first(paper), first(holders.setdefault(mark, paper) if mark else paper)
            above[max(one, other)] = min(one, other)
    return {paper: first(paper) for paper in above}


def _letters(title: str) -> str:
    """What two spellings of a title share; empty where it is one word alone, as `Abstract`: many papers share it."""
    words = ["".join(filter(str.isalnum, word)) for word in normalize("NFKC", title).casefold().split()]
    return "".join(words) if sum(word != "" and not word.isdecimal() for word in words) >= _TELLING else ""


def _part(paper: str, fractions: Mapping[str, float], seed: int) -> str:
    point, reached = _drawn(seed, paper) / _WHOLE, 0.0
    last = ""
    for name, part in fractions.items():
        reached += part
        if part > 0:
            last = name
            if point < reached:
                return name
    return last  # rounding let the parts end a hair below the whole


def _drawn(seed: int, name: str) -> int:
    """A number below 2^64."""
    return int.from_bytes(sha256(f"{seed} {name}".encode()).digest()[:8], "big")
