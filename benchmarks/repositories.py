"""Makes repositories of machine-learning code of any size, the same bytes each time, for measuring the auditor."""

from pathlib import Path
from random import Random

__all__ = ["write_repository"]

_HEAD = '''"""Module {number}: a model, its data, and how it is trained."""

import argparse
import json
import os
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

{imports}

class Rows{number}(Dataset):
    """Rows of one table."""

    def __init__(self, folder, size={size}):
        self.names = {listing}
        self.values = np.random.normal(size=(size, {width}))

    def __len__(self):
        return len(self.values)

    def __getitem__(self, index):
        return torch.as_tensor(self.values[index], dtype=torch.float32)


class Net{number}(nn.Module):
    """A perceptron of {layers} layers."""

    def __init__(self, dropout={dropout}):
        super().__init__()
        self.layers = nn.Sequential(*[nn.Linear({width}, {width}) for _ in range({layers})], nn.Dropout(dropout))

    def forward(self, x):
        return self.layers(x).mean(dim=-1)

'''
_FUNCTION = '''
def step_{number}_{part}(model, rows, optimizer, scale={scale}):
    """One pass over all rows."""
    total, seen = 0.0, 0
    for batch in DataLoader(rows, batch_size={batch}, shuffle={shuffle}, num_workers={workers}):
        optimizer.zero_grad()
        loss = ((model(batch) - scale) ** 2).mean()
        if torch.isnan(loss):
            raise ValueError(f"step_{number}_{part}: the loss is not a number")
        loss.backward()
        optimizer.step()
        total += loss.item()
        seen += len(batch)
    return {{"loss": total / max(seen, 1), "part": {part}}}

'''
_MAIN = '''
def main():
    """Train and write what came out."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default={seed})
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--data", type=Path, default=Path("data"))
    args = parser.parse_args()
    torch.manual_seed(args.seed)
    model = Net{number}()
    optimizer = torch.optim.Adam(model.parameters(), lr={rate})
    rows = Rows{number}(args.data)
    told = [step_{number}_0(model, rows, optimizer) for _ in range(args.epochs)]
    Path("out.json").write_text(json.dumps(told))


if __name__ == "__main__":
    main()
'''
IN_A_ROOM = 25
"""Modules of one package."""


def write_repository(root: Path, files: int, seed: int = 1) -> int:
    """Write a repository of that many Python files, with README, pins and settings; returns its lines of Python."""
    chance = Random(f"{files}/{seed}")  # noqa: S311  # made-up code, and no secret
    root.mkdir(parents=True)
    (root / "README.md").write_text("# Made up\n\n```sh\npython room_0/module_0.py --seed 1\n```\n", encoding="utf-8")
    (root / "requirements.txt").write_text("numpy==2.1.0\ntorch==2.5.1\n", encoding="utf-8")
    (root / "config.yaml").write_text("seed: 1\nlr: 0.01\nepochs: 3\n", encoding="utf-8")
    lines = 0
    for number in range(files):
        room = root / f"room_{number // IN_A_ROOM}"
        room.mkdir(exist_ok=True)
        text = _module(number, chance)
        lines += text.count("\n")
        (room / f"module_{number}.py").write_text(text, encoding="utf-8")
    return lines


def _module(number: int, chance: Random) -> str:
    near = [n for n in range(max(0, number - 3), number) if chance.random() < 0.5]
    imports = "".join(f"from room_{n // IN_A_ROOM}.module_{n} import Net{n}\n" for n in near)
    listing = chance.choice(["sorted(os.listdir(folder))", "os.listdir(folder)", "[str(folder)]"])
    parts = [
        _HEAD.format(
            number=number,
            imports=imports,
            size=chance.choice((100, 1000)),
            listing=listing,
            width=chance.choice((8, 16, 32)),
            layers=chance.randint(1, 4),
            dropout=chance.choice((0.0, 0.1, 0.5)),
        )
    ]
    for part in range(chance.randint(1, 6)):
        parts.append(
            _FUNCTION.format(
                number=number,
                part=part,
                scale=round(chance.random(), 2),
                batch=chance.choice((16, 32)),
                shuffle=chance.random() < 0.5,
                workers=chance.choice((0, 2)),
            )
        )
    if chance.random() < 0.3:
        parts.append(_MAIN.format(number=number, seed=chance.randint(0, 99), rate=chance.choice((0.1, 0.01))))
    return "".join(parts)
