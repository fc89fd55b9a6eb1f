import numpy as np


def payments(count, share, rng):
    fraud = rng.random(count) < share
    amount = np.where(fraud, rng.lognormal(4.6, 1.0, count), rng.lognormal(3.6, 0.9, count))
    hour = np.where(fraud, rng.normal(3, 4, count), rng.normal(14, 5, count)) % 24
    abroad = rng.random(count) < np.where(fraud, 0.5, 0.12)
    noise = rng.standard_normal((count, 3))
    x = np.column_stack([np.log(amount), np.sin(hour / 24 * 2 * np.pi), np.cos(hour / 24 * 2 * np.pi), abroad, noise])
    return x, fraud.astype(int)
