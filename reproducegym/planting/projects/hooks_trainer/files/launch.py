import json
import pathlib
import sys

import numpy as np

from pilot import Checkpoint, Decay, EarlyStop, Loop
from pilot.softmax import Softmax, clusters


def read(path, changes):
    config = json.loads(pathlib.Path(path).read_text())
    return config | {k: type(config[k])(v) for k, v in (c.split("=") for c in changes)}


def launch(config):
    data_rng, model_rng, loop_rng = (np.random.default_rng((config["seed"], i)) for i in range(3))
    x, y = clusters(config["points"], config["label_noise"], data_rng)
    cut = 2 * len(x) // 3
    keep = Checkpoint()
    loop = Loop(Softmax(2, 3, model_rng), loop_rng, config["lr"], config["batch"],
                [EarlyStop(config["patience"]), keep, Decay()])
    history = loop.run((x[:cut], y[:cut]), (x[cut:], y[cut:]), config["epochs"])
    return keep, {"valid_loss": keep.best, "epochs": len(history), "last_lr": loop.lr}


if __name__ == "__main__":
    keep, summary = launch(read(sys.argv[1], sys.argv[2:]))
    run = pathlib.Path("run")
    run.mkdir(exist_ok=True)
    np.savez(run / "best.npz", w=keep.state[0])
    (run / "summary.json").write_text(json.dumps(summary))
    print(summary)
