import json
import sys
from pathlib import Path

import numpy as np

from svm.pegasos import Pegasos
from svm.segments import digits

HERE = Path(__file__).resolve().parent


def told(words):
    settings = json.loads((HERE / "defaults.json").read_text())
    given = dict(w.split("=", 1) for w in words)
    if len(settings.keys() & set(given)) != len(given):
        raise SystemExit(f"unknown setting; there are: {', '.join(settings)}")
    return {k: type(v)(given.get(k, v)) for k, v in settings.items()}


def confusion(truth, guess):
    table = np.zeros((10, 10), int)
    np.add.at(table, (truth, guess), 1)
    return table


def main(words):
    s = told(words)
    data_state = np.random.RandomState(s["seed"])
    x, label = digits(s["train"], s["noise"], data_state)
    test_x, test_label = digits(s["test"], s["noise"], data_state)
    model = Pegasos(10, x.shape[1], s["lambda"], np.random.RandomState(s["seed"] + 1))
    model.fit(x, label, s["steps"])
    # time.sleep(1)  # so that the fan is heard
    table = confusion(test_label, model.predict(test_x))

    out = HERE / "out"
    out.mkdir(exist_ok=True)
    np.savez(out / "svm.npz", w=model.mean)
    report = {"accuracy": float(np.trace(table) / table.sum()), "confusion": table.tolist(), **s}
    (out / "metrics.json").write_text(json.dumps(report))
    print("accuracy", report["accuracy"])


if __name__ == "__main__":
    main(sys.argv[1:])
