import configparser
import json
import sys
from pathlib import Path

import numpy as np
from sklearn.kernel_approximation import Nystroem
from sklearn.linear_model import Ridge
from sklearn.model_selection import KFold, RandomizedSearchCV, train_test_split
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler

from beams import Beams

CHOICES = {"nystroem__gamma": [0.02, 0.05, 0.1, 0.2, 0.5], "ridge__alpha": [1e-4, 1e-3, 1e-2, 0.1, 1.0]}


def pipeline(seed):
    return Pipeline([
        ("scale", StandardScaler()),
        ("nystroem", Nystroem(n_components=50, random_state=seed)),
        ("ridge", Ridge()),
    ])


def tuned(x, y, tries, folds, seed):
    cv = KFold(folds, shuffle=True, random_state=seed)
    return RandomizedSearchCV(pipeline(seed), CHOICES, n_iter=tries, cv=cv, random_state=seed).fit(x, y)


def main(path, *changes):
    ini = configparser.ConfigParser()
    ini.read(path)
    for change in changes:
        where, value = change.split("=")
        ini.set(*where.split("."), value)
    seed = ini.getint("search", "seed")
    beams = Beams(ini.getint("beams", "count"), ini.getfloat("beams", "noise"), np.random.RandomState(seed))
    x, x_test, y, y_test = train_test_split(beams.x, beams.y, test_size=0.3, random_state=seed)
    search = tuned(x, y, ini.getint("search", "tries"), ini.getint("search", "folds"), seed)
    best = search.best_estimator_
    Path("tuned").mkdir(exist_ok=True)
    np.savez("tuned/beams.npz", coef=best["ridge"].coef_, components=best["nystroem"].components_)
    told = {"r2": float(best.score(x_test, y_test)), "best": search.best_params_, "tried": len(search.cv_results_["params"])}
    Path("tuned/beams.json").write_text(json.dumps(told, sort_keys=True))
    print(told)


if __name__ == "__main__":
    main(*sys.argv[1:])
