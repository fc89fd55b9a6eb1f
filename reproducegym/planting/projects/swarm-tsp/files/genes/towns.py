import numpy as np


def towns(count, seed):
    return np.random.default_rng(seed).random((count, 2))


def distances(xy):
    return np.sqrt(((xy[:, None] - xy[None]) ** 2).sum(-1))


def length(tour, d):
    return float(sum(d[a][b] for a, b in zip(tour, tour[1:] + tour[:1])))
