"""Makes the whole runs of a task that is replayed, segment by segment, and keeps a checkpoint of each."""

import json
import os
import subprocess
from pathlib import Path

__all__ = ["main"]


def main() -> None:
    """Fill `checkpoints/<seed>/<segment>/` by running reproduce.sh as the judge does."""
    plan = json.loads(Path("input_files/replay.json").read_text(encoding="utf-8"))
    for seed in plan["seeds"]:
        before: Path | None = None
        for segment in range(1, plan["segments"] + 1):
            place = Path("checkpoints", str(seed), str(segment))
            place.mkdir(parents=True)
            told = {"SEED": str(seed), "OUT": str(place), "STOP": str(segment)}
            if before is not None:
                told["CHECKPOINT"] = str(before)
            environment = {**os.environ, **{f"REPRODUCEGYM_{name}": value for name, value in told.items()}}
            subprocess.run(["bash", "reproduce.sh"], env=environment, check=True)
            before = place


if __name__ == "__main__":
    main()
