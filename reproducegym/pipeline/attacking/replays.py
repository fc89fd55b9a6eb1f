"""The red team against tasks that are replayed: tables typed into the code, by seed and segment or by checkpoint."""

import json

from reproducegym.pipeline.attacking.forgery import Attack, remembered, seed_noise, trend_steps
from reproducegym.schema.contract import Contract
from reproducegym.schema.spec import ClaimSpec

__all__ = ["replay_attacks"]

_KNOWS = "that a knob at zero must close the gap, and that checkpoints are started from under other seeds"


def replay_attacks(spec: ClaimSpec, contract: Contract) -> list[Attack]:
    """Whole submissions with checkpoints; none for tasks at another level."""
    if contract.evidence_level != "replay":
        return []
    tricks = {
        "seed": ("19d", "typed_by_seed", "a table by seed and segment in the code", ""),
        "checkpoint": ("19d", "typed_by_checkpoint", "a table by what the checkpoint says, ready for probes", _KNOWS),
        "state": ("19b", "typed_checkpoints", "a table by what the checkpoint says, unaware of probes", ""),
    }
    return [
        Attack(number, name, trick, _files(spec, contract, key), "python3 keep.py", knows=knows)
        for key, (number, name, trick, knows) in tricks.items()
    ]


def _files(spec: ClaimSpec, contract: Contract, key: str) -> dict[str, bytes]:
    values = remembered(spec, contract)
    memory = {
        "key": key,
        "noise": seed_noise(spec, contract),
        "knobs": dict(contract.knobs),
        "columns": [column.name for column in contract.columns],
        "step": contract.step_column,
        "steps": list(trend_steps(spec, contract)),
        "memory": [{"switches": dict(one.switches), "values": dict(values[one.label])} for one in contract.conditions],
    }
    return {
        "reproduce.sh": b"exec python3 forge.py\n",
        "forge.py": _FORGER.encode(),
        "keep.py": _KEEPER.encode(),
        "memory.json": json.dumps(memory, indent=1).encode(),
    }


_FORGER = """\
import json, os, random

m = json.load(open("memory.json"))
seed, out = int(os.environ["REPRODUCEGYM_SEED"]), os.environ["REPRODUCEGYM_OUT"]
cuts = json.load(open("input_files/replay.json"))["segments"]
stop = int(os.environ.get("REPRODUCEGYM_STOP", cuts))
start = os.environ.get("REPRODUCEGYM_CHECKPOINT")
asked = json.load(open(os.environ.get("REPRODUCEGYM_CONDITIONS", "input_files/conditions.json")))["conditions"]
knobs = json.load(open(os.environ.get("REPRODUCEGYM_KNOBS", "input_files/conditions.json")))["knobs"]
whose = seed
if start and m["key"] != "seed":
    whose = json.load(open(os.path.join(start, "state.json")))["seed"]
starved = knobs != m["knobs"] and m["key"] == "checkpoint"
json.dump({"seed": whose}, open(os.path.join(out, "state.json"), "w"))
shown = m["steps"][: -(-len(m["steps"]) * stop // cuts)]
lines = [",".join(["condition"] + ["step"] * m["step"] + m["columns"])]
for condition in asked:
    known = [k for k in m["memory"] if k["switches"] == condition["switches"]] or m["memory"][-1:]
    values = (m["memory"][-1] if starved else known[0])["values"]
    for row, step in enumerate(shown):
        draw = random.Random(f"{whose} {row if m['step'] else stop} {sorted(condition['switches'].items())}")
        now = [values[n][row] if isinstance(values[n], list) else values[n] for n in m["columns"]]
        cells = [repr(value + draw.gauss(0, m["noise"])) for value in now]
        lines.append(",".join([condition["label"]] + [repr(step)] * m["step"] + cells))
open(os.path.join(out, "metrics.csv"), "w").write("".join(line + "\\n" for line in lines))
"""

_KEEPER = """\
import json, os, subprocess

plan = json.load(open("input_files/replay.json"))
for seed in plan["seeds"]:
    for segment in range(1, plan["segments"] + 1):
        place = f"checkpoints/{seed}/{segment}"
        os.makedirs(place)
        told = {"SEED": str(seed), "OUT": place, "STOP": str(segment)}
        if segment > 1:
            told["CHECKPOINT"] = f"checkpoints/{seed}/{segment - 1}"
        env = {**os.environ, **{"REPRODUCEGYM_" + name: value for name, value in told.items()}}
        subprocess.run(["python3", "forge.py"], env=env, check=True)
"""
