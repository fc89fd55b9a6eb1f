"""A small task at level replay, and an honest submission to it: three segments under two seeds, kept one by one."""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from small_task import small_contract, small_order

from reproducegym.pipeline.judging.replay import REPLAY
from reproducegym.pipeline.judging.verify import Order
from reproducegym.ports import Files
from reproducegym.schema.replay import ReplayPlan

PLAN = ReplayPlan(schema_version=1, seeds=(1, 2), segments=3, segment_budget_s=20, drawn=1)

SOLVE = """\
import json, os, random
seed, stop = int(os.environ["REPRODUCEGYM_SEED"]), int(os.environ.get("REPRODUCEGYM_STOP", 3))
start, out = os.environ.get("REPRODUCEGYM_CHECKPOINT"), os.environ["REPRODUCEGYM_OUT"]
state = json.load(open(start + "/state.json")) if start else {"done": 0, "a": 0.0, "b": 0.0}
while state["done"] < stop:
    state["done"] += 1
    draw = random.Random(100 * seed + state["done"])
    state["a"] += 1.0 + draw.gauss(0, 0.05) + random.SystemRandom().gauss(0, WOBBLE)
    state["b"] += 5 / 3 + draw.gauss(0, 0.05) + random.SystemRandom().gauss(0, WOBBLE)
json.dump(state, open(out + "/state.json", "w"))
with open(out + "/metrics.csv", "w") as table:
    table.write("condition,score\\n")
    for condition in json.load(open(os.environ["REPRODUCEGYM_CONDITIONS"]))["conditions"]:
        table.write(f"{condition['label']},{state[condition['switches']['method']]!r}\\n")
"""


def replayed_order() -> Order:
    contract = small_contract().model_copy(update={"evidence_level": "replay", "probes": ()})
    order = small_order(contract)
    return Order(**{**vars(order), "input_files": {**order.input_files, REPLAY: PLAN.to_json().encode()}})


def trained(solve: str) -> dict[str, bytes]:
    """What an agent hands in that ran `solve` under both seeds and kept every segment."""
    files = {"reproduce.sh": b"python3 solve.py\n", "solve.py": solve.encode()}
    with tempfile.TemporaryDirectory() as place:
        root = Path(place)
        methods = [{"label": f"with_{name}", "switches": {"method": name}} for name in "ab"]
        (root / "conditions.json").write_text(json.dumps({"conditions": methods}))
        (root / "solve.py").write_text(solve)
        for seed in PLAN.seeds:
            for segment in range(1, PLAN.segments + 1):
                out = root / f"{seed}-{segment}"
                out.mkdir()
                told = {"SEED": seed, "OUT": out, "STOP": segment, "CONDITIONS": root / "conditions.json"}
                if segment > 1:
                    told["CHECKPOINT"] = root / f"{seed}-{segment - 1}"
                env = {f"REPRODUCEGYM_{name}": str(value) for name, value in told.items()}
                subprocess.run([sys.executable, str(root / "solve.py")], env={**os.environ, **env}, check=True)
                for file in out.iterdir():
                    files[f"checkpoints/{seed}/{segment}/{file.name}"] = file.read_bytes()
    return files


def honest(wobble: float = 0.0) -> dict[str, bytes]:
    """`wobble` is noise that no seed explains, as of a GPU."""
    return trained(SOLVE.replace("WOBBLE", str(wobble)))


def weak() -> dict[str, bytes]:
    """The same, of a method that does not do what the paper says."""
    return trained(SOLVE.replace("WOBBLE", "0.0").replace("5 / 3", "1.1"))


def table(b: float, a: float) -> bytes:
    """A table as recorded beside a checkpoint."""
    return f"condition,score\nwith_b,{b!r}\nwith_a,{a!r}\n".encode()


def with_typed_tail(files: Files, *, first: int) -> dict[str, bytes]:
    """The submission with the paper's numbers typed in, tables and states, from segment `first` on."""
    typed = dict(files)
    for seed in PLAN.seeds:
        for segment in range(first, PLAN.segments + 1):
            b, a = segment * 5 / 3 + seed / 97, segment + seed / 89
            typed[f"checkpoints/{seed}/{segment}/metrics.csv"] = table(b, a)
            state = {"done": segment, "a": a, "b": b}
            typed[f"checkpoints/{seed}/{segment}/state.json"] = json.dumps(state).encode()
    return typed
