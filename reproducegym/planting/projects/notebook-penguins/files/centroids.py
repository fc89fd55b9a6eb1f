import numpy as np


def fit(x, y):
    """Names in order, and a centroid for each."""
    names = sorted(set(y))
    y = np.array(y)
    return names, np.array([x[y == n].mean(0) for n in names])


def predict(names, centres, x):
    nearest = ((x[:, None] - centres[None]) ** 2).sum(-1).argmin(1)
    return [names[i] for i in nearest]
