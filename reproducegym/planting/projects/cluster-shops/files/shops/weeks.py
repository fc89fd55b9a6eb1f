import csv
from pathlib import Path

import numpy as np

DATA = Path(__file__).with_name("data")
DAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]


def load_towns(folder=DATA):
    """(names, shares of the week's turnover by day), town by town."""
    names, turnover = [], []
    for path in sorted(folder.iterdir()):
        with path.open(newline="") as lines:
            for row in csv.DictReader(lines):
                names.append(f"{path.stem}/{row['shop']}")
                turnover.append([float(row[d]) for d in DAYS])
    turnover = np.array(turnover)
    return names, turnover / turnover.sum(1, keepdims=True)


def jittered(shares, rng, size=0.01):
    """Shares as another week might have shown them."""
    return shares * np.exp(size * rng.standard_normal(shares.shape))
