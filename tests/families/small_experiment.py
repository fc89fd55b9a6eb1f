"""A small experiment on the standard library alone, in which defects are planted by hand: quick to run many times."""

from reproducegym.planting.edit import Edit, edits_between
from reproducegym.planting.operator import Effect, Operator, Site
from reproducegym.planting.plant import Damaged, joined
from reproducegym.planting.project import BaseProject, Outputs

TRAIN = '''\
"""Fits a mean by random steps."""

import os

os.environ["OMP_NUM_THREADS"] = "1"

import argparse
import json
import random
from pathlib import Path

from records import read

parser = argparse.ArgumentParser()
parser.add_argument("--seed", type=int, default=5)
chance = random.Random(parser.parse_args().seed)
points = read("data")
mean = 0.0
for step in range(1, 400):
    mean += (chance.choice(points) - mean) / step
error = sum((point - mean) ** 2 for point in points) / len(points)
Path("out").mkdir(exist_ok=True)
Path("out/weights.json").write_text(json.dumps({"mean": mean}))
Path("out/metrics.json").write_text(json.dumps({"error": error}))
'''
RECORDS = '''\
"""Reads the records."""

import os
from pathlib import Path


def read(place):
    """All numbers of all files."""
    return [float(line) for name in sorted(os.listdir(place)) for line in Path(place, name).read_text().split()]
'''
CHECK = """\
import json
from pathlib import Path

points = [float(x) for p in sorted(Path("data").iterdir()) for x in p.read_text().split()]
mean = json.loads(Path("out/weights.json").read_text())["mean"]
error = json.loads(Path("out/metrics.json").read_text())["error"]
assert abs(sum((p - mean) ** 2 for p in points) / len(points) - error) < 1e-6, "the error is not that of the weights"
"""
FILES = {
    "train.py": TRAIN,
    "records.py": RECORDS,
    "README.md": "# Mean\n\nRun `python train.py`.\n",
    "requirements.txt": "numpy==2.4.6\n",
    **{f"data/{name}.txt": f"{number}\n{number * number}\n" for number, name in enumerate("pqrstu")},
}


def experiment(**files: str) -> BaseProject:
    """The clean experiment, with other files in it where they are given (`train` for train.py)."""
    return BaseProject(
        name="mean-by-steps",
        split="train",
        library="stub",
        requires=(),
        files={**FILES, **{f"{name}.py": text for name, text in files.items()}},
        entry=("python", "train.py"),
        seed_option=("--seed", "{seed}"),
        outputs=Outputs(weights="out/weights.json", metrics="out/metrics.json"),
        metric="error",
        tolerance=30.0,
        editable=("*.py",),
        checks={"error.py": CHECK},
    )


UNSORTED = ("records.py", "sorted(os.listdir(place))", "os.listdir(place)", "dynamic", "unsorted-listing")
UNSEEDED = ("train.py", "random.Random(parser.parse_args().seed)", "random.Random()", "dynamic", "random-seed-missing")
THREADS = ("train.py", 'os.environ["OMP_NUM_THREADS"] = "1"\n', "\n", "state", "threads-unset")
FLOATS = ("requirements.txt", "numpy==2.4.6", "numpy", "structural", "dependency-floats")


def damaged(*defects: tuple[str, str, str, Effect, str]) -> Damaged:
    """The experiment with these defects."""
    project = experiment()
    chosen = []
    for file, old, new, effect, rule in defects:
        operator = Operator(f"{rule}-planted", rule, "random_seeds", effect, "", lambda files: ())
        edits = edits_between(file, FILES[file], FILES[file].replace(old, new))
        chosen.append((operator, Site(operator=operator.id, edits=edits, subject=rule)))
    return joined(project, chosen)


def number_of(planted: Damaged, file: str) -> int:
    """Which defect stands in a file."""
    return next(n for n, one in enumerate(planted.planted) if one.file == file)


def edits(planted: Damaged, file: str, old: str, new: str) -> tuple[Edit, ...]:
    """Edits of a damaged file that put one text in place of another."""
    text = planted.files[file]
    assert old in text
    return edits_between(file, text, text.replace(old, new))
