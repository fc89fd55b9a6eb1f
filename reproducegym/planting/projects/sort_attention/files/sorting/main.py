import argparse
import json
import pathlib

import numpy as np
import torch

from attention import Sorter
from stream import stream

OUT = pathlib.Path(__file__).resolve().parent / "out"


def cli():
    parser = argparse.ArgumentParser()
    parser.add_argument("--torch-seed", type=int, default=88)
    parser.add_argument("--batches", type=int, default=220)
    parser.add_argument("--length", type=int, default=5)
    return parser.parse_args()


@torch.inference_mode()
def accuracy(model, batches):
    model.eval()
    return float(torch.stack([(model(x).argmax(-1) == y).float().mean() for x, y in batches]).mean())


def main():
    args = cli()
    torch.manual_seed(args.torch_seed)
    torch.use_deterministic_algorithms(True)
    torch.set_num_threads(1)
    model = Sorter(args.length)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    for x, y in stream(args.batches, 64, args.length, args.torch_seed):
        loss = torch.nn.functional.cross_entropy(model(x).flatten(0, 1), y.flatten())
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
    score = accuracy(model, stream(5, 64, args.length, args.torch_seed + 1))
    OUT.mkdir(exist_ok=True)
    np.savez(OUT / "attention.npz", **{k: v.numpy() for k, v in model.state_dict().items()})
    (OUT / "metrics.json").write_text(json.dumps({"accuracy": score, "batches": args.batches}))
    print(score)


if __name__ == "__main__":
    main()
