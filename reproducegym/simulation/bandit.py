"""The experiment of made papers, on the standard library alone: it also travels as `bandit.py` inside submissions."""

import json
import random
from collections.abc import Iterable, Mapping

__all__ = ["EPSILON_GREEDY", "STRATEGIES", "UNIFORM", "measured", "metrics_csv", "played"]

UNIFORM, EPSILON_GREEDY = "Uniform", "Epsilon-greedy"
STRATEGIES = (UNIFORM, EPSILON_GREEDY)


def played(strategy: str, seed: int, arms: int, steps: int, epsilon: float) -> dict[str, float]:
    """One run on a bandit whose arms pay 1 with probabilities 0, 1/arms, 2/arms, …; its return and its regret.

    Raises:
        ValueError: there is no such strategy.
    """
    if strategy not in STRATEGIES:
        raise ValueError(f"{strategy!r} is none of {', '.join(STRATEGIES)}")
    rng = random.Random(seed)  # noqa: S311 - an experiment, no secret
    chances = [arm / arms for arm in range(arms)]
    rng.shuffle(chances)
    best = max(chances)
    drawn, won = [0] * arms, [0] * arms
    total, regret = 0.0, 0.0
    for step in range(steps):
        if strategy == UNIFORM:
            arm = rng.randrange(arms)
        elif step < arms:
            arm = step
        elif rng.random() < epsilon:
            arm = rng.randrange(arms)
        else:
            arm = max(range(arms), key=lambda one: won[one] / drawn[one])
        reward = int(rng.random() < chances[arm])
        drawn[arm] += 1
        won[arm] += reward
        total += reward
        regret += best - chances[arm]
    return {"return": total, "regret": regret}


def metrics_csv(
    conditions: Iterable[tuple[str, str]], columns: list[str], seed: int, arms: int, steps: int, epsilon: float
) -> str:
    """The table of one run; a condition is a label and a strategy."""
    rows = [",".join(["condition", *columns])]
    for label, strategy in conditions:
        measured = played(strategy, seed, arms, steps, epsilon)
        rows.append(",".join([label, *(repr(measured[column]) for column in columns)]))
    return "\n".join(rows) + "\n"


def measured(environ: Mapping[str, str], study: Mapping[str, float], outputs: str, conditions: str, knobs: str) -> str:
    """`metrics.csv` as the judge orders it: texts of the files that the task and the run give; `study` has `arms`,
    `steps` and `epsilon` of the paper.

    Raises:
        ValueError: something ordered is not of this experiment.
    """
    columns = [column["name"] for column in json.loads(outputs)["columns"]]
    asked = [(one["label"], one["switches"]["strategy"]) for one in json.loads(conditions)["conditions"]]
    turned = json.loads(knobs)["knobs"]
    return metrics_csv(
        asked,
        columns,
        int(environ["REPRODUCEGYM_SEED"]),
        int(study["arms"]),
        int(turned.get("steps", study["steps"])),
        study["epsilon"],
    )
