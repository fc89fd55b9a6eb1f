import json
import logging
import os
import sys
import warnings

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedKFold

from churn.configuration import read
from churn.customers import customers
from churn.pipeline import build

logging.basicConfig(format="%(asctime)s %(message)s", level=logging.INFO)
warnings.simplefilter("ignore", ConvergenceWarning)  # saga stops early on purpose


def main(path, *overrides):
    config = read(path, overrides)
    seed = config["seed"]
    table, left = customers(config["customers"], config["missing"], seed)
    folds = StratifiedKFold(config["folds"], shuffle=True, random_state=seed)
    scores = []
    for number, (fit, test) in enumerate(folds.split(table, left)):
        model = build(seed + number, **config["model"]).fit(table[fit], left[fit])
        scores.append(float(roc_auc_score(left[test], model.predict_proba(table[test])[:, 1])))
        logging.info("fold %d: %.3f", number, scores[-1])
    final = build(seed, **config["model"]).fit(table, left)
    names = final["columns"].get_feature_names_out().tolist()
    os.makedirs("out", exist_ok=True)
    with open("out/coefficients.json", "w") as handle:
        json.dump(dict(zip(names, final["model"].coef_[0].tolist())), handle, indent=1)
    with open("out/metrics.json", "w") as handle:
        json.dump({"auc": float(np.mean(scores)), "folds": scores, "left": int(left.sum())}, handle, indent=1)


if __name__ == "__main__":
    main(*sys.argv[1:])
