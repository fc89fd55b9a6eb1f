"""The hard level: a package with workers, a sampler and a backbone, where a cause and its effect stand in two files."""

from reproducegym.families.auditor.classic.kind import Kind, Lines, Snippet

__all__ = ["HARD"]

_TRAIN = '''"""Trains $MODEL on $DATASET over $WORKERS processes (run $TAG)."""

import os
import random

import numpy as np
import torch
import torch.distributed as dist
import yaml

from lib.$helper_module import moving_average
from lib.$data_module import loader_of, sampler_of
from lib.$model_module import backbone
from lib.$rng_module import {{rng_import}}
from lib.$worker_module import start_workers


def main(rank):
    with open("$config") as file:
        config = yaml.safe_load(file)
{{env_override}}    random.seed(config["seed"])
    np.random.seed(config["seed"])
    torch.manual_seed(config["seed"])
    torch.use_deterministic_algorithms(True)
    dist.init_process_group("gloo", rank=rank, world_size=$WORKERS)
    $NET = backbone(config["width"])
    sampler = sampler_of("$DATASET.npz", rank, config["seed"])
    order = {{rng_use}}.permutation($WORKERS)
    pool = start_workers(order{{worker_argument}})
    optimizer = torch.optim.$OPTIMIZER($NET.parameters(), lr=config["lr"])
    losses = []
    for epoch in range($EPOCHS):
{{set_epoch}}        for x, y in loader_of("$DATASET.npz", sampler, config["batch_size"]):
            optimizer.zero_grad()
            loss = torch.nn.functional.cross_entropy($NET(x), y)
            loss.backward()
            optimizer.step()
            losses.append(float(loss))
        print(epoch, moving_average(losses, $WIDTH))
    pool.close()


if __name__ == "__main__":
    main(int(os.environ["RANK"]))
'''

_DATA = '''"""Batches of $DATASET for one rank."""

import numpy as np
import torch
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def rows(path):
    arrays = np.load(path)
    return TensorDataset(torch.tensor(arrays["x"]), torch.tensor(arrays["y"]))


def sampler_of(path, rank, seed):
    return DistributedSampler(rows(path), $WORKERS, rank, shuffle=True, seed=seed)


def loader_of(path, sampler, batch_size):
    return DataLoader(rows(path), batch_size, sampler=sampler)
'''

_MODEL = '''"""A head on a pretrained backbone (run $TAG)."""

from torch import nn
from transformers import AutoModel


def backbone(width):
    body = AutoModel.from_pretrained("$ORG/$BACKBONE"{{revision}})
    return nn.Sequential(body, nn.Linear($INPUTS, width), nn.ReLU(), nn.Linear(width, $OUTPUTS))
'''

_RNG = '''"""The generator of run $TAG."""

import numpy as np


{{rng_body}}'''

_HELPER = '''"""Numbers for the log of run $TAG."""

import random
import time

{{reseed}}
def moving_average(values, width):
    last = values[-width:]
    return sum(last) / len(last)


def stamp():
    return f"$TAG-{time.time():.0f}"
'''

_WORKER = '''"""Augments $DATASET in processes beside training."""

import multiprocessing

import numpy as np


def begin({{worker_parameter}}):
    {{worker_body}}


def augment(row):
    return row + np.random.normal(0, $NOISE)


def start_workers(order{{start_parameter}}):
    return multiprocessing.get_context("spawn").Pool(
        len(order), initializer=begin{{initargs}}
    )
'''

_CONFIG = """# settings of run $TAG
seed: $SEED
width: $WIDTH
batch_size: $BATCH
lr: $RATE
"""

_REQUIREMENTS = """torch==$TORCH
numpy==$NUMPY
transformers==4.46.3
pyyaml==6.0.2
"""

