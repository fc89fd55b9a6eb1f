import argparse
import json
import pathlib
import sys
import time

import numpy as np
from sklearn.model_selection import train_test_split

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from houses import Market, boost  # noqa: E402
from houses.boosting import dump  # noqa: E402

p = argparse.ArgumentParser()
p.add_argument("--seed", type=int, default=17)
p.add_argument("--stages", type=int, default=60)
p.add_argument("--subsample", type=float, default=0.7)
p.add_argument("--count", type=int, default=350)


def main(args):
    market = Market(np.random.default_rng(args.seed))
    x, y = market.sales(args.count)
    x_fit, x_test, y_fit, y_test = train_test_split(x, y, random_state=args.seed)
    model = boost(x_fit, y_fit, stages=args.stages, subsample=args.subsample, seed=args.seed)
    metrics = {
        "mae": float(np.abs(model.predict(x_test) - y_test).mean()),
        "median_mae": float(np.abs(np.median(y_fit) - y_test).mean()),
        "importance": dict(zip(market.names, model.feature_importances_.tolist())),
    }
    out = ROOT / "out"
    out.mkdir(exist_ok=True)
    (out / "model.json").write_text(json.dumps(dump(model)))
    (out / "metrics.json").write_text(json.dumps(metrics, indent=1))
    print(f"MAE {metrics['mae']:.1f}, {time.process_time():.1f} s")


if __name__ == "__main__":
    main(p.parse_args())
