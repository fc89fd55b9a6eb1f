"""The ferry arrives more often than not, and the table has a row for each dock."""

import json
import sys

import numpy as np

metrics = json.load(open("out/metrics.json"))
if np.load("out/table.npz")["q"].shape != (metrics["docks"], 2):
    sys.exit("the table does not fit the docks")
if metrics["mean_return"] < 2:
    sys.exit("the ferry does not arrive")