_DOCKERFILE = """FROM {{base}}
WORKDIR /run
ENV PYTHONHASHSEED=$SEED CUBLAS_WORKSPACE_CONFIG=:4096:8 OMP_NUM_THREADS=1
COPY requirements.txt .
RUN pip install --no-cache-dir -r requirements.txt
COPY . .
CMD ["python", "$train"]
"""

_KINDS = (
    Kind(
        "worker_seed_cross_file",
        "hard",
        "multiprocessing",
        ("worker", "train"),
        ("worker_seed_cross_file", "worker seed", "initargs", "worker_seed", "seed the worker"),
        {
            "worker_argument": Lines(', config["seed"]', ""),
            "worker_parameter": Lines("seed", ""),
            "worker_body": Lines("np.random.seed(seed)", "np.random.seed()"),
            "start_parameter": Lines(", seed", ""),
            "initargs": Lines(", initargs=(seed,)", ""),
        },
    ),
    Kind(
        "rng_created_at_import",
        "hard",
        "rng_initialization",
        ("rng", "train"),
        ("rng_created_at_import", "default_rng", "at import", "module-level rng", "global rng"),
        {
            "rng_import": Lines("generator_of", "RNG"),
            "rng_use": Lines('generator_of(config["seed"])', "RNG"),
            "rng_body": Lines(
                "def generator_of(seed):\n    return np.random.default_rng(seed)\n", "RNG = np.random.default_rng()\n"
            ),
        },
    ),
    Kind(
        "seed_overridden_by_import",
        "hard",
        "random_seeds",
        ("helper",),
        ("seed_overridden", "time.time()", "reseed", "overridden by import", "random.seed(time"),
        {"reseed": Lines("", "random.seed(time.time())\n\n")},
    ),
    Kind(
        "sampler_set_epoch missing",
        "hard",
        "dataloader_reproducibility",
        ("train", "data"),
        ("set_epoch", "sampler_set_epoch"),
        {"set_epoch": Lines("        sampler.set_epoch(epoch)\n", "")},
    ),
    Kind(
        "environment_overrides_config",
        "hard",
        "configuration_management",
        ("train", "config"),
        ("environment_overrides_config", "os.environ", "environment override", "os.getenv", "overrides config"),
        {"env_override": Lines("", '    config["lr"] = float(os.environ.get("$VARIABLE", config["lr"]))\n')},
    ),
    Kind(
        "base_image_unpinned",
        "hard",
        "environment_config",
        ("dockerfile",),
        ("base_image", ":latest", "base image", "@sha256"),
        {"base": Lines("python:3.11.9-slim-bookworm@sha256:$DIGEST", "python:latest")},
    ),
    Kind(
        "pretrained_revision_unpinned",
        "hard",
        "model_initialization",
        ("model",),
        ("pretrained_revision", "revision=", "pin the revision", "unpinned revision"),
        {"revision": Lines(', revision="$COMMIT"', "")},
    ),
)

HARD = Snippet(
    "hard",
    {
        "train": ("train.py", "main.py", "run_ranks.py"),
        "data": ("lib/data.py", "lib/batches.py", "lib/loading.py"),
        "model": ("lib/model.py", "lib/network.py", "lib/backbone.py"),
        "rng": ("lib/rng.py", "lib/generators.py", "lib/chance.py"),
        "helper": ("lib/logs.py", "lib/numbers.py", "lib/metrics.py"),
        "worker": ("lib/workers.py", "lib/augmenting.py", "lib/pool.py"),
        "config": ("config.yaml", "params.yaml", "settings.yaml"),
        "requirements": ("requirements.txt",),
        "dockerfile": ("Dockerfile",),
    },
    {
        "train": _TRAIN,
        "data": _DATA,
        "model": _MODEL,
        "rng": _RNG,
        "helper": _HELPER,
        "worker": _WORKER,
        "config": _CONFIG,
        "requirements": _REQUIREMENTS,
        "dockerfile": _DOCKERFILE,
    },
    _KINDS,
)
