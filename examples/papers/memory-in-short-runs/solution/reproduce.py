"""One run of the reproduction, whole or from a checkpoint: reads what is asked of it, and writes metrics.csv.

Runs are cut into segments where the task says so. What happens in a segment follows from the seed, the segment and the
state that it starts from; that state, `state.json`, is left beside the table.
"""

import csv
import json
import os
import sys
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from random import Random

from learner import Problem, advance, fresh, scores
from words import UnknownWordError, knob_of, method_of, quantity_of

__all__ = ["main"]

INPUTS = Path("input_files")
STEPS, PROBLEMS = 120, 32
State = dict[str, list[Problem]]
"""Task and method, with a slash between → its problems."""


def read(path: Path) -> dict:
    return json.loads(path.read_text(encoding="utf-8"))


def segments() -> int:
    plan = INPUTS / "replay.json"
    return read(plan)["segments"] if plan.exists() else 1


def started(kept: str | None) -> tuple[int, State]:
    """How many segments are done, and the state after them."""
    if kept is None:
        return 0, {}
    stored = read(Path(kept) / "state.json")
    return stored["done"], {name: [Problem(**one) for one in many] for name, many in stored["problems"].items()}


def run(state: State, key: str, seed: int, span: range, knobs: Mapping[str, int]) -> list[Problem]:
    """The problems of one task and method after the segments of `span`."""
    task, method = key.split("/")
    total, cuts = knobs.get("steps", STEPS), segments()
    problems = state.get(key, [])
    for segment in span:
        rng = Random(f"{seed} {segment}")
        if not problems:
            problems = [fresh(rng) for _ in range(max(1, knobs.get("problems", PROBLEMS)))]
        for problem in problems:
            advance(problem, task, method, total * (segment + 1) // cuts - total * segment // cuts, rng)
    return problems


def main() -> None:
    """Write one row per condition, with the columns that the task asks for.

    Raises:
        UnknownWordError: a condition, column or knob is not of this paper.
    """
    seed = int(os.environ.get("REPRODUCEGYM_SEED", "0"))
    out = Path(os.environ.get("REPRODUCEGYM_OUT", "output"))
    defaults = INPUTS / "conditions.json"
    conditions = read(Path(os.environ.get("REPRODUCEGYM_CONDITIONS", defaults)))["conditions"]
    knobs = read(Path(os.environ.get("REPRODUCEGYM_KNOBS", defaults)))["knobs"]
    turned = {knob_of(name): round(value) for name, value in knobs.items()}
    columns = [column["name"] for column in read(INPUTS / "outputs.json")["columns"]]
    stop = int(os.environ.get("REPRODUCEGYM_STOP", segments()))
    done, state = started(os.environ.get("REPRODUCEGYM_CHECKPOINT"))
    left: State = {}
    rows = []
    for condition in conditions:
        method, row = method_of(condition["switches"]), [condition["label"]]
        for quantity in map(quantity_of, columns):
            key = f"{quantity.task}/{method}"
            if key not in left:
                left[key] = run(state, key, seed, range(done, stop), turned)
            values = [scores(problem, quantity.task, method)[quantity.name] for problem in left[key]]
            row.append(repr(sum(values) / len(values)))
        rows.append(row)
    out.mkdir(parents=True, exist_ok=True)
    kept = {name: [asdict(one) for one in many] for name, many in left.items()}
    (out / "state.json").write_text(json.dumps({"done": max(done, stop), "problems": kept}), encoding="utf-8")
    with (out / "metrics.csv").open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows([["condition", *columns], *rows])


if __name__ == "__main__":
    try:
        main()
    except UnknownWordError as error:
        sys.exit(f"cannot reproduce: {error}")
