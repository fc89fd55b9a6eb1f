"""The easy level: one training script with its requirements, settings and launcher; eleven kinds."""

from reproducegym.families.auditor.classic.kind import Kind, Lines, Snippet

__all__ = ["EASY"]

_TRAIN = '''"""Trains $MODEL on $DATASET (run $TAG)."""

import random

import numpy as np
import torch
import yaml
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def set_seeds(seed):
    print(f"$TAG: seed {seed}")
{{random}}{{numpy}}{{torch}}{{cuda}}

def build(width):
    return nn.Sequential(nn.Linear($INPUTS, width), nn.ReLU(), nn.Linear(width, $OUTPUTS))


def train(config):
{{deterministic}}{{benchmark}}{{init}}    arrays = np.load("$DATASET.npz")
    $ROWS = TensorDataset(torch.tensor(arrays["x"]), torch.tensor(arrays["y"]))
    loader = DataLoader($ROWS, batch_size={{batch}}, shuffle=True{{generator}})
    optimizer = torch.optim.$OPTIMIZER($NET.parameters(), lr={{rate}})
    for epoch in range($EPOCHS):
        for x, y in loader:
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy($NET(x), y)
            loss.backward()
            optimizer.step()
        print(epoch, float(loss))
    torch.save($NET.state_dict(), "$TAG.pt")


if __name__ == "__main__":
    with open("$config") as file:
        train(yaml.safe_load(file))
'''

_CONFIG = """# settings of run $TAG
seed: $SEED
width: $WIDTH
batch_size: $BATCH
lr: $RATE
"""

_REQUIREMENTS = """{{pin}}numpy==$NUMPY
pyyaml==6.0.2
"""

_LAUNCH = """#!/usr/bin/env bash
# starts run $TAG
set -euo pipefail
{{hashseed}}exec python $train "$@"
"""

_SEEDED = "    torch.manual_seed(seed)\n"

_KINDS = (
    Kind(
        "random.seed missing",
        "easy",
        "random_seeds",
        ("train",),
        ("random.seed",),
        {"random": Lines("    random.seed(seed)\n", "")},
    ),
    Kind(
        "numpy_seed missing",
        "easy",
        "random_seeds",
        ("train",),
        ("numpy_seed", "np.random.seed", "numpy.random.seed", "numpy seed", "default_rng(seed"),
        {"numpy": Lines("    np.random.seed(seed)\n", "")},
    ),
    Kind(
        "torch_seed missing",
        "easy",
        "random_seeds",
        ("train",),
        ("torch_seed", "torch.manual_seed", "torch seed"),
        {"torch": Lines(_SEEDED, "")},
    ),
    Kind(
        "cuda_seed missing",
        "easy",
        "random_seeds",
        ("train",),
        ("cuda_seed", "cuda.manual_seed", "cuda.manual_seed_all", "cuda seed"),
        {"cuda": Lines("    torch.cuda.manual_seed_all(seed)\n", "")},
    ),
    Kind(
        "cudnn_deterministic missing",
        "easy",
        "determinism_flags",
        ("train",),
        ("cudnn_deterministic", "cudnn.deterministic"),
        {"deterministic": Lines("    torch.backends.cudnn.deterministic = True\n", "")},
    ),
    Kind(
        "cudnn_benchmark enabled",
        "easy",
        "determinism_flags",
        ("train",),
        ("cudnn_benchmark", "cudnn.benchmark"),
        {
            "benchmark": Lines(
                "    torch.backends.cudnn.benchmark = False\n", "    torch.backends.cudnn.benchmark = True\n"
            )
        },
    ),
    Kind(
        "unpinned_requirement",
        "easy",
        "dependency_pinning",
        ("requirements",),
        ("unpinned_requirement", "unpinned", "torch==", "pin the version", "pin torch"),
        {"pin": Lines("torch==$TORCH\n", "torch\n")},
    ),
    Kind(
        "pythonhashseed missing",
        "easy",
        "environment_config",
        ("launch", "train"),
        ("pythonhashseed", "hash seed"),
        {"hashseed": Lines("export PYTHONHASHSEED=$SEED\n", "")},
    ),
    Kind(
        "shuffle_generator missing",
        "easy",
        "dataloader_reproducibility",
        ("train",),
        ("shuffle_generator", "generator=", "torch.generator"),
        {"generator": Lines(', generator=torch.Generator().manual_seed(config["seed"])', "")},
    ),
    Kind(
        "init_before_seed",
        "easy",
        "model_initialization",
        ("train",),
        ("init_before_seed", "before the model", "before seeding", "before seed", "seed before model"),
        {
            "init": Lines(
                '    set_seeds(config["seed"])\n    $NET = build(config["width"])\n',
                '    $NET = build(config["width"])\n    set_seeds(config["seed"])\n',
            )
        },
    ),
    Kind(
        "hardcoded_hyperparameters",
        "easy",
        "configuration_management",
        ("train", "config"),
        ("hardcoded_hyperparameters", "hardcoded", "hard-coded", 'config["lr"]', "config['lr']"),
        {
            "rate": Lines('config["lr"]', "$OTHER_RATE"),
            "batch": Lines('config["batch_size"]', "$OTHER_BATCH"),
        },
    ),
)

EASY = Snippet(
    "easy",
    {
        "train": ("train.py", "run_training.py", "fit.py", "experiment.py"),
        "config": ("config.yaml", "settings.yaml", "params.yaml"),
        "requirements": ("requirements.txt",),
        "launch": ("run.sh", "launch.sh", "start.sh"),
    },
    {
        "train": _TRAIN,
        "config": _CONFIG,
        "requirements": _REQUIREMENTS,
        "launch": _LAUNCH,
    },
    _KINDS,
)
