import numpy as np


def spirals(n, rng, turns=1.25, noise=0.04):
    """n points of two intertwined arms, and 0 or 1 for the arm."""
    arm = rng.integers(0, 2, n)
    t = np.sqrt(rng.random(n))
    angle = t * turns * 2 * np.pi + np.pi * arm
    xy = np.stack([t * np.cos(angle), t * np.sin(angle)], 1)
    return xy + noise * rng.standard_normal(xy.shape), arm.astype(float)


def batches(x, y, size, rng):
    order = rng.permutation(len(x))
    for i in range(0, len(x), size):
        yield x[order[i : i + size]], y[order[i : i + size]]
