"""The weights fit the metrics, and the model has learned something."""

import json
import sys

import numpy as np

weights = np.load("out/weights.npz")
metrics = json.load(open("out/metrics.json"))
if weights["w"].shape != (2,) or metrics["shards"] != 3:
    sys.exit("two features and three shards were expected")
if not 0 <= metrics["test_error"] < 1 or not np.any(np.abs(weights["w"]) > 0.3):
    sys.exit("the model has not learned")
