"""Prints how well tables are read, by trait: `python -m tests.parsing.made_tables [--first 0] [--count 240]`.

`--show 17` prints every miss of one paper; `--pdf DIR` also writes the papers there.
"""

import argparse
import collections
from pathlib import Path

from reproducegym.parsing import PymupdfParser
from reproducegym.schema.paper import Source

from .papers import made_paper
from .score import MEASURES, Score, score, total


def scored(index: int) -> Score:
    paper = made_paper(index)
    return score(paper, PymupdfParser().parse(Source(kind="pdf", origin="made.pdf", content=paper.pdf), "made"))


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--first", type=int, default=0)
    arguments.add_argument("--count", type=int, default=240)
    arguments.add_argument("--show", type=int)
    arguments.add_argument("--pdf", type=Path)
    asked = arguments.parse_args()
    indices = range(asked.first, asked.first + asked.count) if asked.show is None else [asked.show]
    scores: dict[int, Score] = {}
    by_trait: dict[str, list[int]] = collections.defaultdict(list)
    for index in indices:
        scores[index] = scored(index)
        for trait in made_paper(index).traits:
            by_trait[trait].append(index)
        if asked.pdf is not None:
            asked.pdf.mkdir(parents=True, exist_ok=True)
            (asked.pdf / f"{index}.pdf").write_bytes(made_paper(index).pdf)
    print(f"{'':34}" + "".join(f"{name:>10}" for name in MEASURES))
    for trait, members in by_trait.items():
        worst = sorted(members, key=lambda i: scores[i].shares["path_ok"].percent)[:4]
        print(_row(trait, [scores[i] for i in members]) + f"  {len(members)}: {worst}")
    print(_row("all", list(scores.values())))
    if asked.show is not None:
        print("\n".join(scores[asked.show].misses))


def _row(name: str, scores: list[Score]) -> str:
    shares = total(scores)
    return f"{name:34}" + "".join(f"{shares[m].percent:10.1f}" if shares[m].of else f"{'':>10}" for m in MEASURES)


if __name__ == "__main__":
    main()
