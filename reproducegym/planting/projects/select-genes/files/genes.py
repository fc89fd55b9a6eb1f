import argparse
import json
import os

from sklearn.ensemble import ExtraTreesClassifier
from sklearn.feature_selection import SelectFromModel
from sklearn.inspection import permutation_importance

from cells import Cells


def select(cells, keep, seed, trees=20):
    """Numbers of the columns that are kept, most important first, with their importances."""
    (x, y), (x_late, y_late) = cells.halves()
    forest = ExtraTreesClassifier(trees, max_depth=6, random_state=seed)
    chosen = SelectFromModel(forest, threshold=-float("inf"), max_features=2 * keep).fit(x, y)
    columns = chosen.get_support(indices=True)
    small = ExtraTreesClassifier(trees, max_depth=6, random_state=seed + 1).fit(x[:, columns], y)
    told = permutation_importance(small, x_late[:, columns], y_late, n_repeats=2, random_state=seed)
    order = sorted(range(len(columns)), key=lambda i: (-told.importances_mean[i], columns[i]))[:keep]
    accuracy = float(small.score(x_late[:, columns], y_late))
    return [(int(columns[i]), float(told.importances_mean[i])) for i in order], accuracy


def run(args):
    cells = Cells(args.rows, args.columns, args.informative, args.seed)
    kept, accuracy = select(cells, args.keep, args.seed)
    hits = len(set(cells.informative.tolist()) & {c for c, _ in kept})
    os.makedirs(args.out, exist_ok=True)
    with open(os.path.join(args.out, "selected.json"), "w") as f:
        json.dump({"columns": [c for c, _ in kept], "importance": [v for _, v in kept]}, f)
    with open(os.path.join(args.out, "metrics.json"), "w") as f:
        json.dump({"recall": hits / args.informative, "accuracy": accuracy}, f)
    print(f"{hits} of {args.informative}, accuracy {accuracy:.2f}")


def main():
    parser = argparse.ArgumentParser()
    commands = parser.add_subparsers(dest="command", required=True)
    one = commands.add_parser("select")
    one.add_argument("--rows", type=int, default=240)
    one.add_argument("--columns", type=int, default=60)
    one.add_argument("--informative", type=int, default=5)
    one.add_argument("--keep", type=int, default=8)
    one.add_argument("--seed", type=int, default=3)
    one.add_argument("--out", default="out")
    run(parser.parse_args())


if __name__ == "__main__":
    main()
