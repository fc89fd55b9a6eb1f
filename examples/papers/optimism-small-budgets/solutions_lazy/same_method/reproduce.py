"""A lazy solution: ε-greedy on the bandit and a random walk on the chain, whatever a condition asks for."""

import csv
import json
import os
from pathlib import Path
from random import Random


def read(path: Path) -> dict:
    return json.loads(path.read_text(encoding="utf-8"))


def bandit(rng: Random, steps: int) -> tuple[float, float]:
    """Optimal pulls in percent, and regret per step."""
    problems, best_pulls, loss = 100, 0, 0.0
    for _ in range(problems):
        values = [arm / 5 for arm in range(10)]
        rng.shuffle(values)
        means, counts = [0.0] * 10, [0] * 10
        for _ in range(steps):
            arm = rng.randrange(10) if rng.random() < 0.1 else means.index(max(means))
            counts[arm] += 1
            means[arm] += (rng.gauss(values[arm], 0.5) - means[arm]) / counts[arm]
            best_pulls += values[arm] == 1.8
            loss += 1.8 - values[arm]
    return 100.0 * best_pulls / (problems * steps), loss / (problems * steps)


def chain(rng: Random) -> tuple[float, float]:
    """Return of a random walk, and how often it sees the goal, in percent."""
    episodes, total, goals = 2000, 0.0, 0
    for _ in range(episodes):
        state, seen = 0, False
        for _ in range(12):
            state = min(5, max(0, state + rng.choice((-1, 1))))
            total += {0: 0.1, 5: 1.0}.get(state, 0.0)
            seen = seen or state == 5
        goals += seen
    return total / episodes, 100.0 * goals / episodes


def main() -> None:
    seed = os.environ.get("REPRODUCEGYM_SEED", "0")
    asked = read(Path(os.environ.get("REPRODUCEGYM_CONDITIONS", "input_files/conditions.json")))["conditions"]
    knobs = read(Path(os.environ.get("REPRODUCEGYM_KNOBS", "input_files/conditions.json")))["knobs"]
    columns = [column["name"] for column in read(Path("input_files/outputs.json"))["columns"]]
    out = Path(os.environ.get("REPRODUCEGYM_OUT", "output"))
    out.mkdir(parents=True, exist_ok=True)
    with (out / "metrics.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["condition", *columns])
        for index, condition in enumerate(asked):
            rng = Random(f"{seed} {index}")
            pulls, regret = bandit(rng, max(1, round(knobs.get("steps", 500))))
            walk, goals = chain(rng)
            found = {"optimal": pulls, "regret": regret, "return": walk, "goal": goals}
            row = [repr(next(value for word, value in found.items() if word in column)) for column in columns]
            writer.writerow([condition["label"], *row])


if __name__ == "__main__":
    main()
