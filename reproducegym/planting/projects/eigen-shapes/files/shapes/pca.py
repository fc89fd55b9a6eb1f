import numpy as np


def sketch(width, keep):
    """A random orthonormal start for the iteration, (width, keep)."""
    q, _ = np.linalg.qr(np.random.randn(width, keep))
    return q


def components(x, keep, sweeps=3):
    """Mean, the leading directions (keep, width) and their variances."""
    mean = x.mean(axis=0)
    centred = x - mean
    q = sketch(x.shape[1], keep)
    for _ in range(sweeps):
        q, _ = np.linalg.qr(centred.T @ (centred @ q))
    scores = centred @ q
    order = np.argsort(-scores.var(axis=0))
    return mean, q.T[order], scores.var(axis=0)[order]
