import argparse
import json
import tomllib
from pathlib import Path

import numpy as np
from sklearn.calibration import CalibratedClassifierCV
from sklearn.metrics import brier_score_loss
from sklearn.model_selection import StratifiedKFold, train_test_split
from sklearn.naive_bayes import GaussianNB

from loans import Loans

HERE = Path(__file__).resolve().parent


def reliability(p, y, bins):
    """Mean prediction and share of ones in each bin that is not empty."""
    which = np.minimum((p * bins).astype(int), bins - 1)
    return [(float(p[which == b].mean()), float(y[which == b].mean())) for b in range(bins) if (which == b).any()]


def fit_all(x, y, folds, seed):
    models = {"raw": GaussianNB().fit(x, y)}
    for method in ("sigmoid", "isotonic"):
        cv = StratifiedKFold(folds, shuffle=True, random_state=seed)
        models[method] = CalibratedClassifierCV(GaussianNB(), method=method, cv=cv).fit(x, y)
    return models


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=23)
    seed = parser.parse_args().seed
    told = tomllib.loads((HERE / "experiment.toml").read_text())
    x, y = Loans(**told["loans"]).draw(seed)
    x_fit, x_test, y_fit, y_test = train_test_split(x, y, test_size=0.4, random_state=seed)
    models = fit_all(x_fit, y_fit, told["calibration"]["folds"], seed)
    p = {name: model.predict_proba(x_test)[:, 1] for name, model in models.items()}
    scores = {name: float(brier_score_loss(y_test, v)) for name, v in p.items()}

    (HERE / "out").mkdir(exist_ok=True)
    np.savez(HERE / "out" / "calibrated.npz", theta=models["raw"].theta_, **p)
    curve = reliability(p["sigmoid"], y_test, told["calibration"]["bins"])
    report = {"brier": scores["sigmoid"], "all": scores, "curve": curve}
    (HERE / "out" / "metrics.json").write_text(json.dumps(report))
    print(scores)


if __name__ == "__main__":
    main()
