import numpy as np


def couplings(n, rng):
    """Symmetric (n, n), zero diagonal, variance 1/n."""
    j = rng.standard_normal((n, n)) / np.sqrt(n)
    return np.triu(j, 1) + np.triu(j, 1).T


def energy(spins, j):
    return float(-0.5 * spins @ j @ spins)
