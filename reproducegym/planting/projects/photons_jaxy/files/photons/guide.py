import numpy as np

from keychain import scan
from photons.star import log_joint


def elbo(params, eps, counts):
    """One-sample estimate and gradients for mean and log scale."""
    mean, log_scale = params
    scale = np.exp(log_scale)
    value, grad = log_joint(mean + scale * eps, counts)
    return value + log_scale.sum(), grad, grad * eps * scale + 1


def fit(key, counts, steps, rate=0.004):
    start_key, noise_key = key.split()
    state = 0.1 * start_key.normal(2), np.full(2, -2.0)

    def step(params, eps):
        value, d_mean, d_scale = elbo(params, eps, counts)
        return (params[0] + rate * d_mean, np.clip(params[1] + rate * d_scale, -5, 0)), value

    return scan(step, state, noise_key.normal(steps, 2))
