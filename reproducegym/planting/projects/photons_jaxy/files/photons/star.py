import numpy as np

TIMES = np.linspace(0, 6, 60)


def rate(z):
    """Log rate a + b sin(2 t); z = (a, b)."""
    return np.exp(z[0] + z[1] * np.sin(2 * TIMES))


def observe(key, z=(1.0, 0.8)):
    return key.poisson(rate(z))


def log_joint(z, counts):
    """Value and gradient, standard normal priors of width 2; constants left out."""
    r = rate(z)
    grad = np.array([(counts - r).sum(), ((counts - r) * np.sin(2 * TIMES)).sum()]) - np.array(z) / 4
    return float((counts * np.log(r) - r).sum() - np.sum(np.square(z)) / 8), grad
