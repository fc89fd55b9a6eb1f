import random

import numpy as np

PLANS = ["basic", "family", "student", "unlimited"]


def customers(count, missing, seed):
    """Columns months, calls, plan (object array, with None where unknown) and 1 for those who left."""
    luck = random.Random(seed)
    rows, left = [], []
    for _ in range(count):
        plan = luck.choice(PLANS)
        months, calls = luck.expovariate(1 / 20), luck.gauss(4, 2)
        odds = -0.6 - 0.05 * months + 0.45 * (calls - 3) + {"student": 0.9, "family": -0.6}.get(plan, 0)
        left.append(int(luck.random() < 1 / (1 + np.exp(-odds))))
        rows.append([v if luck.random() >= missing else None for v in (months, calls)] + [plan])
    table = np.array(rows, dtype=object)
    table[:, :2] = table[:, :2].astype(float)
    return table, np.array(left)
