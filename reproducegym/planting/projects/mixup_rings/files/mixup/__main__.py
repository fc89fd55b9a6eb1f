import argparse
import json
import os

import numpy as np
import torch
from torch import nn

from mixup.determinism import evaluating, prepared
from mixup.rings import mixed, rings


def net(width):
    return nn.Sequential(nn.Linear(2, width), nn.GELU(), nn.Dropout(0.1), nn.Linear(width, width), nn.GELU(), nn.Linear(width, 3))


def run(conf):
    rng = prepared(conf["seed"])
    x, y = rings(conf["points"], rng)
    x_test, y_test = rings(300, rng)
    model = net(conf["width"])
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    for _ in range(conf["epochs"]):
        for rows in torch.from_numpy(rng.permutation(len(x))).split(conf["batch"]):
            inputs, targets = mixed(x[rows], y[rows], conf["alpha"], rng)
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(inputs), targets).backward()
            optimizer.step()
    with evaluating(model):
        logits = model(x_test)
        report = {"accuracy": float((logits.argmax(1) == y_test).float().mean()),
                  "entropy": float(torch.distributions.Categorical(logits=logits).entropy().mean())}
    return model, report


def main():
    parser = argparse.ArgumentParser(prog="mixup")
    parser.add_argument("experiment")
    parser.add_argument("--with", dest="changes", action="append", default=[])
    args = parser.parse_args()
    with open(args.experiment) as f:
        conf = json.load(f)
    for key, value in (change.split("=") for change in args.changes):
        conf[key] = type(conf[key])(value)
    model, report = run(conf)
    os.makedirs("artefacts", exist_ok=True)
    np.savez("artefacts/net.npz", **{k.replace(".", "_"): v.numpy() for k, v in model.state_dict().items()})
    with open("artefacts/report.json", "w") as f:
        json.dump({**report, **conf}, f)
    print(report)


if __name__ == "__main__":
    main()
