import argparse
import json
import os
import random
from collections import deque

import numpy as np
from sklearn.feature_extraction import FeatureHasher
from sklearn.linear_model import SGDClassifier

from log_reader import batched, events, shuffled

hasher = FeatureHasher(64, input_type="string")


def describe(event):
    return [f"{k}={event[k]}" for k in ("page", "device")] + [f"{event['page']}x{event['device']}"]


def replay(args):
    luck = random.Random(args.shuffle_seed)
    model = SGDClassifier(loss="log_loss", alpha=1e-3, random_state=args.shuffle_seed)
    recent, right, seen = deque(maxlen=10), 0, 0
    for number in range(args.passes):
        for batch in batched(shuffled(events(args.log), args.window, luck), 16):
            x = hasher.transform(describe(e) for e in batch)
            y = np.array([e["click"] for e in batch])
            if hasattr(model, "coef_"):
                hits = int((model.predict(x) == y).sum())
                recent.append(hits / len(y))
                right, seen = right + hits, seen + len(y)
            model.partial_fit(x, y, classes=[0, 1])
    os.makedirs("state", exist_ok=True)
    np.savez("state/model.npz", coef=model.coef_, intercept=model.intercept_)
    metrics = {"progressive_accuracy": right / seen, "recent": float(np.mean(recent)), "seen": seen}
    with open("state/metrics.json", "w") as f:
        json.dump(metrics, f)
    print(metrics)


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("command", choices=["replay"])
    parser.add_argument("--log", default="log")
    parser.add_argument("--passes", type=int, default=1)
    parser.add_argument("--window", type=int, default=40)
    parser.add_argument("--shuffle-seed", type=int, default=64)
    return parser.parse_args()


if __name__ == "__main__":
    given = arguments()
    {"replay": replay}[given.command](given)
