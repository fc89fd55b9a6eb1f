import argparse
import json
import os

import numpy as np
import torch
from torch import nn

from glyphs.data import Glyphs, loader
from glyphs.network import Network, accuracy


def parse():
    parser = argparse.ArgumentParser(prog="glyphs")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--count", type=int, default=480)
    parser.add_argument("--out", default="out")
    return parser.parse_args()


def main():
    args = parse()
    torch.manual_seed(args.seed)
    torch.use_deterministic_algorithms(True)
    torch.set_num_threads(1)
    train = loader(Glyphs(args.count, args.seed, jitter=True), 24, True, args.workers, args.seed)
    test = loader(Glyphs(150, args.seed + 1, jitter=False), 50, False, 0, args.seed)
    model = Network()
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 0.02, total_steps=args.epochs * len(train))
    for _ in range(args.epochs):
        for images, kinds in train:
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(images), kinds).backward()
            optimizer.step()
            schedule.step()
    os.makedirs(args.out, exist_ok=True)
    np.savez(os.path.join(args.out, "cnn.npz"), **{k: v.numpy() for k, v in model.state_dict().items()})
    metrics = {"accuracy": accuracy(model, test), "images": args.count, "seed": args.seed}
    with open(os.path.join(args.out, "metrics.json"), "w") as handle:
        json.dump(metrics, handle)
    print(metrics)


if __name__ == "__main__":
    main()
