"""The sample paper on queues, its claims as a host model meets them, and a toy model that answers in no time."""

from functools import cache
from pathlib import Path

from benchmarks.sample_tasks import CONFIG, SAMPLES, compiled, read_sample
from reproducegym.pipeline.probing.host_model import SpokenClaim
from reproducegym.ports import ReadPaper

QUEUES = SAMPLES / "jobs-and-queues"
CARD = (QUEUES / "host_model" / "card.toml").read_text("utf-8")
TOY = """\
import json, os, random
draw = random.Random(os.environ["REPRODUCEGYM_SEED"])
knobs = json.load(open(os.environ["REPRODUCEGYM_KNOBS"]))["knobs"]
known = {"Random": 4.042, "Round robin": 1.873, "Two choices": 0.844, "Least work": 0.198}
with open(os.environ["REPRODUCEGYM_OUT"] + "/metrics.csv", "w") as out:
    out.write("condition,mean_latency\\n")
    for one in json.load(open(os.environ["REPRODUCEGYM_CONDITIONS"]))["conditions"]:
        value = known[one["switches"]["policy"]] * (knobs["load"] / 0.8) ** 2 * knobs["servers"] / 10
        out.write(f"{one['label']},{value * draw.gauss(1, 0.01)!r}\\n")
"""


@cache
def queue_paper() -> ReadPaper:
    return read_sample((QUEUES / "paper.pdf").read_bytes(), QUEUES.name)


@cache
def latency_claims() -> tuple[SpokenClaim, ...]:
    tasks = compiled(queue_paper(), CONFIG)
    return tuple(
        SpokenClaim("Mean latency", one.spec, one.contract, one.input_files)
        for one in tasks
        if one.contract.columns[0].name == "mean_latency"
    )


def write_model(root: Path, program: str = TOY, card: str = CARD) -> Path:
    root.mkdir(parents=True, exist_ok=True)
    (root / "card.toml").write_text(card, "utf-8")
    (root / "reproduce.sh").write_text("python3 toy.py\n", "utf-8")
    (root / "toy.py").write_text(program, "utf-8")
    return root
