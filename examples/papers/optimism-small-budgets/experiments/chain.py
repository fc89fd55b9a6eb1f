"""The chain: a small control task that punishes undirected exploration, and the run of one seed."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from random import Random

__all__ = ["EPISODES", "METHODS", "ChainRun", "run_chain"]

STATES = 6
HORIZON = 12
SLIP = 0.1
HOME_REWARD = 0.1
GOAL_REWARD = 1.0
EPSILON = 0.1
SCALE = 3.0
STEP_SIZE = 0.5
DISCOUNT = 0.95
EPISODES = 100
COPIES = 200

LEFT, RIGHT = 0, 1


@dataclass
class Values:
    """Action values and visit counts by state; both change between episodes only."""

    left: list[float]
    right: list[float]
    left_count: list[int]
    right_count: list[int]


Rule = Callable[[Values, int, Random], int]


@dataclass(frozen=True)
class ChainRun:
    """One seed: mean return of an episode, and share of episodes that saw the goal (%), up to each episode."""

    returns: list[float]
    goal_reached: list[float]


def pick(left: float, right: float, rng: Random) -> int:
    """The better action; ties are broken at random."""
    if left == right:
        return rng.randrange(2)
    return RIGHT if right > left else LEFT


def random_action(values: Values, state: int, rng: Random) -> int:
    return rng.randrange(2)


def greedy(values: Values, state: int, rng: Random) -> int:
    return pick(values.left[state], values.right[state], rng)


def epsilon_greedy(values: Values, state: int, rng: Random) -> int:
    return rng.randrange(2) if rng.random() < EPSILON else greedy(values, state, rng)


def ucb1(values: Values, state: int, rng: Random) -> int:
    left, right = values.left_count[state], values.right_count[state]
    if left == 0 or right == 0:
        return pick(-left, -right, rng)
    scale = 2.0 * math.log(left + right)
    return pick(
        values.left[state] + SCALE * math.sqrt(scale / left),
        values.right[state] + SCALE * math.sqrt(scale / right),
        rng,
    )


def thompson(values: Values, state: int, rng: Random) -> int:
    left = rng.gauss(values.left[state], SCALE / math.sqrt(values.left_count[state] + 1))
    right = rng.gauss(values.right[state], SCALE / math.sqrt(values.right_count[state] + 1))
    return RIGHT if right > left else LEFT


METHODS: dict[str, Rule] = {
    "Random": random_action,
    "Greedy": greedy,
    "ε-greedy": epsilon_greedy,
    "UCB1": ucb1,
    "Thompson sampling": thompson,
}


def play(rule: Rule, values: Values, rng: Random) -> tuple[list[tuple[int, int, float, int]], float]:
    """One episode: its transitions and its return."""
    transitions: list[tuple[int, int, float, int]] = []
    state, total = 0, 0.0
    for _ in range(HORIZON):
        action = rule(values, state, rng)
        move = action if rng.random() >= SLIP else 1 - action
        if move == RIGHT:
            following = min(state + 1, STATES - 1)
            reward = GOAL_REWARD if following == STATES - 1 else 0.0
        else:
            following = max(state - 1, 0)
            reward = HOME_REWARD if following == 0 else 0.0
        transitions.append((state, action, reward, following))
        total += reward
        state = following
    return transitions, total


def learn(values: Values, transitions: list[tuple[int, int, float, int]]) -> None:
    """Q-learning over an episode's transitions, last one first."""
    for state, action, reward, following in reversed(transitions):
        target = reward + DISCOUNT * max(values.left[following], values.right[following])
        table, counts = (values.right, values.right_count) if action == RIGHT else (values.left, values.left_count)
        counts[state] += 1
        table[state] += STEP_SIZE * (target - table[state])


def run_chain(name: str, seed: int, episodes: int = EPISODES, copies: int = COPIES) -> ChainRun:
    """Learn on independent copies of the chain; every figure is a mean over them."""
    rule = METHODS[name]
    rng = Random(seed)
    returns, reached = [0.0] * episodes, [0] * episodes
    for _ in range(copies):
        values = Values([0.0] * STATES, [0.0] * STATES, [0] * STATES, [0] * STATES)
        for episode in range(episodes):
            transitions, total = play(rule, values, rng)
            learn(values, transitions)
            returns[episode] += total
            reached[episode] += any(step[3] == STATES - 1 for step in transitions)
    return ChainRun(running_mean(returns, copies), [100.0 * share for share in running_mean(reached, copies)])


def running_mean(totals: list[float] | list[int], copies: int) -> list[float]:
    """Mean up to each episode of totals over copies."""
    out: list[float] = []
    total = 0.0
    for index, value in enumerate(totals):
        total += value
        out.append(total / ((index + 1) * copies))
    return out
