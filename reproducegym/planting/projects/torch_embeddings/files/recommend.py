import argparse
import json
import pathlib
import tomllib

import numpy as np
import torch
from torch.utils.data import DataLoader, TensorDataset

from factors import Factors
from readings import readings

TOP = pathlib.Path(__file__).resolve().parent


def fit(pairs, conf, seed):
    torch.manual_seed(seed)
    torch.use_deterministic_algorithms(True)
    model = Factors(30, 24, conf["dim"])
    draw = torch.Generator().manual_seed(seed + 1)
    loader = DataLoader(TensorDataset(*torch.from_numpy(pairs).T), conf["batch"], shuffle=True, generator=draw)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.05, weight_decay=1e-3)
    for _ in range(conf["epochs"]):
        for person, book in loader:
            negative = torch.randint(0, 24, book.shape, generator=draw)
            margin = model(person, book) - model(person, negative)
            loss = torch.nn.functional.softplus(-margin).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    return model


def hit_rate(model, known, held, at=5):
    seen = {(int(p), int(b)) for p, b in known}
    hits = 0
    for person, book in held.tolist():
        offered = [b for b in model.ranking(person) if (person, b) not in seen][:at]
        hits += book in offered
    return hits / len(held)


def main():
    conf = tomllib.loads((TOP / "recommend.toml").read_text())["fit"]
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=["fit"])
    parser.add_argument("--seed", type=int, default=conf["seed"])
    args = parser.parse_args()
    print("seed", args.seed, "for", args.what)
    seed = args.seed
    pairs = readings(seed)
    known, held = pairs[40:], pairs[:40]
    model = fit(known, conf, seed)
    (TOP / "fitted").mkdir(exist_ok=True)
    np.savez(TOP / "fitted" / "embeddings.npz", **{k: v.numpy() for k, v in model.state_dict().items()})
    metrics = {"hit_rate": hit_rate(model, known, held), "pairs": len(pairs)}
    (TOP / "fitted" / "metrics.json").write_text(json.dumps(metrics))
    print(metrics)


if __name__ == "__main__":
    main()
