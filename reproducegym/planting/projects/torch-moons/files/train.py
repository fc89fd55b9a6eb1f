import argparse
import json
import time
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader

from moons import Moons
from seeding import seed_everything

OUT = Path(__file__).resolve().parent / "out"


def network(hidden):
    return nn.Sequential(
        nn.Linear(2, hidden), nn.ReLU(), nn.Dropout(0.05), nn.Linear(hidden, hidden), nn.ReLU(), nn.Linear(hidden, 1)
    )


@torch.no_grad()
def evaluate(model, data):
    model.eval()
    return float(((model(data.points)[:, 0] > 0) == data.sides.bool()).float().mean())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--hidden", type=int, default=32)
    parser.add_argument("--epochs", type=int, default=12)
    parser.add_argument("--lr", type=float, default=0.01)
    args = parser.parse_args()
    began = time.time()

    seed_everything(args.seed)
    train, test = Moons(500), Moons(300)
    order = torch.Generator().manual_seed(args.seed)
    loader = DataLoader(train, batch_size=32, shuffle=True, generator=order)
    model = network(args.hidden)
    optimizer = torch.optim.Adam(model.parameters(), lr=args.lr)
    losses = []
    for _ in range(args.epochs):
        model.train()
        total = 0.0
        for points, sides in loader:
            optimizer.zero_grad()
            loss = nn.functional.binary_cross_entropy_with_logits(model(points)[:, 0], sides)
            loss.backward()
            optimizer.step()
            total += loss.detach() * len(points)
        losses.append(float(total) / len(train))
    metrics = {"accuracy": evaluate(model, test), "losses": losses}
    OUT.mkdir(exist_ok=True)
    np.savez(OUT / "moons.npz", **{k: v.numpy() for k, v in model.state_dict().items()})
    (OUT / "metrics.json").write_text(json.dumps(metrics))
    print(f"accuracy {metrics['accuracy']:.3f} after {time.time() - began:.1f} s")


if __name__ == "__main__":
    main()
