import argparse
import json
from dataclasses import asdict
from pathlib import Path

import numpy as np

from sonar.echoes import simulate, three_ways
from sonar.model import Logistic
from sonar.settings import FILE, Settings


def train(settings):
    rng = np.random.default_rng(settings.seed)
    x, y = simulate(settings, rng)
    fit, hold, test = three_ways(len(x), rng)
    model = Logistic(settings.bands, rng)
    best, kept, waited = np.inf, None, 0
    for epoch in range(settings.epochs):
        model.epoch(x[fit], y[fit], settings)
        loss = model.loss(x[hold], y[hold])
        if loss < best:
            best, kept, waited = loss, (model.w.copy(), float(model.b), epoch), 0
        else:
            waited += 1
            if waited > settings.patience:
                break
    model.w, model.b, stopped = kept
    return model, {"accuracy": model.accuracy(x[test], y[test]), "holdout_loss": best, "best_epoch": stopped}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE")
    settings = Settings.load(parser.parse_args().set)
    model, metrics = train(settings)
    out = Path(FILE).parent / "out"
    out.mkdir(exist_ok=True)
    np.savez(out / "weights.npz", w=model.w, b=model.b)
    (out / "metrics.json").write_text(json.dumps({**metrics, "settings": asdict(settings)}, indent=1))
    print(f"accuracy {metrics['accuracy']:.3f} at epoch {metrics['best_epoch']}")


if __name__ == "__main__":
    main()
