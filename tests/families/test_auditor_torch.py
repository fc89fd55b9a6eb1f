"""Torch experiments: their flags are read from the process itself, and two runs of a seeded one give the same bytes."""

import os
from pathlib import Path

import pytest

from reproducegym.adapters.executors.local import LocalExecutor
from reproducegym.errors import MisuseError
from reproducegym.families.auditor.executing.court import Court
from reproducegym.families.auditor.executing.double import DIFFERS, double_run
from reproducegym.families.auditor.executing.state import changed_keys, restored
from reproducegym.planting.project import BaseProject, Outputs
from reproducegym.sandbox.namespaces import NamespacesSandbox

TRAIN = """
import argparse, json, os, random
os.environ["CUBLAS_WORKSPACE_CONFIG"] = ":4096:8"
from pathlib import Path
import numpy as np
import torch

parser = argparse.ArgumentParser()
parser.add_argument("--seed", type=int, default=3)
seed = parser.parse_args().seed
random.seed(seed)
torch.manual_seed(seed)
torch.use_deterministic_algorithms(True)
torch.backends.cudnn.benchmark = False
torch.backends.cudnn.deterministic = True
net = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.Tanh(), torch.nn.Linear(8, 1))
x = torch.randn(64, 4)
step = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(5):
    step.zero_grad()
    loss = ((net(x) - x.sum(1, keepdim=True)) ** 2).mean()
    loss.backward()
    step.step()
Path("out").mkdir()
np.savez("out/w.npz", **{name: value.numpy() for name, value in net.state_dict().items()})
Path("out/metrics.json").write_text(json.dumps({"loss": loss.item()}))
"""


def experiment(train: str = TRAIN) -> BaseProject:
    """One file, one network."""
    return BaseProject(
        name="one-network",
        split="train",
        library="torch",
        requires=("torch", "numpy"),
        files={"train.py": train},
        entry=("python", "train.py"),
        seed_option=("--seed", "{seed}"),
        outputs=Outputs(weights="out/w.npz", metrics="out/metrics.json"),
        metric="loss",
        tolerance=1.0,
        editable=("*.py",),
        checks={},
    )


def test_flags_that_change_nothing_on_a_processor_are_read_and_seeds_show():
    named = os.environ.get("REPRODUCEGYM_PACKAGES")
    court = Court(NamespacesSandbox(), "", LocalExecutor(2), packages=(Path(named),) if named else None)
    try:
        court.libraries(experiment())
    except MisuseError as error:
        pytest.skip(f"{error}; REPRODUCEGYM_PACKAGES may name the site-packages of another environment")
    clean = double_run(court, experiment(), experiment().files)
    assert (clean.failed, clean.equal, clean.seed_matters) == (None, True, True)
    without = TRAIN
    for line in ("CUBLAS_WORKSPACE_CONFIG", "random.seed", "use_deterministic", "cudnn.deterministic"):
        without = "\n".join(one for one in without.split("\n") if line not in one)
    damaged = double_run(court, experiment(), {"train.py": without}, other_seed=False)
    keys = changed_keys(clean.state, damaged.state)
    assert damaged.equal
    assert set(keys) == {
        "environ.end.CUBLAS_WORKSPACE_CONFIG",
        "environ.numpy.CUBLAS_WORKSPACE_CONFIG",
        "environ.torch.CUBLAS_WORKSPACE_CONFIG",
        "generator.random",
        "torch.cudnn.deterministic",
        "torch.deterministic",
    }
    assert restored(clean.state, damaged.state, keys) == keys
    other = {**clean.state, "environ.torch.CUBLAS_WORKSPACE_CONFIG": ":16:8", "generator.random": "another seed"}
    assert restored(clean.state, other, keys) == ()
    bare = {"train.py": TRAIN.replace("torch.manual_seed(seed)", "")}
    unseeded = double_run(court, experiment(), bare, other_seed=False)
    assert not unseeded.equal
    assert unseeded.state["generator.torch"] == DIFFERS
