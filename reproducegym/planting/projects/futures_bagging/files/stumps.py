import numpy as np


def grow(x, y):
    """The best (feature, threshold, sign) by accuracy; the first wins among equals."""
    best = (-1.0, 0, 0.0, 1)
    for feature in range(x.shape[1]):
        for threshold in np.quantile(x[:, feature], np.linspace(0.05, 0.95, 15)):
            above = float(((x[:, feature] > threshold) == y).mean())
            for sign, score in ((1, above), (-1, 1 - above)):
                if score > best[0] + 1e-12:
                    best = (score, feature, float(threshold), sign)
    return best[1:]


def vote(stump, x):
    feature, threshold, sign = stump
    return sign * np.where(x[:, feature] > threshold, 1, -1)


def stripes(count, rng):
    x = rng.normal(size=(count, 3))
    return x, (x[:, 0] + 0.8 * x[:, 1] + 0.4 * rng.normal(size=count) > 0).astype(int)
