"""The medium level: training, data and model in files of their own, with a container; eight kinds."""

from reproducegym.families.auditor.classic.kind import Kind, Lines, Snippet

__all__ = ["MEDIUM"]

_TRAIN = '''"""Trains $MODEL on $DATASET (run $TAG)."""

import argparse
import random

import numpy as np
import torch
import yaml

from $data_module import loader_of
from $model_module import Classifier


def save(path, $NET, optimizer):
    torch.save(
        {
            "model": $NET.state_dict(),
            "optimizer": optimizer.state_dict(),
{{rng_state}}        },
        path,
    )


def main():
    parser = argparse.ArgumentParser("$TAG")
    parser.add_argument("--config", default="$config")
    parser.add_argument("--lr", type=float, default={{default}})
    args = parser.parse_args()
    with open(args.config) as file:
        config = yaml.safe_load(file)
    random.seed(config["seed"])
    np.random.seed(config["seed"])
    torch.manual_seed(config["seed"])
{{algorithms}}{{threads}}    $NET = Classifier(config["width"], config["seed"])
    optimizer = torch.optim.$OPTIMIZER($NET.parameters(), lr=args.lr)
    for epoch in range($EPOCHS):
        for x, y in loader_of("$DATASET.npz", config["batch_size"], config["seed"]):
            optimizer.zero_grad()
            loss = torch.nn.functional.cross_entropy($NET(x), y)
            loss.backward()
            optimizer.step()
        save(f"$TAG-{epoch}.pt", $NET, optimizer)


if __name__ == "__main__":
    main()
'''

_DATA = '''"""Batches of $DATASET."""

import random

import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset


class $ROWS(Dataset):
    def __init__(self, path):
        arrays = np.load(path)
        self.x, self.y = arrays["x"], arrays["y"]

    def __len__(self):
        return len(self.y)

    def __getitem__(self, index):
        noise = np.random.normal(0, $NOISE, self.x.shape[1:])
        return torch.tensor(self.x[index] + noise), int(self.y[index])


def seed_worker(worker_id):
    seed = torch.initial_seed() % 2**32
    random.seed(seed)
    np.random.seed(seed)


def loader_of(path, batch_size, seed):
    generator = torch.Generator().manual_seed(seed)
    return DataLoader(
        $ROWS(path), batch_size, shuffle=True, num_workers=$WORKERS, generator=generator{{worker_init}}
    )
'''

_MODEL = '''"""The network of run $TAG."""

import torch
from torch import nn


class Classifier(nn.Module):
    def __init__(self, width, seed):
        super().__init__()
        self.inner = nn.Linear($INPUTS, width)
        self.outer = nn.Linear(width, $OUTPUTS)
{{custom_init}}
    def forward(self, x):
        return self.outer(torch.relu(self.inner(x.float())))
'''

_CONFIG = """# settings of run $TAG
seed: $SEED
width: $WIDTH
batch_size: $BATCH
lr: $RATE
"""

_REQUIREMENTS = """torch==$TORCH
numpy==$NUMPY
pyyaml==6.0.2
"""

_DOCKERFILE = """FROM python:3.11.9-slim-bookworm
WORKDIR /run
ENV PYTHONHASHSEED=$SEED
{{cublas}}RUN pip install --no-cache-dir {{installed}}
COPY . .
CMD ["python", "$train"]
"""

_GENERATOR = "        generator = torch.Generator().manual_seed(seed)\n"
_UNIFORM = "        nn.init.uniform_(self.outer.weight, -0.1, 0.1"

_KINDS = (
    Kind(
        "worker_init_fn missing",
        "medium",
        "dataloader_reproducibility",
        ("data",),
        ("worker_init_fn", "seed_worker"),
        {"worker_init": Lines(", worker_init_fn=seed_worker", "")},
    ),
    Kind(
        "use_deterministic_algorithms missing",
        "medium",
        "determinism_flags",
        ("train",),
        ("use_deterministic_algorithms", "deterministic algorithms"),
        {"algorithms": Lines("    torch.use_deterministic_algorithms(True)\n", "")},
    ),
    Kind(
        "cublas_workspace_config missing",
        "medium",
        "environment_config",
        ("dockerfile", "train"),
        ("cublas_workspace_config", "cublas workspace", "cublas"),
        {"cublas": Lines("ENV CUBLAS_WORKSPACE_CONFIG=:4096:8\n", "")},
    ),
    Kind(
        "package_version_conflict",
        "medium",
        "dependency_pinning",
        ("requirements", "dockerfile"),
        (
            "package_version_conflict",
            "version conflict",
            "conflicting version",
            "-r requirements.txt",
            "version mismatch",
        ),
        {"installed": Lines("torch==$TORCH numpy==$NUMPY pyyaml==6.0.2", "torch==$OTHER_TORCH numpy pyyaml")},
    ),
    Kind(
        "config_default_mismatch",
        "medium",
        "configuration_management",
        ("train", "config"),
        ("config_default_mismatch", "default mismatch", "config default", "set_defaults"),
        {"default": Lines("$RATE", "$OTHER_RATE")},
    ),
    Kind(
        "checkpoint_rng_state missing",
        "medium",
        "rng_initialization",
        ("train",),
        ("checkpoint_rng_state", "rng_state", "rng state"),
        {
            "rng_state": Lines(
                '            "rng_state": (torch.get_rng_state(), np.random.get_state(), random.getstate()),\n', ""
            )
        },
    ),
    Kind(
        "custom_init_unseeded",
        "medium",
        "model_initialization",
        ("model",),
        ("custom_init_unseeded", "nn.init", "init_weights", "custom init", "generator=generator"),
        {
            "custom_init": Lines(
                f"{_GENERATOR}{_UNIFORM}, generator=generator)\n",
                f"        torch.seed()\n{_UNIFORM})\n",
            )
        },
    ),
    Kind(
        "thread_count_unset",
        "medium",
        "multiprocessing",
        ("train", "dockerfile"),
        ("thread_count", "set_num_threads", "omp_num_threads"),
        {"threads": Lines("    torch.set_num_threads(1)\n", "")},
    ),
)

MEDIUM = Snippet(
    "medium",
    {
        "train": ("train.py", "main.py", "run_training.py"),
        "data": ("data.py", "dataset.py", "batches.py"),
        "model": ("model.py", "network.py", "net.py"),
        "config": ("config.yaml", "params.yaml", "settings.yaml"),
        "requirements": ("requirements.txt",),
        "dockerfile": ("Dockerfile",),
    },
    {
        "train": _TRAIN,
        "data": _DATA,
        "model": _MODEL,
        "config": _CONFIG,
        "requirements": _REQUIREMENTS,
        "dockerfile": _DOCKERFILE,
    },
    _KINDS,
)
