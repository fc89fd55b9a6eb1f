"""The four methods of section 2 on the two tasks of section 3, from zero weights or from where a run stopped."""

import math
from dataclasses import dataclass
from random import Random

__all__ = ["Problem", "advance", "fresh", "scores"]

DIM = 10
EXAMPLES = 2
DECAY = 0.8
RATES = {"regression": 0.02, "classification": 1.0}
TARGET_NOISE = 0.3
FLIP = 0.1
SCALE = [(i + 1) ** -0.5 for i in range(DIM)]


@dataclass
class Problem:
    """One problem on its way: what is to be found, the weights, what the method remembers, and the steps made."""

    truth: list[float]
    weights: list[float]
    memory: list[float]
    steps: int


def fresh(rng: Random) -> Problem:
    """A new problem, before its first step."""
    return Problem([rng.gauss(0, 1) for _ in range(DIM)], [0.0] * DIM, [0.0] * DIM, 0)


def advance(problem: Problem, task: str, method: str, steps: int, rng: Random) -> None:
    """Make so many steps of a method."""
    for _ in range(steps):
        step(problem, task, method, rng)


def step(problem: Problem, task: str, method: str, rng: Random) -> None:
    weights, memory, rate = problem.weights, problem.memory, RATES[task]
    problem.steps += 1
    at = weights
    if method == "nesterov":
        at = [weights[i] + DECAY * memory[i] for i in range(DIM)]
    slope = gradient(task, at, problem.truth, rng)
    if method in {"momentum", "nesterov"}:
        for i in range(DIM):
            memory[i] = DECAY * memory[i] - rate * slope[i]
            weights[i] += memory[i]
        return
    for i in range(DIM):
        weights[i] -= rate * slope[i]
        memory[i] += (weights[i] - memory[i]) / problem.steps


def gradient(task: str, weights: list[float], truth: list[float], rng: Random) -> list[float]:
    """The mean gradient over a mini-batch of fresh examples."""
    mean = [0.0] * DIM
    for _ in range(EXAMPLES):
        x = [rng.gauss(0, scale) for scale in SCALE]
        guess = sum(a * b for a, b in zip(weights, x, strict=True))
        signal = sum(a * b for a, b in zip(truth, x, strict=True))
        if task == "regression":
            error = guess - signal - rng.gauss(0, TARGET_NOISE)
        else:
            sign = math.copysign(1.0, signal) * (-1 if rng.random() < FLIP else 1)
            error = -sign * (0.5 - 0.5 * math.tanh(sign * guess / 2))
        for i in range(DIM):
            mean[i] += error * x[i] / EXAMPLES
    return mean


def scores(problem: Problem, task: str, method: str) -> dict[str, float]:
    """Both metrics of a task, of the weights that the method reports."""
    reported = problem.memory if method == "averaged" else problem.weights
    if task == "regression":
        away = [reported[i] - problem.truth[i] for i in range(DIM)]
        loss = (TARGET_NOISE**2 + sum((away[i] * SCALE[i]) ** 2 for i in range(DIM))) / 2
        return {"loss": loss, "distance": math.hypot(*away)}
    own = [reported[i] * SCALE[i] for i in range(DIM)]
    right = [problem.truth[i] * SCALE[i] for i in range(DIM)]
    size = math.hypot(*own) * math.hypot(*right)
    cosine = sum(a * b for a, b in zip(own, right, strict=True)) / size if size else 0.0
    angle = math.acos(min(1.0, max(-1.0, cosine)))
    told = 1 - angle / math.pi
    return {"accuracy": 100 * ((1 - FLIP) * told + FLIP * (1 - told)), "angle": math.degrees(angle)}
