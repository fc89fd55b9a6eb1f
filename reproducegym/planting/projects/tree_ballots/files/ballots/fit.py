"""Fit a forest on ballots and write importances and scores."""

import argparse
import json
import os

from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from ballots.table import ballots


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    parser.add_argument("--trees", type=int, default=20)
    parser.add_argument("--rows", type=int, default=160)
    parser.add_argument("--random-state", type=int, default=3)
    parser.add_argument("--out", default="out")
    return parser.parse_args()


def run(given: argparse.Namespace) -> dict[str, float]:
    seed = given.random_state
    x, y = ballots(given.rows, seed)
    x_train, x_test, y_train, y_test = train_test_split(x, y, test_size=0.25, random_state=seed)
    forest = RandomForestClassifier(n_estimators=given.trees, max_depth=4, random_state=seed)
    model = make_pipeline(StandardScaler(), forest)
    model.fit(x_train, y_train)
    os.makedirs(given.out, exist_ok=True)
    with open(os.path.join(given.out, "importances.json"), "w") as file:
        json.dump([float(v) for v in forest.feature_importances_], file)
    return {"accuracy": float(model.score(x_test, y_test))}


if __name__ == "__main__":
    args = options()
    scores = run(args)
    with open(os.path.join(args.out, "scores.json"), "w") as file:
        json.dump(scores, file)
