"""The update rules: stochastic gradient descent, and three ways to remember earlier steps."""

from collections.abc import Callable
from dataclasses import dataclass, field

__all__ = ["RULES", "Iterate", "Vector"]

Vector = list[float]
Gradient = Callable[[Vector], Vector]
"""The gradient over a fresh batch, at any weights."""

BETA = 0.8


@dataclass
class Iterate:
    """Where a run stands; `measured` are the weights whose quality is reported, zero before the first step."""

    weights: Vector
    memory: Vector = field(init=False)
    measured: Vector = field(init=False)
    steps: int = 0

    def __post_init__(self) -> None:
        self.memory = [0.0] * len(self.weights)
        self.measured = self.weights


Rule = Callable[[Iterate, Gradient, float], None]


def moved(start: Vector, direction: Vector, length: float) -> Vector:
    return [a + length * b for a, b in zip(start, direction, strict=True)]


def plain(at: Iterate, gradient: Gradient, rate: float) -> None:
    at.weights = moved(at.weights, gradient(at.weights), -rate)
    at.measured = at.weights


def averaged(at: Iterate, gradient: Gradient, rate: float) -> None:
    plain(at, gradient, rate)
    share = 1.0 / (at.steps + 1)
    at.memory = [mean + share * (w - mean) for mean, w in zip(at.memory, at.weights, strict=True)]
    at.measured = at.memory


def heavy_ball(at: Iterate, slope: Vector, rate: float) -> None:
    at.memory = [BETA * v - rate * g for v, g in zip(at.memory, slope, strict=True)]
    at.weights = moved(at.weights, at.memory, 1.0)
    at.measured = at.weights


def momentum(at: Iterate, gradient: Gradient, rate: float) -> None:
    heavy_ball(at, gradient(at.weights), rate)


def nesterov(at: Iterate, gradient: Gradient, rate: float) -> None:
    heavy_ball(at, gradient(moved(at.weights, at.memory, BETA)), rate)


RULES: dict[str, Rule] = {
    "Plain SGD": plain,
    "Averaged SGD": averaged,
    "Momentum": momentum,
    "Nesterov": nesterov,
}
"""Name in the paper → one step from an iterate, given the learning rate. `steps` counts those made before."""
