import configparser
import json
import sys
from pathlib import Path

import numpy as np
import torch

from waves.autoencoder import Autoencoder, decibels
from waves.repeat import make_repeatable
from waves.shapes import pairs

HERE = Path(__file__).resolve().parent


def main(path, *changes):
    config = configparser.ConfigParser()
    with open(path) as handle:
        config.read_file(handle)
    for change in changes:
        key, value = change.split("=")
        config["run"][key] = value
    run, waves, model_ = config["run"], config["waves"], config["model"]

    make_repeatable(run.getint("seed"))
    count, length, noise = waves.getint("count"), waves.getint("length"), waves.getfloat("noise")
    clean, noisy = pairs(count, length, noise)
    test_clean, test_noisy = pairs(150, length, noise)
    model = Autoencoder(length, model_.getint("code"), model_.getfloat("drop"))
    optimizer = torch.optim.RMSprop(model.parameters(), lr=0.004)
    for _ in range(run.getint("epochs")):
        for rows in torch.randperm(count).split(run.getint("batch")):
            optimizer.zero_grad()
            loss = torch.nn.functional.mse_loss(model(noisy[rows]), clean[rows])
            loss.backward()
            optimizer.step()
    model.eval()
    with torch.no_grad():
        gain = decibels(test_clean, test_noisy, model(test_noisy))

    (HERE / "out").mkdir(exist_ok=True)
    state = model.state_dict()
    np.savez(HERE / "out" / "weights.npz", **{name: state[name].numpy() for name in sorted(state)})
    (HERE / "out" / "metrics.json").write_text(json.dumps({"gain": gain, "waves": count}))
    print(f"{gain:.2f} dB")


if __name__ == "__main__":
    main(*sys.argv[1:])
