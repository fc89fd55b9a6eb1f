"""The chain of section 3.2, learned by tabular Q-learning under the strategies of section 2."""

from dataclasses import dataclass, field
from math import log, sqrt
from random import Random

__all__ = ["ChainScores", "play_chain"]

STATES = 6
MOVES = 12
SLIP = 0.1
LEARNING_RATE = 0.5
DISCOUNT = 0.95
EPSILON = 0.1
SIGMA = 3.0
EPISODES = 100
RUNS = 200
GOAL = STATES - 1


@dataclass(frozen=True)
class ChainScores:
    """Return of an episode, and share of episodes in percent that visit the goal, over whole runs."""

    returns: float
    goal_reached: float


@dataclass
class Learner:
    """Action values and counts, `[state][action]`; action 0 is left, 1 is right."""

    strategy: str
    rng: Random
    q: list[list[float]] = field(default_factory=lambda: [[0.0, 0.0] for _ in range(STATES)])
    tried: list[list[int]] = field(default_factory=lambda: [[0, 0] for _ in range(STATES)])

    def choose(self, state: int) -> int:
        left, right = self.scores(state)
        return self.rng.randrange(2) if left == right else int(right > left)

    def scores(self, state: int) -> tuple[float, float]:
        """What the strategy compares; equal scores mean a random choice."""
        (left, right), (n_left, n_right) = self.q[state], self.tried[state]
        if self.strategy == "random" or (self.strategy == "epsilon_greedy" and self.rng.random() < EPSILON):
            return 0.0, 0.0
        if self.strategy in {"greedy", "epsilon_greedy"}:
            return left, right
        if self.strategy == "thompson":
            return self.rng.gauss(left, SIGMA / sqrt(n_left + 1)), self.rng.gauss(right, SIGMA / sqrt(n_right + 1))
        if self.strategy != "ucb1":
            raise ValueError(f"no such strategy on the chain: {self.strategy}")
        if not n_left or not n_right:
            return float(not n_left), float(not n_right)
        reach = SIGMA * sqrt(2 * log(n_left + n_right))
        return left + reach / sqrt(n_left), right + reach / sqrt(n_right)

    def learn(self, episode: list[tuple[int, int, float, int]]) -> None:
        for state, action, reward, after in reversed(episode):
            self.tried[state][action] += 1
            aim = reward + DISCOUNT * max(self.q[after])
            self.q[state][action] += LEARNING_RATE * (aim - self.q[state][action])


def play_chain(strategy: str, rng: Random, episodes: int = EPISODES, runs: int = RUNS) -> ChainScores:
    """Average over independent runs. A run has at least one episode."""
    episodes, runs = max(1, episodes), max(1, runs)
    total, goals = 0.0, 0
    for _ in range(runs):
        learner = Learner(strategy, rng)
        for _ in range(episodes):
            episode = play_episode(learner, rng)
            learner.learn(episode)
            total += sum(move[2] for move in episode)
            goals += any(move[3] == GOAL for move in episode)
    return ChainScores(total / (runs * episodes), 100.0 * goals / (runs * episodes))


def play_episode(learner: Learner, rng: Random) -> list[tuple[int, int, float, int]]:
    """The moves of one episode: state, chosen action, reward, next state."""
    state, moves = 0, []
    for _ in range(MOVES):
        action = learner.choose(state)
        goes_right = bool(action) != (rng.random() < SLIP)
        after = min(state + 1, GOAL) if goes_right else max(state - 1, 0)
        reward = {0: 0.1, GOAL: 1.0}.get(after, 0.0)
        moves.append((state, action, reward, after))
        state = after
    return moves
