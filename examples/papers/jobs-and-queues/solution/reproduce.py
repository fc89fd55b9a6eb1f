"""One run of the reproduction: reads the conditions and knobs it is given, and writes metrics.csv."""

import csv
import json
import os
import sys
from pathlib import Path
from random import Random

from dispatch import POLICIES, Waits, simulate

__all__ = ["main"]

INPUTS = Path("input_files")
DEFAULTS = {"servers": 10, "load": 0.8, "steps": 20_000}


def read(path: Path) -> dict:
    return json.loads(path.read_text(encoding="utf-8"))


def policy_of(switches: dict[str, str]) -> str:
    """Our name of the policy that a condition's switches ask for."""
    found = [name for value in switches.values() for name in POLICIES if " ".join(value.split()).casefold() == name]
    if len(found) != 1:
        sys.exit(f"cannot reproduce: switches {switches} name no single policy; known: {', '.join(POLICIES)}")
    return found[0]


def cell(waits: Waits, unit: str) -> float:
    """The quantity that a column asks for: late jobs come in percent, the mean latency as a plain number."""
    return waits.late if unit == "%" else waits.mean


def main() -> None:
    """Write one row per condition, with the columns that the task asks for."""
    seed = int(os.environ.get("REPRODUCEGYM_SEED", "0"))
    out = Path(os.environ.get("REPRODUCEGYM_OUT", "output"))
    defaults = INPUTS / "conditions.json"
    conditions = read(Path(os.environ.get("REPRODUCEGYM_CONDITIONS", defaults)))["conditions"]
    knobs = DEFAULTS | read(Path(os.environ.get("REPRODUCEGYM_KNOBS", defaults)))["knobs"]
    columns = read(INPUTS / "outputs.json")["columns"]
    rows = []
    for condition in conditions:
        policy = policy_of(condition["switches"])
        waits = simulate(
            policy,
            Random(f"{seed} {policy}"),
            load=knobs["load"],
            servers=round(knobs["servers"]),
            jobs=round(knobs["steps"]),
        )
        rows.append([condition["label"], *(repr(cell(waits, column["unit"])) for column in columns)])
    out.mkdir(parents=True, exist_ok=True)
    with (out / "metrics.csv").open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows([["condition", *(column["name"] for column in columns)], *rows])


if __name__ == "__main__":
    main()
