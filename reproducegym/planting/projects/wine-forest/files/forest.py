import argparse
import json
from pathlib import Path

from sklearn.ensemble import RandomForestClassifier
from sklearn.metrics import accuracy_score, confusion_matrix
from sklearn.model_selection import train_test_split

from tables import COLUMNS, load

HERE = Path(__file__).resolve().parent


def grow(x, y, seed, trees, depth):
    forest = RandomForestClassifier(n_estimators=trees, max_depth=depth, random_state=seed, n_jobs=1)
    return forest.fit(x, y)


def describe(forest):
    """Everything that decides: features, thresholds and votes of each tree."""
    trees = [t.tree_ for t in forest.estimators_]
    return {
        "classes": forest.classes_.tolist(),
        "trees": [{"feature": t.feature.tolist(), "threshold": t.threshold.tolist()} for t in trees],
        "importances": dict(zip(COLUMNS, forest.feature_importances_.tolist())),
    }


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=2)
    parser.add_argument("--trees", type=int, default=25)
    parser.add_argument("--depth", type=int, default=5)
    parser.add_argument("--repeats", type=int, default=3)
    args = parser.parse_args()

    x, y = load(HERE / "tables")
    scores, confusion = [], 0
    for repeat in range(args.repeats):
        x_fit, x_test, y_fit, y_test = train_test_split(
            x, y, test_size=0.25, stratify=y, random_state=args.seed + repeat
        )
        forest = grow(x_fit, y_fit, args.seed, args.trees, args.depth)
        guess = forest.predict(x_test)
        scores.append(float(accuracy_score(y_test, guess)))
        confusion = confusion + confusion_matrix(y_test, guess)
    metrics = {
        "accuracy": sum(scores) / len(scores),
        "each": scores,
        "confusion": confusion.tolist(),
        "rows": len(x),
    }
    (HERE / "out").mkdir(exist_ok=True)
    (HERE / "out" / "forest.json").write_text(json.dumps(describe(forest)))
    (HERE / "out" / "metrics.json").write_text(json.dumps(metrics))
    print(metrics)


if __name__ == "__main__":
    main()
