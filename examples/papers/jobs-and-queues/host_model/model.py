"""The operator's model of the server bank: the same interface as a submission, and the truth for hidden settings."""

import csv
import json
import os
from pathlib import Path
from random import Random

__all__ = ["main"]


def run(policy: str, rng: Random, *, load: float, servers: int, steps: int) -> tuple[float, float]:
    """Mean wait, and share of late jobs in percent, of one run from an empty bank."""
    free = [0.0] * servers
    now, total, late = 0.0, 0.0, 0
    for job in range(steps):
        now += rng.expovariate(load * servers)
        if policy == "Random":
            server = rng.randrange(servers)
        elif policy == "Round robin":
            server = job % servers
        elif policy == "Two choices":
            server = min(rng.randrange(servers), rng.randrange(servers), key=free.__getitem__)
        else:
            server = free.index(min(free))
        wait = max(0.0, free[server] - now)
        total += wait
        late += wait > 1.0
        free[server] = now + wait + rng.expovariate(1.0)
    return total / steps, 100.0 * late / steps


def main() -> None:
    """Write one row per condition."""
    conditions = json.loads(Path(os.environ["REPRODUCEGYM_CONDITIONS"]).read_text(encoding="utf-8"))["conditions"]
    knobs = json.loads(Path(os.environ["REPRODUCEGYM_KNOBS"]).read_text(encoding="utf-8"))["knobs"]
    outputs = json.loads(Path("input_files/outputs.json").read_text(encoding="utf-8"))
    rows = [["condition", *(column["name"] for column in outputs["columns"])]]
    for condition in conditions:
        policy = " ".join(condition["switches"].values())
        named = next(one for one in ("Round robin", "Two choices", "Least work", "Random") if one in policy)
        rng = Random(f"{os.environ['REPRODUCEGYM_SEED']} {named}")
        mean, late = run(
            named, rng, load=knobs["load"], servers=int(knobs["servers"]), steps=int(knobs.get("steps", 20_000))
        )
        rows.append([condition["label"], *(repr(late if one["unit"] == "%" else mean) for one in outputs["columns"])])
    with (Path(os.environ["REPRODUCEGYM_OUT"]) / "metrics.csv").open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows(rows)


if __name__ == "__main__":
    main()
