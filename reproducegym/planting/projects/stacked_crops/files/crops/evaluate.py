import json
import pathlib
import sys

import numpy as np
from sklearn.metrics import log_loss
from sklearn.model_selection import train_test_split

from crops.fields import Crop, fields
from crops.seeds import Seeds
from crops.stack import stack


def evaluate(seeds):
    x, crop = fields(300, seeds["fields"])
    x_fit, x_test, fit, test = train_test_split(x, crop, test_size=1 / 3, random_state=seeds["split"])
    model = stack(seeds).fit(x_fit, fit)
    p = model.predict_proba(x_test)
    report = {"log_loss": float(log_loss(test, p)), "accuracy": float((p.argmax(1) == test).mean()),
              "support": {c.name.lower(): int((test == c).sum()) for c in Crop}}
    return {"coef": model.final_estimator_.coef_, "p": p, "test": test}, report


if __name__ == "__main__":
    arrays, report = evaluate(Seeds.told(sys.argv[1:]))
    var = pathlib.Path("var")
    var.mkdir(exist_ok=True)
    np.savez(var / "stack.npz", **arrays)
    (var / "evaluation.json").write_text(json.dumps(report, indent=1))
    print(report)
