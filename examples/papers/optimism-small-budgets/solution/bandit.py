"""The ten-armed bandit of section 3.1, played by the strategies of section 2 and the UCB1 variants of section 4.3."""

from dataclasses import dataclass
from math import log, sqrt
from random import Random

__all__ = ["BanditScores", "play_bandit"]

ARMS = 10
SIGMA = 0.5
EPSILON = 0.1
STEPS = 500
PROBLEMS = 300
TRY_ALL_FIRST = {"ucb1", "ucb1_no_bonus", "ucb1_no_ties", "thompson"}


@dataclass(frozen=True)
class BanditScores:
    """Share of optimal pulls in percent, and regret per step, over whole runs."""

    optimal_pulls: float
    regret: float


def play_bandit(strategy: str, rng: Random, steps: int = STEPS, problems: int = PROBLEMS) -> BanditScores:
    """Average over independent problems. A run has at least one step."""
    steps, problems = max(1, steps), max(1, problems)
    best_pulls, loss = 0, 0.0
    for _ in range(problems):
        values = [arm / 5 for arm in range(ARMS)]
        rng.shuffle(values)
        best = values.index(max(values))
        pulls = play_problem(strategy, values, steps, rng)
        best_pulls += pulls[best]
        loss += sum(count * (values[best] - value) for count, value in zip(pulls, values, strict=True))
    total = steps * problems
    return BanditScores(100.0 * best_pulls / total, loss / total)


def play_problem(strategy: str, values: list[float], steps: int, rng: Random) -> list[int]:
    """How often each arm was pulled."""
    imagined = 1 if strategy == "ucb1_no_start" else 0
    means, counts, pulls = [0.0] * ARMS, [imagined] * ARMS, [0] * ARMS
    order = list(range(ARMS))
    if strategy != "ucb1_no_ties":
        rng.shuffle(order)
    for step in range(1, steps + 1):
        if strategy in TRY_ALL_FIRST and step <= ARMS:
            arm = order[step - 1]
        else:
            arm = choose(strategy, means, counts, step, rng)
        reward = rng.gauss(values[arm], SIGMA)
        pulls[arm] += 1
        counts[arm] += 1
        means[arm] += (reward - means[arm]) / counts[arm]
    return pulls


def choose(strategy: str, means: list[float], counts: list[int], step: int, rng: Random) -> int:
    """The arm that a strategy pulls next."""
    if strategy == "random" or (strategy == "epsilon_greedy" and rng.random() < EPSILON):
        return rng.randrange(ARMS)
    if strategy in {"greedy", "epsilon_greedy", "ucb1_no_bonus"}:
        return highest(means, rng)
    if strategy == "thompson":
        return highest([rng.gauss(mean, SIGMA / sqrt(count)) for mean, count in zip(means, counts, strict=True)], rng)
    if strategy in {"ucb1", "ucb1_no_start", "ucb1_no_ties"}:
        reach = SIGMA * sqrt(2 * log(step))
        bounds = [mean + reach / sqrt(count) for mean, count in zip(means, counts, strict=True)]
        return highest(bounds, None if strategy == "ucb1_no_ties" else rng)
    raise ValueError(f"no such strategy on the bandit: {strategy}")


def highest(scores: list[float], rng: Random | None) -> int:
    """The arm with the highest score: among equals a random one, or the first where there is no generator."""
    top = max(scores)
    if rng is None or scores.count(top) == 1:
        return scores.index(top)
    return rng.choice([arm for arm, score in enumerate(scores) if score == top])
