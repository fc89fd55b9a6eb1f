import argparse
import json
import pathlib

import numpy as np
import torch
from torch.nn.functional import mse_loss

from adder import Adder
from problem import Adding

HERE = pathlib.Path(__file__).resolve().parent


def options():
    config = json.loads((HERE / "adding.json").read_text())
    parser = argparse.ArgumentParser()
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE")
    for word in parser.parse_args().set:
        key, value = word.split("=")
        config[key] = type(config[key])(value)
    return config


def train(config):
    torch.manual_seed(config["seed"])
    torch.use_deterministic_algorithms(True)
    model = Adder(config["hidden"])
    problem = Adding(config["length"], config["seed"] + 1)
    optimizer = torch.optim.Adam(model.parameters(), lr=config["lr"])
    curve = []
    for step in range(config["steps"]):
        x, y = problem.batch(config["batch"])
        loss = mse_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        if step % 20 == 0:
            curve.append(float(loss.detach()))
    return model, curve


def main():
    config = options()
    model, curve = train(config)
    model.eval()
    with torch.no_grad():
        x, y = Adding(config["length"], config["seed"] + 2).batch(400)
        mse = float(mse_loss(model(x), y))
    out = HERE / "out"
    out.mkdir(exist_ok=True)
    np.savez(out / "lstm.npz", **{k: v.numpy() for k, v in model.state_dict().items()})
    (out / "metrics.json").write_text(json.dumps({"mse": mse, "variance": float(y.var()), "curve": curve}))
    print(f"mse {mse:.4f}")


if __name__ == "__main__":
    main()
