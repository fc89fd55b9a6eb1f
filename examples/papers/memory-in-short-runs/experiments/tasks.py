"""Linear regression and noisy classification: fresh examples, gradients, exact quality, and the run of one seed."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random

from rules import RULES, Iterate, Vector

__all__ = ["STEPS", "TASKS", "Task", "TaskRun", "run_task"]

FEATURES = 10
BATCH = 2
STEPS = 120
COPIES = 32
NOISE = 0.3
FLIPPED = 0.1
SPREADS = [1.0 / math.sqrt(1 + index) for index in range(FEATURES)]


def dot(one: Vector, other: Vector) -> float:
    return sum(a * b for a, b in zip(one, other, strict=True))


def regression_pull(weights: Vector, truth: Vector, x: Vector, rng: Random) -> float:
    """The derivative of half the squared error by the prediction, for one example."""
    return dot(weights, x) - dot(truth, x) - rng.gauss(0.0, NOISE)


def classification_pull(weights: Vector, truth: Vector, x: Vector, rng: Random) -> float:
    """The derivative of the logistic loss by the prediction, for one example whose label may be flipped."""
    label = 1.0 if dot(truth, x) > 0 else -1.0
    if rng.random() < FLIPPED:
        label = -label
    return -label / (1.0 + math.exp(min(50.0, label * dot(weights, x))))


def from_truth(weights: Vector, truth: Vector) -> tuple[float, float]:
    """Half the expected squared error of a fresh example, and the distance of the weights from the true ones."""
    away = [w - t for w, t in zip(weights, truth, strict=True)]
    scaled = [one * spread for one, spread in zip(away, SPREADS, strict=True)]
    return (NOISE * NOISE + dot(scaled, scaled)) / 2, math.sqrt(dot(away, away))


def off_truth(weights: Vector, truth: Vector) -> tuple[float, float]:
    """How many fresh, possibly flipped labels are told, in percent, and the angle to the true weights, in degrees."""
    own = [w * spread for w, spread in zip(weights, SPREADS, strict=True)]
    right = [t * spread for t, spread in zip(truth, SPREADS, strict=True)]
    length = math.sqrt(dot(own, own) * dot(right, right))
    cosine = dot(own, right) / length if length else 0.0
    angle = math.acos(max(-1.0, min(1.0, cosine)))
    return 100.0 * (FLIPPED + (1.0 - 2.0 * FLIPPED) * (1.0 - angle / math.pi)), math.degrees(angle)


@dataclass(frozen=True)
class Task:
    """One task: its metrics, the first of which has a learning curve, the learning rate of all rules, its functions."""

    metrics: tuple[str, str]
    rate: float
    pull: Callable[[Vector, Vector, Vector, Random], float]
    quality: Callable[[Vector, Vector], tuple[float, float]]


TASKS: Mapping[str, Task] = {
    "regression": Task(("test_loss", "distance"), 0.02, regression_pull, from_truth),
    "classification": Task(("accuracy", "angle"), 1.0, classification_pull, off_truth),
}


@dataclass(frozen=True)
class TaskRun:
    """One seed: both metrics after 1, 2, … steps."""

    first: list[float]
    second: list[float]


def run_task(task: Task, name: str, seed: int, steps: int = STEPS, copies: int = COPIES) -> TaskRun:
    """The mean over independent problems; all rules of a seed see the same problems and examples."""
    rng = Random(seed)
    first, second = [0.0] * steps, [0.0] * steps
    for _ in range(copies):
        truth = [rng.gauss(0.0, 1.0) for _ in range(FEATURES)]
        at = Iterate([0.0] * FEATURES)

        def gradient(weights: Vector, truth: Vector = truth) -> Vector:
            total = [0.0] * FEATURES
            for _ in range(BATCH):
                x = [rng.gauss(0.0, spread) for spread in SPREADS]
                pull = task.pull(weights, truth, x, rng) / BATCH
                total = [g + pull * v for g, v in zip(total, x, strict=True)]
            return total

        for step in range(steps):
            at.steps = step
            RULES[name](at, gradient, task.rate)
            one, other = task.quality(at.measured, truth)
            first[step] += one / copies
            second[step] += other / copies
    return TaskRun(first, second)
