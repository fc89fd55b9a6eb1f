"""The ten-armed bandit: problems, exploration rules and the run of one seed."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from random import Random

__all__ = ["ARMS", "NOISE", "PROBLEMS", "RULES", "STEPS", "BanditRun", "run_bandit"]

ARMS = 10
GAP = 0.2
NOISE = 0.5
EPSILON = 0.1
PROBLEMS = 300
STEPS = 500

Rule = Callable[["Estimates", int, Random], int]


@dataclass
class Estimates:
    """Sample means and pull counts of the arms; `counts` may be pseudo-counts."""

    means: list[float]
    counts: list[int]

    def update(self, arm: int, reward: float) -> None:
        self.counts[arm] += 1
        self.means[arm] += (reward - self.means[arm]) / self.counts[arm]


@dataclass(frozen=True)
class BanditRun:
    """One seed: share of optimal pulls (%) and regret per pull, up to each step."""

    optimal_pulls: list[float]
    regret: list[float]


def random_arm(estimates: Estimates, step: int, rng: Random) -> int:
    return rng.randrange(ARMS)


def best_of(scores: list[float], rng: Random) -> int:
    """The index of the largest score; ties are broken at random."""
    top = max(scores)
    first = scores.index(top)
    if scores.count(top) == 1:
        return first
    return rng.choice([arm for arm, score in enumerate(scores) if score == top])


def greedy(estimates: Estimates, step: int, rng: Random) -> int:
    return best_of(estimates.means, rng)


def epsilon_greedy(estimates: Estimates, step: int, rng: Random) -> int:
    return rng.randrange(ARMS) if rng.random() < EPSILON else best_of(estimates.means, rng)


def ucb1_scores(estimates: Estimates, step: int) -> list[float]:
    scale = 2.0 * math.log(step)
    sqrt, infinity = math.sqrt, math.inf
    return [
        mean + NOISE * sqrt(scale / count) if count else infinity
        for mean, count in zip(estimates.means, estimates.counts, strict=True)
    ]


def ucb1(estimates: Estimates, step: int, rng: Random) -> int:
    return best_of(ucb1_scores(estimates, step), rng)


def ucb1_first_tie(estimates: Estimates, step: int, rng: Random) -> int:
    scores = ucb1_scores(estimates, step)
    return scores.index(max(scores))


def ucb1_without_bonus(estimates: Estimates, step: int, rng: Random) -> int:
    return best_of(
        [m if n else math.inf for m, n in zip(estimates.means, estimates.counts, strict=True)],
        rng,
    )


def thompson(estimates: Estimates, step: int, rng: Random) -> int:
    gauss, sqrt = rng.gauss, math.sqrt
    return best_of(
        [
            gauss(mean, NOISE / sqrt(count)) if count else math.inf
            for mean, count in zip(estimates.means, estimates.counts, strict=True)
        ],
        rng,
    )


RULES: dict[str, tuple[Rule, int]] = {
    "Random": (random_arm, 0),
    "Greedy": (greedy, 0),
    "ε-greedy": (epsilon_greedy, 0),
    "UCB1": (ucb1, 0),
    "Thompson sampling": (thompson, 0),
    "w/o bonus": (ucb1_without_bonus, 0),
    "w/o optimistic start": (ucb1, 1),
    "w/o random ties": (ucb1_first_tie, 0),
}
"""Name in the paper → how an arm is chosen, and the pseudo-pulls (at mean 0) that every arm starts with."""


def run_bandit(name: str, seed: int, steps: int = STEPS, problems: int = PROBLEMS) -> BanditRun:
    """Play all problems of one seed. Every seed has its own problems; all rules of a seed share them."""
    rule, pseudo_pulls = RULES[name]
    rng = Random(seed)
    hits, losses = [0] * steps, [0.0] * steps
    for _ in range(problems):
        values = [GAP * arm for arm in range(ARMS)]
        rng.shuffle(values)
        best = max(values)
        estimates = Estimates([0.0] * ARMS, [pseudo_pulls] * ARMS)
        for step in range(steps):
            arm = rule(estimates, step + 1, rng)
            value = values[arm]
            if value == best:
                hits[step] += 1
            losses[step] += best - value
            estimates.update(arm, rng.gauss(value, NOISE))
    return BanditRun(
        [100.0 * share for share in running_mean(hits, problems)],
        running_mean(losses, problems),
    )


def running_mean(totals: list[int] | list[float], problems: int) -> list[float]:
    """Mean up to each step of totals over problems."""
    out: list[float] = []
    total = 0.0
    for index, value in enumerate(totals):
        total += value
        out.append(total / ((index + 1) * problems))
    return out
