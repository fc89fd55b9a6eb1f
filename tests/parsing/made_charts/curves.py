"""Numbers to draw: learning curves, walks and names, each from its own stream of chance."""

from math import exp, sin
from random import Random

NAMES = (
    "PPO", "SAC", "TD3", "DQN (ours)", "A2C", "GRPO", "Dr. GRPO", "w/o KL", "Baseline", "Ours", "ε-greedy", "UCB1",
    "Thompson sampling", "BERT-large", "ViT-B/16", "k = 5", "λ = 0.95", "Adam + decay", "ResNet-50", "batch 256",
)  # fmt: skip
TITLES = ("Accuracy", "Episode return", "Validation loss", "AIME avg@32", "Mean entropy", "Regret", "BLEU")


def names(chance: Random, count: int, *, latin: bool = False) -> list[str]:
    """Different names of methods, without Greek letters where the font has none."""
    return chance.sample([name for name in NAMES if name.isascii() or not latin], count)


def learning_curve(chance: Random, count: int, low: float, high: float, *, noise: float = 0.02) -> list[float]:
    """A curve that rises from near `low` towards `high`, with noise as a share of the range."""
    speed, level, start = chance.uniform(2, 8), chance.uniform(0.6, 0.95), chance.uniform(0.0, 0.15)
    return [
        low
        + (high - low) * (start + (level - start) * (1 - exp(-speed * i / max(1, count - 1))) + chance.gauss(0, noise))
        for i in range(count)
    ]


def walk(chance: Random, count: int, low: float, high: float) -> list[float]:
    """A smooth curve within the range that wanders up and down."""
    phase, turns, size = chance.uniform(0, 6), chance.uniform(1, 4), chance.uniform(0.2, 0.42)
    return [low + (high - low) * (0.5 + size * sin(phase + 6.28 * turns * i / max(1, count - 1))) for i in range(count)]


def spread(first: float, last: float, count: int) -> list[float]:
    """Even steps from the first to the last."""
    return [first + (last - first) * i / (count - 1) for i in range(count)]
