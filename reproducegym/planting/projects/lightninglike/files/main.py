import argparse
import json
import pathlib
import time

import numpy as np

import flash
from classifier import Classifier
from rings import Rings


class Stopwatch(flash.Callback):
    def __init__(self):
        self.began = time.perf_counter()

    def on_epoch_end(self, trainer, module):
        if len(trainer.logged) == trainer.max_epochs:
            print("%.2f s" % (time.perf_counter() - self.began))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--config", required=True)
    parser.add_argument("--trainer.seed", dest="seed", type=int)
    args = parser.parse_args()
    config = json.loads(pathlib.Path(args.config).read_text())
    trainer_config = dict(config["trainer"])
    seed = trainer_config.pop("seed")
    flash.seed_everything(seed if args.seed is None else args.seed)
    model = Classifier(**config["model"])
    trainer = flash.Trainer(**trainer_config, callbacks=[Stopwatch()])
    trainer.fit(model, Rings(**config["data"]))
    out = pathlib.Path("out")
    out.mkdir(exist_ok=True)
    np.savez(out / "last.npz", **model.state_dict())
    (out / "metrics.json").write_text(json.dumps({**trainer.logged[-1], "epochs": len(trainer.logged)}))


if __name__ == "__main__":
    main()
