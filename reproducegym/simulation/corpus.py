"""Made papers: each has a bandit of its own, runs its experiment, and prints what came out."""

import random
from dataclasses import dataclass
from statistics import mean, stdev

from reproducegym.simulation.bandit import EPSILON_GREEDY, UNIFORM, played

__all__ = ["Study", "paper_id", "paper_text", "study"]

_TEXT = """\
# Looking about among {arms} arms, note {number}

## Abstract

We compare uniform choice with an epsilon-greedy strategy on Arms{arms}.

## Strategies

*Uniform* draws every arm with the same probability.

*Epsilon-greedy* draws every arm once; then, with probability {epsilon}, it draws an arm uniformly, and otherwise the \
arm with the highest mean reward so far.

## Experimental set-up

### Environment

Arms{arms} is a bandit with {arms} arms. The reward of an arm is 1 with a probability, and else 0; the probabilities \
are 0, 1/{arms}, 2/{arms} and so on, in random order. Each run lasts {steps} steps; in every step one arm is drawn.

We report two metrics. *Return* is the sum of all rewards of a run; higher is better. *Regret* is the sum, over all \
steps of a run, of the difference between the best probability and that of the arm that was drawn; lower is better.

### Protocol

All results are means over {seeds} seeds, {first} to {last}. We report the sample standard deviation over these seeds. \
The seeds are the same for all strategies.

## Results

Table 1: Two strategies on Arms{arms}, measured over the whole run. Cells show mean ± standard deviation; ± is the \
standard deviation over {seeds} seeds.

| Strategy | Return | Regret |
| --- | --- | --- |
| Uniform | {uniform[return]} | {uniform[regret]} |
| Epsilon-greedy | {greedy[return]} | {greedy[regret]} |

On Arms{arms}, Epsilon-greedy reaches a return of {greedy_return}, against {uniform_return} for Uniform (Table 1). \
Epsilon-greedy has a lower regret than Uniform ({greedy_regret} against {uniform_regret}).
"""


@dataclass(frozen=True)
class Study:
    """What one made paper is about: the bandit, how long it is played, how much is explored, and its printed seeds."""

    number: int
    arms: int
    steps: int
    epsilon: float
    first: int
    seeds: int

    def settings(self) -> dict[str, float]:
        """What a program needs to know of it; the seeds are not among it."""
        return {"arms": self.arms, "steps": self.steps, "epsilon": self.epsilon}


def study(number: int, seed: int = 0) -> Study:
    """The study of a paper by its number, from 1; the same for the same seed, whatever other papers there are."""
    rng = random.Random(f"{seed} {number}")  # noqa: S311 - a choice of sizes, no secret
    return Study(
        number=number,
        arms=rng.randrange(8, 21),
        steps=100 * rng.randrange(3, 9),
        epsilon=rng.choice((0.05, 0.1, 0.15)),
        first=100 * rng.randrange(0, 10_000),
        seeds=rng.choice((5, 8, 10)),
    )


def paper_id(number: int) -> str:
    """`made-00001`."""
    return f"made-{number:05d}"


def paper_text(one: Study) -> str:
    """The paper as Markdown, after its experiment ran under the printed seeds."""
    tables = {name: _measured(one, strategy) for name, strategy in (("uniform", UNIFORM), ("greedy", EPSILON_GREEDY))}
    means = {
        f"{name}_{metric}": f"{mean(values):.1f}" for name, table in tables.items() for metric, values in table.items()
    }
    cells = {
        name: {metric: f"{mean(values):.1f} ± {stdev(values):.1f}" for metric, values in table.items()}
        for name, table in tables.items()
    }
    return _TEXT.format(
        number=one.number,
        arms=one.arms,
        steps=one.steps,
        epsilon=one.epsilon,
        seeds=one.seeds,
        first=one.first,
        last=one.first + one.seeds - 1,
        **cells,
        **means,
    )


def _measured(one: Study, strategy: str) -> dict[str, list[float]]:
    """Every metric under every printed seed."""
    runs = [
        played(strategy, seed, one.arms, one.steps, one.epsilon) for seed in range(one.first, one.first + one.seeds)
    ]
    return {metric: [run[metric] for run in runs] for metric in runs[0]}
